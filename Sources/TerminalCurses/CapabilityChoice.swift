import CNcurses
import LibC
import Terminal

/// Facts about a terminal that are available before it is queried.
struct TerminalEnvironment {
  /// The terminal's type, from `TERM`.
  var kind: String
  /// Whether the user wants colours.
  var wantsColors: Bool
  /// The colours that the terminal announces, from `COLORTERM`. It may be the variable of the terminal outside a
  /// multiplexer.
  var colorTerm = ""
  /// Whether the terminal is a window of tmux. Its type can be one of GNU screen.
  var isInTmux = false
  /// The terminal program in lower case, such as `kitty`, `iterm`, `wezterm` or `ghostty`. Empty if the environment
  /// doesn't name it.
  var program = ""
  /// Whether built-in terminal descriptions take precedence over the host's descriptions, which differ between
  /// machines.
  var prefersBuiltIn = false
  /// The form of text that the locale supports: ASCII in a locale without UTF-8, otherwise Unicode.
  var textForm: TextForm

  /// The environment of this process.
  static var current: TerminalEnvironment {
    TerminalEnvironment(
      kind: value("TERM") ?? "", wantsColors: value("NO_COLOR") == nil,
      colorTerm: value("COLORTERM") ?? "", isInTmux: value("TMUX") != nil, program: drawingProgram,
      textForm: hasUnicodeLocale ? .unicode : .ascii)
  }

  private static var drawingProgram: String {
    if value("KITTY_WINDOW_ID") != nil { return "kitty" }
    let name = value("TERM_PROGRAM")?.lowercased() ?? ""
    return name == "iterm.app" ? "iterm" : name
  }

  /// Whether the locale uses UTF-8. UTF-8 is assumed if no locale is set, as in containers. Locales such as `C` and
  /// `de_DE.ISO-8859-1` don't use it.
  private static var hasUnicodeLocale: Bool {
    guard let locale = value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") else { return true }
    return locale.prefix { $0 != "@" }.lowercased().filter { $0 != "-" }.hasSuffix("utf8")
  }

  /// Returns the value of a variable. Returns nil for an unset or empty variable.
  private static func value(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}

extension TerminalCapabilities {
  /// Infers the capabilities of the terminal on which ncurses has opened a screen. They follow mostly from the
  /// terminal's type, `kind`. `colors` is the number of colours to use.
  @MainActor
  init(ofOpenScreen kind: String, colors: Int) {
    self.init(colors: colors)
    let isLikeXterm = TerminalKind.isLikeXterm(kind)
    reportsMouse = isLikeXterm || TerminalKind.isMultiplexer(kind) || qw_capability("kmous") != nil
    takesClipboard = isLikeXterm || TerminalKind.isMultiplexer(kind)
    hasTitle = takesClipboard
  }
}

/// Modes that are switched on while the program uses the terminal.
struct TerminalModes {
  /// Bracketed paste (mode 2004).
  private static let paste = (on: "\u{1B}[?2004h", off: "\u{1B}[?2004l")
  /// Pushes the title onto the terminal's stack of titles, and pops it (XTWINOPS).
  private static let title = (on: "\u{1B}[22;2t", off: "\u{1B}[23;2t")
  /// Switches synchronized output off, in case a crash interrupted a frame.
  private static let frame = "\u{1B}[?2026l"

  var bracketsPaste = false
  var usesMouse = false
  var keepsTitle = false
  var endsFrames = false

  /// Returns the sequences that switch the modes on. If `savesTitle` is false, the title is not pushed onto the stack.
  /// Pass false if the title is already on the stack, because it is popped only once.
  func taking(savesTitle: Bool = true) -> String {
    (keepsTitle && savesTitle ? Self.title.on : "") + (bracketsPaste ? Self.paste.on : "")
      + (usesMouse ? MouseSequence.on : "")
  }

  /// The sequences that switch the modes off. They depend on no other state, so that a crash handler can write them.
  var givingBack: String {
    (endsFrames ? Self.frame : "") + (usesMouse ? MouseSequence.off : "") + (bracketsPaste ? Self.paste.off : "")
      + (keepsTitle ? Self.title.off : "")
  }
}
