public import Terminal

/// A line between two parts of the screen, with an optional title in its middle.
@MainActor
public final class RuleView: View {
  /// Which way the line runs.
  public enum Axis: Hashable, Sendable { case horizontal, vertical }

  public var axis: Axis {
    didSet { if axis != oldValue { setNeedsDisplay() } }
  }
  public var title: [TextRun<StyleRole>] = [] {
    didSet { if title != oldValue { setNeedsDisplay() } }
  }

  /// Sent while the mouse drags the line; without a target it cannot be dragged.
  public var didDrag = TargetActions()
  /// Columns to the right, or rows down, that the last drag asked for.
  public private(set) var dragDistance = 0

  public init(_ axis: Axis = .horizontal) {
    self.axis = axis
    super.init()
  }

  /// A row or a column, whatever its title.
  override public func intrinsicSize(in room: Size) -> Size {
    axis == .horizontal ? Size(rows: 1, columns: room.columns) : Size(rows: room.rows, columns: 1)
  }

  override var isTextCut: Bool { !title.isEmpty && titleColumns > frame.size.columns }

  /// The title between two blanks.
  private var titleColumns: Int { title.reduce(2) { $0 + DisplayWidth.columns(of: $1.text) } }

  override public func mouseDown(with event: MouseEvent) -> Bool { !didDrag.isEmpty }

  override public func mouseDragged(with event: MouseEvent) -> Bool {
    // The line follows, so the next place is relative to where it is then.
    dragDistance = axis == .vertical ? event.point.column : event.point.row
    if dragDistance != 0 { didDrag.send() }
    return true
  }

  override public var linearTexts: [LinearText] {
    title.isEmpty ? [] : [LinearText(.status, [LinearWords.cleaned(title.map(\.text).joined())])]
  }

  override public func draw(in canvas: Canvas) {
    switch axis {
    case .vertical:
      for row in canvas.visibleRows { canvas.write("│", row: row, column: 0, role: .rule) }
    case .horizontal:
      canvas.rule(row: 0)
      guard !title.isEmpty else { return }
      let column = max(0, (canvas.size.columns - titleColumns) / 2)
      canvas.write([TextRun(" ", .rule)] + title + [TextRun(" ", .rule)], row: 0, column: column)
    }
  }
}
