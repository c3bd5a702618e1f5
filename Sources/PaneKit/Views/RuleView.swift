public import Terminal

/// A line between two parts of the screen, with words in its middle where it has any.
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

  /// Given how many columns, or rows, to the right or down the line is dragged with the mouse; where it is nil, it
  /// stays where it is.
  public var didDrag: (@MainActor (Int) -> Void)?

  public init(_ axis: Axis = .horizontal) {
    self.axis = axis
    super.init()
    mouseHandler = { [weak self] event in self?.handleMouse(event) ?? false }
  }

  private func handleMouse(_ event: MouseEvent) -> Bool {
    guard let didDrag else { return false }
    if event.kind == .drag {
      // The line follows, so that the next place is counted from where it is then.
      let distance = axis == .vertical ? event.point.column : event.point.row
      if distance != 0 { didDrag(distance) }
    }
    return event.kind != .wheelUp && event.kind != .wheelDown
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
      let columns = title.reduce(2) { $0 + DisplayWidth.columns(of: $1.text) }
      let column = max(0, (canvas.size.columns - columns) / 2)
      canvas.write([TextRun(" ", .rule)] + title + [TextRun(" ", .rule)], row: 0, column: column)
    }
  }
}
