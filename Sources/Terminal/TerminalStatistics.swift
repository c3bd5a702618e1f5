/// How much was drawn since a terminal was taken.
public struct TerminalStatistics: Hashable, Sendable {
  /// Pictures that were asked for.
  public var frames = 0
  /// Rows compared with the picture before.
  public var rows = 0
  /// Cells that differed from the picture before.
  public var cells = 0
  /// Bytes sent to the terminal.
  public var bytes = 0
  /// Calls of `write` that took them.
  public var writes = 0
  /// How long drawing and sending took, in all.
  public var time = Duration.zero
  /// The longest that one picture took.
  public var longest = Duration.zero

  public init() {}

  /// In words, one line.
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
