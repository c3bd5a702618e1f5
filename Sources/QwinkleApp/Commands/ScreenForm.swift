import ArgumentParser
import QwinkleWire
import Terminal

/// How the screen is shown.
struct ScreenForm {
  /// As lines of text. Terminals that cannot place text are used so without being asked.
  var isLinear = false
  var usesMouse = true
  /// How the terminal draws text; nil: the terminal and the locale say.
  var text: TextForm?
  /// Whether to say at the end how much was drawn.
  var tellsStatistics = false
  /// How the way to the server behaves, to see what that is like.
  var link = LinkCondition.off
}

/// Options that concern the terminal.
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

  /// The same without the parser.
  var form: ScreenForm {
    ScreenForm(
      isLinear: linear, usesMouse: mouse, text: ambiguousWidth.map { $0 == .wide ? .wideUnicode : .unicode },
      tellsStatistics: stats, link: linkConditioner)
  }
}
