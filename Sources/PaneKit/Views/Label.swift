public import Terminal

/// Text that only stands there: a line a row, cut at the view's edges.
@MainActor
public final class Label: View {
  public var lines: [[TextRun<StyleRole>]] = [] {
    didSet { if lines != oldValue { setNeedsDisplay() } }
  }

  public convenience init(_ lines: TextRun<StyleRole>...) {
    self.init()
    self.lines = lines.map { [$0] }
  }

  override public func draw(in canvas: Canvas) {
    for (row, line) in lines.enumerated() { canvas.write(line, row: row, column: 0) }
  }
}
