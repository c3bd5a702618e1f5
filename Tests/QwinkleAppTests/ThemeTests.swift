import PaneKit
import QwinkleConfig
import QwinkleResources
import QwinkleScreens
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleApp

/// Built-in themes and the user's themes.
@Suite(.bounded) struct ThemeTests {
  static let ready = ConfigKey.theme.option.examples.filter { !["terminal", "own"].contains($0) }

  @Test func `the eight built-in themes have different backgrounds`() throws {
    #expect(Self.ready.count == 8)
    let backgrounds = Self.ready.map { ThemeChoice.theme(named: $0, own: nil)[.text].background }
    #expect(Set(backgrounds).count == 8)
  }

  @Test(arguments: ready)
  func `a built-in theme is valid and legible at every colour depth`(name: String) throws {
    let reader = ThemeReader(try #require(QwinkleResources.theme(named: name)))
    #expect(reader.problems.isEmpty, "\(reader.problems)")
    for colors in [1 << 24, 256, 16, 8] {
      let theme = reader.theme.adapted(toColors: colors)
      let base = theme[.text].background
      for (role, style) in theme.looks {
        guard let contrast = ThemeChoice.leastContrast(of: style) else {
          #expect(name == "mono", "\(role.rawValue)")
          continue
        }
        #expect(contrast >= Theme.leastContrast, "\(name) \(role.rawValue) \(colors): \(contrast)")
        let isSelected = ["selected-line", "selected-name"].contains(role.rawValue)
        #expect((style.background != base) == isSelected, "\(name) \(role.rawValue) \(colors)")
      }
    }
  }

  @Test func `the list of roles begins with text and contains each role once`() {
    #expect(StyleRole.all.first == .text)
    #expect(Set(StyleRole.all).count == StyleRole.all.count)
    let theme = ThemeChoice.theme(named: "ember", own: nil)
    #expect(theme.looks.allSatisfy { StyleRole.all.contains($0.role) })
  }

  @Test func `every role of the contrast theme has high contrast`() {
    let theme = ThemeChoice.theme(named: "contrast", own: nil)
    #expect(theme.looks.allSatisfy { (ThemeChoice.leastContrast(of: $0.style) ?? 0) >= 4.5 })
    #expect((ThemeChoice.leastContrast(of: theme[.text]) ?? 0) >= 20)
  }

  @Test(arguments: [1 << 24, 256, 16]) func `the terminal theme follows the background and is legible on white`(
    colors: Int
  ) throws {
    func theme(_ background: TerminalBackground?) -> Theme {
      var capabilities = TerminalCapabilities(colors: colors)
      capabilities.background = background
      return ThemeChoice.terminal(capabilities, colors: colors)
    }
    #expect(theme(nil) == .terminal && theme(.dark) == .terminal)
    let light = theme(.light)
    #expect(light != .terminal && light[.text] == .plain)
    let white = try #require(TerminalPalette.xterm.parts(of: .rgb(red: 255, green: 255, blue: 255)))
    for (role, style) in light.looks where style.background == .standard && role != .dim && role != .rule {
      for palette in TerminalPalette.allCases {
        guard let parts = palette.parts(of: style.foreground) else { continue }
        #expect(parts.contrast(to: white) >= 4.2, "\(role.rawValue) \(colors)")
      }
    }
  }

  @Test func `a theme has no colours on a monochrome terminal`() {
    for name in Self.ready {
      let theme = ThemeChoice.theme(named: name, own: nil).adapted(toColors: 0)
      let styles = theme.looks.map { $0.style }
      #expect(!styles.isEmpty && styles.allSatisfy { $0.foreground == .standard && $0.background == .standard })
    }
  }

  @Test func `errors in a user theme are reported by position and the rest applies`() {
    let reader = ThemeReader(
      """
      # mine
      text     #ffffff on #000000
      lnk      #00ff00
      link     #00ff0 underline
      mention  brigt-red
      tag      red bolt
      name     red on
      new
      avatars  #123456 bluu
      code     bright-cyan italic
      """)
    #expect(
      reader.problems.map { $0.words(in: "t") } == [
        "t:3:1: No role “lnk”. Did you mean link?",
        "t:4:10: “#00ff0” is not a colour: #rrggbb, red or bright-red.",
        "t:5:10: “brigt-red” is not a colour: #rrggbb, red or bright-red. Did you mean bright-red?",
        "t:6:14: “bolt” is not bold, dim, italic, underline or reverse. Did you mean bold?",
        "t:7:14: A colour is needed after on.", "t:8:1: new needs a colour.",
        "t:9:18: “bluu” is not a colour: #rrggbb, red or bright-red. Did you mean blue?",
      ])
    #expect(reader.theme["code"] == TextStyle(.palette(14), on: .rgb(red: 0, green: 0, blue: 0), .italic))
  }

  @Test func `errors in a malformed theme have valid positions`() throws {
    let whole = Array(try #require(QwinkleResources.theme(named: "night")).utf8)
    for seed in Soak.seeds(200) {
      var random = SplitMix(seed: seed)
      let text = String(decoding: Damage.damaged(whole, &random), as: UTF8.self)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
      for problem in ThemeReader(text).problems {
        #expect((1...lines).contains(problem.line) && problem.column >= 1 && !problem.sentence.isEmpty, "seed \(seed)")
      }
    }
  }
}
