/// Statistics of drawing since the program took control of the terminal.
public struct TerminalStatistics: Hashable, Sendable {
  /// Frames drawn, or texts appended. Frames that a slow terminal skipped are not counted.
  public var frames = 0
  /// Rows compared with the previous frame.
  public var rows = 0
  /// Cells that differed from the previous frame.
  public var cells = 0
  /// Bytes sent to the terminal.
  public var bytes = 0
  /// Number of `write` calls that sent the bytes.
  public var writes = 0
  /// Total time for drawing and sending.
  public var time = Duration.zero
  /// Longest time for a frame.
  public var longest = Duration.zero

  public init() {}

  /// The statistics as one line of text.
  public var sentence: String {
    func milliseconds(_ duration: Duration) -> String {
      let hundredths = Int((duration / .microseconds(10)).rounded())
      let rest = hundredths % 100
      return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) ms"
    }
    let mean = frames == 0 ? .zero : time / frames
    return
      "\(frames) frames, \(cells) cells changed, \(bytes) bytes in \(writes) writes, "
      + "\(milliseconds(mean)) per frame, longest \(milliseconds(longest))"
  }
}
