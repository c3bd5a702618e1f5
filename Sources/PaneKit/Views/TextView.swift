public import Terminal

/// Read-only text, wrapped to the view's width and scrolled by rows.
@MainActor
public final class TextView: View {
  /// The paragraphs to show. An empty paragraph is an empty row.
  public var paragraphs: [[TextRun<StyleRole>]] = [] {
    didSet {
      guard paragraphs != oldValue else { return }
      lines = nil
      setNeedsDisplay()
      scroll(to: firstRow)
    }
  }

  /// The paragraphs for linear form (terminals that only append text). If nil, ``paragraphs`` are used.
  public var linearParagraphs: [[TextRun<StyleRole>]]?

  /// Number of rows hidden above the view.
  public private(set) var firstRow = 0

  private var toldRow = 0

  /// Empty columns on each side.
  public var margin = 1

  private var lines: [[TextRun<StyleRole>]]?
  /// The first row of each paragraph.
  private var starts: [Int] = []
  private var wrappedColumns = -1
  private var wrappedForm = TextForm.unicode

  override public init() {
    super.init()
    acceptsFirstResponder = true
    on(.listNext) { [weak self] in self?.scroll(by: 1) }
    on(.listPrevious) { [weak self] in self?.scroll(by: -1) }
    on(.listLineDown) { [weak self] in self?.scroll(by: 1) }
    on(.listLineUp) { [weak self] in self?.scroll(by: -1) }
    on(.listHalfDown) { [weak self] in self?.scrollPages(0.5) }
    on(.listHalfUp) { [weak self] in self?.scrollPages(-0.5) }
    on(.listPageDown) { [weak self] in self?.scrollPages(1) }
    on(.listPageUp) { [weak self] in self?.scrollPages(-1) }
    on(.listFirst) { [weak self] in self?.scroll(to: 0) }
    on(.listLast) { [weak self] in self?.scroll(to: .max) }
  }

  /// Sent after the view scrolls.
  public var didScroll = TargetActions()

  /// Number of rows of the whole text.
  public var rowCount: Int { wrapped(frame.size.columns).count }

  /// The visible rows.
  public var visibleRows: Range<Int> {
    let count = rowCount
    return min(firstRow, count)..<min(count, firstRow + frame.size.rows)
  }

  /// Returns the rows of the paragraph at `index`.
  public func rows(ofParagraph index: Int) -> Range<Int> {
    let count = rowCount
    return starts[index]..<(index + 1 < starts.count ? starts[index + 1] : count)
  }

  override public func updateProperties() {
    tellScroll()
  }

  override public func layoutSubviews() {
    scroll(to: firstRow)
  }

  public func scroll(to row: Int) {
    guard row > 0 || firstRow > 0 else { return }
    let last = max(0, wrapped(frame.size.columns).count - frame.size.rows)
    let row = min(max(0, row), last)
    guard row != firstRow else { return }
    firstRow = row
    setNeedsDisplay()
    if window?.isLayingOut == true { setNeedsUpdateProperties() } else { tellScroll() }
  }

  private func tellScroll() {
    guard firstRow != toldRow else { return }
    toldRow = firstRow
    didScroll.send()
  }

  public func scroll(by rows: Int) {
    scroll(to: firstRow + rows)
  }

  override public var linearTexts: [LinearText] {
    [LinearText(.text, LinearWords.lines(linearParagraphs ?? paragraphs))]
  }

  override public func draw(in canvas: Canvas) {
    let lines = wrapped(canvas.size.columns)
    for row in canvas.visibleRows where lines.indices.contains(row + firstRow) {
      canvas.write(lines[row + firstRow], row: row, column: margin)
    }
  }

  override public func scrollWheel(with event: MouseEvent) -> Bool {
    scroll(by: event.kind == .wheelUp ? -3 : 3)
    return true
  }

  private func scrollPages(_ pages: Double) {
    scroll(by: Int(Double(max(1, frame.size.rows - 1)) * pages))
  }

  private func wrapped(_ columns: Int) -> [[TextRun<StyleRole>]] {
    let form = textForm
    if let lines, wrappedColumns == columns, wrappedForm == form { return lines }
    var wrapped: [[TextRun<StyleRole>]] = []
    starts = paragraphs.map { paragraph in
      defer { wrapped += TextLayout.wrap(paragraph, columns: columns - 2 * margin, form: form) }
      return wrapped.count
    }
    lines = wrapped
    (wrappedColumns, wrappedForm) = (columns, form)
    return wrapped
  }
}
