public import Terminal

/// A line between two parts of the screen. A horizontal line can have a title at its left and a note at its right. If
/// they don't fit, the note is dropped and the title is truncated.
@MainActor
public final class RuleView: View {
  public enum Axis: Hashable, Sendable { case horizontal, vertical }

  public var axis: Axis {
    didSet { if axis != oldValue { setNeedsDisplay() } }
  }
  public var title: [TextRun<StyleRole>] = [] {
    didSet { if title != oldValue { setNeedsDisplay() } }
  }
  /// Number of runs at the start of the title that may be omitted, one after another, if the title doesn't fit. In a
  /// path, the last steps matter most.
  public var optionalRuns = 0 {
    didSet { if optionalRuns != oldValue { setNeedsDisplay() } }
  }
  /// The index of the title's run that is truncated first, so that the runs after it stay whole.
  public var yieldingRun: Int? {
    didSet { if yieldingRun != oldValue { setNeedsDisplay() } }
  }
  public var note = "" {
    didSet { if note != oldValue { setNeedsDisplay() } }
  }
  /// Whether the upper end of a vertical line is part of a horizontal line and is drawn as a junction.
  public var beginsInRule = false
  /// Whether a horizontal line is drawn joined with the vertical lines that end above it.
  public var joinsLinesAbove = false
  /// Rows of a vertical line at which horizontal lines end.
  public var crossings: [Int: RuleCrossing] = [:] {
    didSet { if crossings != oldValue { setNeedsDisplay() } }
  }
  /// The horizontal line that begins at the right of this vertical line. The two are drawn joined.
  public weak var joinedRule: RuleView? {
    didSet {
      guard joinedRule !== oldValue else { return }
      oldValue?.verticalRule = nil
      joinedRule?.verticalRule = self
      setNeedsDisplay()
    }
  }
  private weak var verticalRule: RuleView?
  /// The kind of text for the title in linear form (on terminals that only append text). If nil, linear form skips the
  /// title.
  public var linearKind: LinearText.Kind? = .status

  /// Sent while the user drags the line with the mouse. Without a target, the line can't be dragged.
  public var didDrag = TargetActions()
  /// Distance from the line to the mouse at the last drag, in columns to the right or rows down.
  public private(set) var dragDistance = 0

  public init(_ axis: Axis = .horizontal) {
    self.axis = axis
    super.init()
  }

  override public var frame: Rect {
    didSet { if frame != oldValue { verticalRule?.setNeedsDisplay() } }
  }

  override public var isHidden: Bool {
    didSet { if isHidden != oldValue { verticalRule?.setNeedsDisplay() } }
  }

  /// The row of this line at which ``joinedRule`` begins.
  private var jointRow: Int? {
    guard let joinedRule, joinedRule.isInSight(), !joinedRule.frame.isEmpty else { return nil }
    return joinedRule.originInWindow.row - originInWindow.row
  }

  /// The columns of the vertical lines that end above this line.
  private var columnsOfLinesAbove: [Int] {
    guard joinsLinesAbove, let superview else { return [] }
    let origin = originInWindow
    var columns: [Int] = []
    superview.forEachShownView { view in
      guard let line = view as? RuleView, line.axis == .vertical, !line.frame.isEmpty else { return }
      let top = line.originInWindow
      if top.row + line.frame.size.rows == origin.row { columns.append(top.column - origin.column) }
    }
    return columns
  }

  override var dependsOnRowAbove: Bool { joinsLinesAbove }

  /// One row or one column, regardless of the title.
  override public func intrinsicSize(in room: Size) -> Size {
    axis == .horizontal ? Size(rows: 1, columns: room.columns) : Size(rows: room.rows, columns: 1)
  }

  override var isTextCut: Bool {
    let room = frame.size.columns - 2 * Self.marginColumns
    return !title.isEmpty && columns(of: fittedTitle(room: room)) > room
  }

