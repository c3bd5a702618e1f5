import CNcurses
import LibC
public import Terminal

/// Facts about the terminal, for a report. They are from the environment, so the terminal needn't be opened.
public enum TerminalFacts {
  /// Returns names and values, in the order in which to print them. `choice` is the user's choice of colours.
  @MainActor
  public static func all(colors choice: ColorChoice) -> [(name: String, value: String)] {
    let environment = TerminalEnvironment.current
    let known = TerminalKind.candidates(for: environment.kind).first { qw_knows($0) }
    let isLinear = TerminalKind.isLinear(environment.kind) || known == nil
    var facts = [("TERM", environment.kind.isEmpty ? "not set" : environment.kind)]
    if let known, known != environment.kind { facts.append(("drawn as", known)) }
    for name in ["COLORTERM", "TERM_PROGRAM", "NO_COLOR"] {
      if let value = getenv(name), value.pointee != 0 { facts.append((name, String(cString: value))) }
    }
    var colors = qw_colors()
    if let known, qw_read_colors(known, &colors) {
      facts.append(
        ("colours", ColorSupport(colors, environment).words(for: choice, in: environment, describedAs: known)))
    }
    facts.append(("size", size ?? "not a terminal"))
    facts.append(("text", environment.textForm == .ascii ? "ASCII, as the locale is not UTF-8" : "Unicode"))
    facts.append(("screen", isLinear ? "lines of text, as this terminal can't position text" : "full screen"))
    return facts
  }

  private static var size: String? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return "\(size.ws_col)x\(size.ws_row)"
  }
}
