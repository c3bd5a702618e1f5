import CNcurses

/// Names of terminals that stand in for one another.
enum TerminalKind {
  /// Terminal emulators that understand what xterm does, by how their names begin.
  private static let xtermLike = [
    "xterm", "alacritty", "contour", "foot", "ghostty", "iterm", "kitty", "konsole", "mintty", "mlterm", "rio", "rxvt",
    "st", "vte", "gnome", "wezterm",
  ]

  /// Terminals that ncurses-base and ncurses-term do not describe. Built-in descriptions are taken from these packages.
  private static let describedAsXterm = ["foot", "wezterm", "xterm-kitty"]

  /// Returns the kind whose built-in description draws terminals of the kind `name`, or nil.
  static func builtIn(for name: String) -> String? {
    let kind = describedAsXterm.contains(name) ? "xterm-256color" : name
    return qw_has_description(kind) ? kind : nil
  }

  /// Whether a terminal of this kind understands what xterm does.
  static func isLikeXterm(_ name: String) -> Bool { xtermLike.contains(where: name.hasPrefix) }

  /// Whether other terminals are behind it.
  static func isMultiplexer(_ name: String) -> Bool { name.hasPrefix("tmux") || name.hasPrefix("screen") }

  /// Whether it can only be written to line by line.
  static func isLinear(_ name: String) -> Bool { ["", "dumb", "unknown"].contains(name) }

  /// What to try for a terminal that calls itself `name`, the best first. Hosts often lack the descriptions of
  /// newer terminals.
  static func candidates(for name: String) -> [String] {
    var candidates = name.isEmpty ? [] : [name]
    func add(_ names: String...) {
      for name in names where !candidates.contains(name) { candidates.append(name) }
    }
    // These say that they cannot place text: to treat them as a better kind would only spill escape codes.
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
