import CNcurses

/// Terminal types by name, and similar types that can replace them.
enum TerminalKind {
  /// Terminal emulators that are compatible with xterm, by the start of their names.
  private static let xtermLike = [
    "xterm", "alacritty", "contour", "foot", "ghostty", "iterm", "kitty", "konsole", "mintty", "mlterm", "rio", "rxvt",
    "st", "vte", "gnome", "wezterm",
  ]

  /// Terminals that use xterm's built-in description. All built-in descriptions are from ncurses-base and ncurses-term,
  /// which have none for these terminals.
  private static let describedAsXterm = ["foot", "wezterm", "xterm-kitty"]

  /// Returns the type whose built-in description is used to draw on terminals of type `name`, or nil if no description
  /// fits.
  static func builtIn(for name: String) -> String? {
    let kind = describedAsXterm.contains(name) ? "xterm-256color" : name
    return qw_has_description(kind) ? kind : nil
  }

  /// Whether a terminal of this type is compatible with xterm.
  static func isLikeXterm(_ name: String) -> Bool { xtermLike.contains(where: name.hasPrefix) }

  /// Whether the type is a multiplexer, which runs inside another terminal.
  static func isMultiplexer(_ name: String) -> Bool { name.hasPrefix("tmux") || name.hasPrefix("screen") }

  /// Whether the terminal can only print lines.
  static func isLinear(_ name: String) -> Bool { ["", "dumb", "unknown"].contains(name) }

  /// Returns the types to try for a terminal of type `name`, the best first. Hosts often lack descriptions of newer
  /// terminals.
  static func candidates(for name: String) -> [String] {
    var candidates = name.isEmpty ? [] : [name]
    func add(_ names: String...) {
      for name in names where !candidates.contains(name) { candidates.append(name) }
    }
    // Terminals of these types can't position text. With the description of another type, they would print escape
    // codes.
    if isLinear(name), !name.isEmpty { return candidates }
    if isMultiplexer(name) {
      add("screen-256color", "screen")
    } else if name.hasSuffix("-256color") || name.hasSuffix("-direct") || isLikeXterm(name) {
      add("xterm-256color")
    }
    if !name.isEmpty { add("xterm") }
    add("vt100", "ansi")
    return candidates
  }
}
