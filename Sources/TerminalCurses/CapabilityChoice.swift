import CNcurses
import Terminal

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What is known about a terminal before it is asked anything.
struct TerminalEnvironment {
  /// The terminal's kind, by its name.
  var kind: String
  /// Whether the user wants colours.
  var wantsColors: Bool
  /// The program that draws it, where that says so: `wezterm`, `ghostty`, `iterm`, `kitty`.
  var program = ""
  /// Whether built-in descriptions take precedence over the host's, which may differ on another machine.
  var prefersBuiltIn = false
  /// ASCII in a locale without UTF-8, otherwise Unicode.
  var textForm: TextForm

  /// From this process's environment.
  static var current: TerminalEnvironment {
    TerminalEnvironment(
      kind: value("TERM") ?? "", wantsColors: value("NO_COLOR") == nil, program: drawingProgram,
      textForm: hasUnicodeLocale ? .unicode : .ascii)
  }

  private static var drawingProgram: String {
    if value("KITTY_WINDOW_ID") != nil { return "kitty" }
    let name = value("TERM_PROGRAM")?.lowercased() ?? ""
    return name == "iterm.app" ? "iterm" : name
  }

  /// Whether the locale is UTF-8. A machine that says nothing of it, as containers do, is taken to be of this century;
  /// one that says `C` or `de_DE.ISO-8859-1` is believed.
  private static var hasUnicodeLocale: Bool {
    guard let locale = value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") else { return true }
    return locale.prefix { $0 != "@" }.lowercased().filter { $0 != "-" }.hasSuffix("utf8")
  }

  /// The value of a variable that is set and not empty.
  private static func value(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}

extension TerminalCapabilities {
  /// Those of the terminal that ncurses has a screen open on: `colors` by its description, the rest by its kind.
  @MainActor
  init(ofOpenScreen kind: String, colors: Int) {
    self.init(colors: colors)
    let isLikeXterm = TerminalKind.isLikeXterm(kind)
    reportsMouse = isLikeXterm || TerminalKind.isMultiplexer(kind) || qw_capability("kmous") != nil
    takesClipboard = isLikeXterm || TerminalKind.isMultiplexer(kind)
    hasTitle = takesClipboard
  }
}

/// The modes that this program switches on for its time, and off again.
struct TerminalModes {
  /// With mode 2004, what is pasted comes between marks.
  private static let paste = (on: "\u{1B}[?2004h", off: "\u{1B}[?2004l")
  /// Puts the title on xterm's stack, and takes it from there (XTWINOPS).
  private static let title = (on: "\u{1B}[22;2t", off: "\u{1B}[23;2t")
  /// Ends a frame that a crash left open.
  private static let frame = "\u{1B}[?2026l"

  var bracketsPaste = false
  var usesMouse = false
  var keepsTitle = false
  var endsFrames = false

  /// What to send when the terminal is taken. Where its title is on the stack already it must not be put there again:
  /// it is taken from there once.
  func taking(keepsTitle isToBeKept: Bool = true) -> String {
    (keepsTitle && isToBeKept ? Self.title.on : "") + (bracketsPaste ? Self.paste.on : "")
      + (usesMouse ? MouseSequence.on : "")
  }

  /// What to send when it is given back, also by who knows nothing else of it.
  var givingBack: String {
    (endsFrames ? Self.frame : "") + (usesMouse ? MouseSequence.off : "") + (bracketsPaste ? Self.paste.off : "")
      + (keepsTitle ? Self.title.off : "")
  }
}
