public import Terminal

/// Fixed text, one line per row, clipped at the view's edges.
@MainActor
public final class Label: View {
  public var lines: [[TextRun<StyleRole>]] = [] {
    didSet {
      guard lines != oldValue else { return }
      invalidateIntrinsicSize()
      setNeedsDisplay()
    }
  }

  public convenience init(_ lines: TextRun<StyleRole>...) {
    self.init()
    self.lines = lines.map { [$0] }
  }

  override public func intrinsicSize(in room: Size) -> Size {
    let columns = lines.map { $0.reduce(0) { $0 + DisplayWidth.columns(of: $1.text.namingKeys) } }
    return Size(rows: lines.count, columns: columns.max() ?? 0)
  }

  override var isTextCut: Bool {
    let wanted = intrinsicSize(in: frame.size)
    return wanted.rows > frame.size.rows || wanted.columns > frame.size.columns
  }

  override public func draw(in canvas: Canvas) {
    for (row, line) in lines.enumerated() { canvas.write(line, row: row, column: 0) }
  }
}
