import Terminal
import Testing

@testable import TerminalCurses

/// The number of colours, from the environment, the terminal's description and the user's choice.
@Suite struct ColorSupportTests {
  struct Case: CustomTestStringConvertible {
    var kind = "xterm-256color"
    var colorTerm = ""
    var isInTmux = false
    /// Number of colours in the terminal's description.
    var described = 256
    /// Whether the description has `RGB` or `Tc`.
    var hasFlag = false
    var choice = ColorChoice.auto
    var colors: Int

    var testDescription: String {
      "\(kind) \(colorTerm)\(isInTmux ? " tmux" : "") \(described)\(hasFlag ? " RGB" : "") \(choice.rawValue): \(colors)"
    }
  }

  private static let exact = 1 << 24

  private static let announced = [
    Case(colors: 256),
    Case(colorTerm: "truecolor", colors: exact),
    Case(colorTerm: "24bit", colors: exact),
    Case(colorTerm: "yes", colors: 256),
    Case(hasFlag: true, colors: exact),
    Case(kind: "xterm-direct", described: exact, hasFlag: true, colors: exact),
    Case(kind: "xterm", colorTerm: "truecolor", described: 8, colors: 8),
    Case(kind: "linux", described: 8, colors: 8),
    Case(kind: "xterm-16color", described: 16, colors: 16),
    Case(kind: "vt100", described: 0, colors: 0),
  ]

  private static let multiplexers = [
    Case(kind: "tmux-256color", colors: 256),
    Case(kind: "tmux-256color", hasFlag: true, colors: exact),
    Case(kind: "tmux-256color", colorTerm: "truecolor", isInTmux: true, colors: exact),
    Case(kind: "screen-256color", colorTerm: "truecolor", isInTmux: true, colors: exact),
    Case(kind: "screen-256color", colorTerm: "truecolor", colors: 256),
    Case(kind: "screen-256color", hasFlag: true, colors: exact),
  ]

  private static let chosen = [
    Case(colorTerm: "truecolor", choice: .cube, colors: 256),
    Case(colorTerm: "truecolor", choice: .palette, colors: 16),
    Case(colorTerm: "truecolor", choice: .none, colors: 0),
    Case(choice: .exact, colors: exact),
    Case(kind: "screen-256color", choice: .exact, colors: exact),
    Case(kind: "xterm-direct", described: exact, hasFlag: true, choice: .cube, colors: 256),
    Case(kind: "xterm", described: 8, choice: .exact, colors: 8),
    Case(kind: "xterm", described: 8, choice: .cube, colors: 8),
    Case(kind: "xterm", described: 8, choice: .palette, colors: 8),
    // With NO_COLOR, the description counts as one without colours.
    Case(colorTerm: "truecolor", described: 0, choice: .exact, colors: 0),
  ]

  @Test(arguments: announced + multiplexers + chosen)
  func `the number of colours follows from the terminal and the choice`(row: Case) {
    let environment = TerminalEnvironment(
      kind: row.kind, wantsColors: true, colorTerm: row.colorTerm, isInTmux: row.isInTmux, textForm: .unicode)
    let support = ColorSupport(
      described: row.described, canBeExact: row.described >= 256,
      announcesExact: ColorSupport.announcesExact(in: environment, description: row.hasFlag))
    #expect(support.colors(for: row.choice) == row.colors)
  }

  @Test func `24-bit colours that can't be sent are never chosen`() {
    let support = ColorSupport(described: 256, canBeExact: false, announcesExact: true)
    #expect(support.colors(for: .auto) == 256 && support.colors(for: .exact) == 256)
  }
}