  /// Returns the title without optional runs that don't fit, and with its yielding run truncated if it is still wider
  /// than `room`.
  private func fittedTitle(room: Int) -> [TextRun<StyleRole>] {
    var fitted = title
    for count in 0..<min(optionalRuns, title.count) where columns(of: fitted) > room {
      fitted = [TextRun("… › ", title[0].attribute)] + title.dropFirst(count + 1)
    }
    let excess = columns(of: fitted) - room
    if excess > 0, let yieldingRun, title.indices.contains(yieldingRun) {
      let index = fitted.count - (title.count - yieldingRun)
      let text = fitted[index].text
      fitted[index].text = DisplayWidth.truncated(text, to: max(1, DisplayWidth.columns(of: text) - excess))
    }
    return fitted
  }

  /// Columns of the line before the title and after the note.
  private static let marginColumns = 2
  private static let minimumColumnsBetween = 2

  /// Width of the runs with a space on each side.
  private func columns(of runs: [TextRun<StyleRole>]) -> Int {
    runs.reduce(2) { $0 + DisplayWidth.columns(of: $1.text) }
  }

  override public func mouseDown(with event: MouseEvent) -> Bool { !didDrag.isEmpty }

  override public func mouseDragged(with event: MouseEvent) -> Bool {
    // Targets move the line to the mouse, so the next event's position is relative to the moved line.
    dragDistance = axis == .vertical ? event.point.column : event.point.row
    if dragDistance != 0 { didDrag.send() }
    return true
  }

  override public var linearTexts: [LinearText] {
    guard let linearKind, !title.isEmpty else { return [] }
    let words = LinearWords.cleaned(title.map(\.text).joined())
    return [LinearText(linearKind, [words.split(separator: " › ").joined(separator: ", ")])]
  }

  private static let longLine = String(repeating: "─", count: 512)

  private static func line(columns: Int) -> String {
    // A part of a string is copied in one piece.
    columns <= 512 ? String(Substring(longLine.utf8.prefix(3 * columns))) : String(repeating: "─", count: columns)
  }

  override public func draw(in canvas: Canvas) {
    switch axis {
    case .vertical:
      let jointRow = jointRow
      for row in canvas.visibleRows {
        let crossing = (crossings[row] ?? []).union(row == jointRow ? .right : [])
        let sign = row == 0 && beginsInRule ? "┬" : crossing.sign
        canvas.write(sign, row: row, column: 0, role: .rule)
      }
    case .horizontal:
      canvas.write(Self.line(columns: canvas.size.columns), row: 0, column: 0, role: .rule)
      for column in columnsOfLinesAbove { canvas.write("┴", row: 0, column: column, role: .rule) }
      var room = canvas.size.columns - 2 * Self.marginColumns
      let noteRuns: [TextRun<StyleRole>] = [TextRun(" \(note) ", .dim)]
      let noteColumns = columns(of: noteRuns) - 2
      if !note.isEmpty, columns(of: title) + Self.minimumColumnsBetween + noteColumns <= room {
        canvas.write(noteRuns, row: 0, column: canvas.size.columns - Self.marginColumns - noteColumns)
        room -= noteColumns + Self.minimumColumnsBetween
      }
      guard !title.isEmpty, room > 2 else { return }
      var column = Self.marginColumns + 1
      let end = column + room - 2
      canvas.write(" ", row: 0, column: column - 1, role: .rule)
      for run in fittedTitle(room: room) where column < end {
        column += canvas.write(run.text, row: 0, column: column, role: run.attribute, columns: end - column)
      }
      canvas.write(" ", row: 0, column: column, role: .rule)
    }
  }
}

/// The sides of a vertical line at which a horizontal line ends.
public struct RuleCrossing: OptionSet, Hashable, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let left = RuleCrossing(rawValue: 1)
  public static let right = RuleCrossing(rawValue: 2)

  fileprivate var sign: String {
    switch self {
    case [.left, .right]: "┼"
    case .left: "┤"
    case .right: "├"
    default: "│"
    }
  }
}
