import ArgumentParser
import QwinkleConfig
import QwinkleScreens
import QwinkleWire
import Terminal

/// How the screen is shown.
struct ScreenForm {
  /// As lines of text, as always on terminals that cannot position text.
  var isLinear = false
  /// nil: as the configuration says.
  var usesMouse: Bool?
  /// How the terminal draws text; nil to ask the terminal and the locale.
  var text: TextForm?
  /// Whether to print drawing statistics at the end.
  var tellsStatistics = false
  /// A simulated condition of the network; nil: as the configuration says.
  var link: LinkCondition?
  /// Without the screen of the last run.
  var isFresh = false
  /// Whether pictures are fetched by key only, whatever the configuration says.
  var isMetered = false

  /// With what `config` says where the command line says nothing.
  func completed(by config: Config) -> ScreenForm {
    var form = self
    form.usesMouse = usesMouse ?? config[.mouse].flag
    form.link = link ?? LinkCondition(rawValue: config[.linkConditioner].text)
    let width = config[.ambiguousWidth].text
    if width != "auto" { form.text = text ?? TextForm(ambiguousWidth: width) }
    return form
  }
}

/// Options about the terminal.
struct ScreenOptions: ParsableArguments {
  enum AmbiguousWidth: String, ExpressibleByArgument, CaseIterable {
    case narrow, wide
  }

  @Flag(help: "Print lines of plain text instead of a screen, for screen readers and simple terminals.")
  var linear = false

  @Flag(inversion: .prefixedNo, help: "Use the mouse to click, scroll and drag.")
  var mouse: Bool?

  @Flag(help: "Start without the screen of last time.")
  var fresh = false

  @Flag(help: "Fetch pictures by key only, as on a connection that costs.")
  var metered = false

  @Option(help: "Width of ambiguous characters; by default the terminal is asked.")
  var ambiguousWidth: AmbiguousWidth?

  @Flag(help: "Print drawing statistics at the end.")
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

  /// The options without the parser.
  var form: ScreenForm {
    ScreenForm(
      isLinear: linear, usesMouse: mouse, text: ambiguousWidth.map { $0 == .wide ? .wideUnicode : .unicode },
      tellsStatistics: stats, link: linkConditioner, isFresh: fresh,
      isMetered: metered)
  }
}
