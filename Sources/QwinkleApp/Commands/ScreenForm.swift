import ArgumentParser
import QwinkleConfig
import QwinkleScreens
import QwinkleWire
import Terminal

/// Command-line options for the screen.
struct ScreenForm {
  /// Whether to print lines of text instead of drawing a screen. Terminals without cursor positioning always get lines.
  var isLinear = false
  /// Whether to use the mouse, or nil to use the configuration.
  var usesMouse: Bool?
  /// The character set and widths of the terminal, or nil to detect them from the terminal and the locale.
  var text: TextForm?
  /// Whether to print drawing statistics at the end.
  var tellsStatistics = false
  /// A simulated network condition, or nil to use the configuration.
  var link: LinkCondition?
  /// Whether to start without restoring the screen of the previous run.
  var isFresh = false
  /// Whether to fetch pictures only when the user presses a key, even if the configuration says otherwise.
  var isMetered = false

  /// Returns a copy in which `config` supplies the options that the command line doesn't set.
  func completed(by config: Config) -> ScreenForm {
    var form = self
    form.usesMouse = usesMouse ?? config[.mouse].flag
    form.link = link ?? LinkCondition(rawValue: config[.linkConditioner].text)
    let width = config[.ambiguousWidth].text
    if width != "auto" { form.text = text ?? TextForm(ambiguousWidth: width) }
    return form
  }
}

/// Options for the terminal.
struct ScreenOptions: ParsableArguments {
  enum AmbiguousWidth: String, ExpressibleByArgument, CaseIterable {
    case narrow, wide
  }

  @Flag(help: "Print lines of plain text instead of a screen, for screen readers and simple terminals.")
  var linear = false

  @Flag(inversion: .prefixedNo, help: "Use the mouse to click, scroll and drag.")
  var mouse: Bool?

  @Flag(help: "Don't restore the last screen.")
  var fresh = false

  @Flag(help: "Load pictures only on a key press, as for a metered connection.")
  var metered = false

  @Option(help: "Width of ambiguous characters; by default as the terminal reports.")
  var ambiguousWidth: AmbiguousWidth?

  @Flag(help: "Print drawing statistics on exit.")
  var stats = false

  @Option(
    help: ArgumentHelp(
      "Simulate a bad network: \(LinkCondition.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "name"),
    transform: Self.condition)
  var linkConditioner: LinkCondition?

  private static func condition(_ name: String) throws -> LinkCondition {
    do {
      return try LinkCondition(named: name)
    } catch {
      throw ValidationError(error.sentence)
    }
  }

  var form: ScreenForm {
    ScreenForm(
      isLinear: linear, usesMouse: mouse, text: ambiguousWidth.map { $0 == .wide ? .wideUnicode : .unicode },
      tellsStatistics: stats, link: linkConditioner, isFresh: fresh,
      isMetered: metered)
  }
}
