import CNcurses
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

  /// Returns the number of colours to draw and the reason, for a report. `kind` is the type whose description is used.
  func words(for choice: ColorChoice, in environment: TerminalEnvironment, describedAs kind: String) -> String {
    let colors = colors(for: choice)
    let number = colors == 0 ? "none" : colors == Self.exact ? "24-bit" : "\(colors)"
    let isByVariable = colors == Self.exact && Self.announcesExact(in: environment, description: false)
    let reason =
      !environment.wantsColors
      ? "NO_COLOR is set"
      : choice != .auto && described > 0
        ? "the option colours is \(choice.rawValue)"
        : isByVariable ? "COLORTERM is \(environment.colorTerm)" : "TERM is \(kind)"
    return "\(number), because \(reason)"
  }

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

extension ColorSupport {
  /// - Parameter colors: The colours in the terminal's description.
  init(_ colors: qw_colors, _ environment: TerminalEnvironment) {
    let count = environment.wantsColors ? Int(colors.count) : 0
    let isDirect = count >= Self.exact && colors.is_direct
    self.init(
      described: isDirect ? Self.exact : max(0, min(256, count)),
      canBeExact: isDirect || count >= 256 && colors.are_numbered,
      announcesExact: Self.announcesExact(in: environment, description: colors.announces_direct))
  }
}
