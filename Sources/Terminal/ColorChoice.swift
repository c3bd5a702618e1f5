/// The user's choice of the number of colours.
public enum ColorChoice: String, CaseIterable, Sendable {
  /// As many as the terminal announces.
  case auto
  case none
  /// At most the 16 colours of the user's palette.
  case palette = "16"
  /// At most the 256 colours of xterm.
  case cube = "256"
  /// 24-bit colours, even if the terminal doesn't announce them.
  case exact = "24bit"
}
