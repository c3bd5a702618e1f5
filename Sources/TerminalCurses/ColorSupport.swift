import Terminal

/// The facts that decide how many colours are drawn.
struct ColorSupport: Hashable {
  /// The number of 24-bit colours.
  static let exact = 1 << 24

  /// Number of colours in the terminal's description, or 0 if the user wants none.
  var described: Int
  /// Whether 24-bit colours can be drawn, because ncurses draws them or ``ExactColors`` can send them.
  var canBeExact: Bool
  /// Whether the terminal announces 24-bit colours.
  var announcesExact: Bool

  /// Returns the number of colours to draw: 0, 8, 16, 256 or 1 << 24.
  func colors(for choice: ColorChoice) -> Int {
    let few = described >= 256 ? 256 : described >= 16 ? 16 : described >= 8 ? 8 : 0
    let most = canBeExact && few > 0 ? Self.exact : few
    return switch choice {
    case .auto: announcesExact ? most : few
    case .none: 0
    case .palette: min(16, few)
    case .cube: few
    case .exact: most
    }
  }

  /// Whether a terminal announces 24-bit colours: in its description (`RGB`, or tmux's `Tc`), or in `COLORTERM`.
  ///
  /// tmux reduces colours for the terminal outside, so `COLORTERM` is right in its windows. GNU screen would take the
  /// parameters of a 24-bit colour for other attributes, and inherits `COLORTERM` from the terminal outside.
  static func announcesExact(in environment: TerminalEnvironment, description: Bool) -> Bool {
    if description { return true }
    guard ["truecolor", "24bit"].contains(environment.colorTerm) else { return false }
    return environment.isInTmux || !environment.kind.hasPrefix("screen")
  }
}
