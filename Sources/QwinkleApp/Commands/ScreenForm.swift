import ArgumentParser
import QwinkleWire
import Terminal

/// How the screen is shown.
struct ScreenForm {
  /// As lines of text, as always on terminals that cannot position text.
  var isLinear = false
  var usesMouse = true
  /// How the terminal draws text; nil to ask the terminal and the locale.
  var text: TextForm?
  /// Whether to print drawing statistics at the end.
  var tellsStatistics = false
  /// A simulated condition of the network.
  var link = LinkCondition.off
}

/// Options about the terminal.
struct ScreenOptions: ParsableArguments {
  enum AmbiguousWidth: String, ExpressibleByArgument, CaseIterable {
    case narrow, wide
  }

  @Flag(help: "Append plain text in place of a screen, for screen readers and terminals that cannot place text.")
  var linear = false

  @Flag(inversion: .prefixedNo, help: "Let the mouse click, scroll and drag.")
  var mouse = true

  @Option(help: "How wide ambiguous characters are drawn, in place of asking the terminal.")
  var ambiguousWidth: AmbiguousWidth?

  @Flag(help: "Say at the end how much was drawn.")
  var stats = false

  @Option(
    help: ArgumentHelp(
      "Treat the network badly: \(LinkCondition.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "name"),
    transform: Self.condition)
  var linkConditioner: LinkCondition = .off

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
      tellsStatistics: stats, link: linkConditioner)
  }
}
