public import Terminal

/// One row with items at its left and right, used for headers and status bars. If the row is too narrow, the least
/// important items are dropped first. If the view has several rows, it shows only the most important item, wrapped.
@MainActor
public final class BarView: View {
  public struct Item: Hashable {
    public var runs: [TextRun<StyleRole>]
    /// Items with lower numbers are dropped first if they don't fit. The item with the highest number is truncated
    /// instead.
    public var priority: Int
    /// The action performed by a click.
    public var action: Action?
    /// Whether the item's first run may be truncated. This is tried before the item is dropped.
    public var mayBeCut = false
    /// Shorter texts for the item's first run, longest first. They are tried before the run is truncated or the item is
    /// dropped.
    public var shorterForms: [String] = []

    public init(_ runs: [TextRun<StyleRole>], priority: Int = 0, action: Action? = nil) {
      self.runs = runs
      self.priority = priority
      self.action = action
    }

    public init(_ text: String, _ role: StyleRole = .text, priority: Int = 0) {
      self.init([TextRun(text, role)], priority: priority)
    }

    /// Minimum width of a truncated run.
    private static let minimumColumns = 4

    /// The item with the names of keys in place of their placeholders.
    fileprivate var named: Item {
      var item = self
      for index in runs.indices { item.runs[index].text = runs[index].text.namingKeys }
      return item
    }

    /// The item in its shortest form.
    public var shortest: Item {
      guard let shortest = shorterForms.last, !runs.isEmpty else { return self }
      var item = self
      item.runs[0].text = shortest
      return item
    }

    public var columns: Int { runs.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) } }

    /// Returns the item made at least `columns` narrower, or nil if that isn't possible.
    func cut(by columns: Int) -> Item? {
      guard let first = runs.first else { return nil }
      let most = DisplayWidth.columns(of: first.text) - columns
      if let shorter = shorterForms.first(where: { DisplayWidth.columns(of: $0) <= most }) {
        var item = self
        item.runs[0].text = shorter
        return item
      }
      guard mayBeCut else { return nil }
      let rest = DisplayWidth.columns(of: first.text) - columns
      guard rest >= Self.minimumColumns else { return nil }
      var item = self
      item.runs[0].text = DisplayWidth.truncated(first.text, to: rest)
      return item
    }
  }

  public var leading: [Item] = [] {
    didSet { if leading != oldValue { itemsDidChange() } }
  }
  public var trailing: [Item] = [] {
    didSet { if trailing != oldValue { itemsDidChange() } }
  }

  private func itemsDidChange() {
    invalidateIntrinsicSize()
    setNeedsDisplay()
  }

  /// The kind of text for the most important item that isn't a hint, in linear form (on terminals that only append
  /// text). If nil, linear form skips that item.
  public var linearKind: LinearText.Kind? = .status

  /// Columns between two items.
  public var gap = 2 {
    didSet { if gap != oldValue { itemsDidChange() } }
  }
  private let margin = 1

  /// Returns the number of rows that the most important item needs, at most `limit`.
  public func rows(forColumns columns: Int, limit: Int) -> Int {
    min(max(1, limit), wrapped(columns).count)
  }

  /// As many rows as the most important item needs, or none if there are no items.
  override public func intrinsicSize(in room: Size) -> Size {
    let rows = leading.isEmpty && trailing.isEmpty ? 0 : wrapped(room.columns).count
    return Size(rows: rows, columns: room.columns)
  }

  /// Whether even the most important item is truncated.
  override var isTextCut: Bool {
    guard frame.size.rows == 1 else { return wrapped(frame.size.columns).count > frame.size.rows }
    return placed(columns: frame.size.columns).contains { $0.column + $0.item.columns > frame.size.columns - margin }
  }

  override public var linearTexts: [LinearText] { words }

  override public func draw(in canvas: Canvas) {
    guard canvas.size.rows <= 1 else {
      let lines = TextLayout.cut(
        wrapped(canvas.size.columns), columns: canvas.size.columns - 2 * margin, rows: canvas.size.rows)
      for (row, line) in lines.enumerated() { canvas.write(line, row: row, column: margin) }
      return
    }
    for (item, column) in placed(columns: canvas.size.columns) { canvas.write(item.runs, row: 0, column: column) }
  }

  /// Returns the items that fit in a single row, each with its first column.
  private func placed(columns: Int) -> [(item: Item, column: Int)] {
    let (left, right) = fitting(columns: columns - 2 * margin)
    var placed: [(item: Item, column: Int)] = []
    var column = margin
    for item in left {
      placed.append((item, column))
      column += item.columns + gap
    }
    var start = columns - margin - total(right)
    for item in right {
      placed.append((item, max(start, column)))
      start = max(start, column) + item.columns + gap
    }
    return placed
  }

  /// Performs the action of the clicked item.
  override public func mouseDown(with event: MouseEvent) -> Bool {
    guard frame.size.rows == 1,
      let action = placed(columns: frame.size.columns).first(where: {
        ($0.column..<($0.column + $0.item.columns)).contains(event.point.column)
      })?.item.action
    else { return false }
    return (window?.effectiveFirstResponder ?? self).perform(action)
  }

  private func wrapped(_ columns: Int) -> [[TextRun<StyleRole>]] {
    guard let item = (leading + trailing).max(by: { $0.priority < $1.priority }) else { return [[]] }
    return TextLayout.wrap(item.named.runs, columns: columns - 2 * margin)
  }

  /// Returns the items that fit, in order.
  private func fitting(columns: Int) -> (leading: [Item], trailing: [Item]) {
    var left = leading.map(\.named).filter { $0.columns > 0 }
    var right = trailing.map(\.named).filter { $0.columns > 0 }
    while left.count + right.count > 1 {
      let between = left.isEmpty || right.isEmpty ? 0 : gap
      let missing = total(left) + between + total(right) - columns
      guard missing > 0, let lowest = (left + right).map(\.priority).min() else { break }
      if let index = right.lastIndex(where: { $0.priority == lowest }) {
        shorten(&right, at: index, by: missing)
      } else if let index = left.lastIndex(where: { $0.priority == lowest }) {
        shorten(&left, at: index, by: missing)
      }
    }
    return (left, right)
  }

  /// Shortens an item if possible. Otherwise removes it.
  private func shorten(_ items: inout [Item], at index: Int, by columns: Int) {
    if let cut = items[index].cut(by: columns) { items[index] = cut } else { items.remove(at: index) }
  }

  private func total(_ items: [Item]) -> Int {
    items.reduce(0) { $0 + $1.columns } + gap * max(0, items.count - 1)
  }
}
