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

  /// Returns the default theme.
  private func standard(_ colors: Int, on background: TerminalBackground?) -> Theme {
    var capabilities = TerminalCapabilities(colors: colors)
    capabilities.background = background
    return ThemeChoice.terminal(capabilities)
  }

  /// The least contrast of a style, drawn on a black or white terminal.
  private func contrast(of style: TextStyle, on background: TerminalBackground) -> Double {
    let (black, white) = (
      TerminalColor.rgb(red: 0, green: 0, blue: 0), TerminalColor.rgb(red: 255, green: 255, blue: 255)
    )
    let isDark = background == .dark
    let text = style.foreground == .standard ? isDark ? white : black : style.foreground
    let behind = style.background == .standard ? isDark ? black : white : style.background
    return ThemeChoice.leastContrast(of: TextStyle(text, on: behind)) ?? 0
  }

  @Test(arguments: [1 << 24, 256, 16, 8], [TerminalBackground.dark, .light])
  func `the default theme is legible on the terminal's background`(colors: Int, background: TerminalBackground) {
    let theme = standard(colors, on: background)
    #expect(theme[.text] == .plain)
    #expect(standard(colors, on: nil) == standard(colors, on: .dark))
    #expect(theme != standard(colors, on: background == .dark ? .light : .dark))
    let quiet: Set<StyleRole> = [.rule, .dim]
    for (role, style) in theme.looks where !quiet.contains(role) || colors >= 256 && role != .rule {
      // The palette's blue and red are darker on black than text should be, but they are the user's.
      let least = colors >= 256 ? Theme.leastContrast : background == .light ? 4.2 : 2
      let contrast = contrast(of: style, on: background)
      #expect(contrast >= least, "\(role.rawValue): \(contrast)")
    }
  }

  @Test(arguments: [1 << 24, 256], [TerminalBackground.dark, .light])
  func `text is legible on the tint of the selection`(colors: Int, background: TerminalBackground) {
    let theme = standard(colors, on: background)
    let tint = theme[.selectedLine].background
    for role in StyleRole.all where role != .rule {
      let style = theme.lit(role)
      #expect(style.background == tint && style.foreground == theme[role].foreground, "\(role.rawValue)")
      let contrast = contrast(of: style, on: background)
      // Few of 256 colours are near: bold names may have less contrast, as may large text in WCAG.
      #expect(contrast >= (colors == 256 ? 3.4 : 4), "\(role.rawValue): \(contrast)")
    }
  }

  @Test(arguments: [1 << 24, 256], [TerminalBackground.dark, .light])
  func `twelve names have twelve colours`(colors: Int, background: TerminalBackground) {
    let theme = standard(colors, on: background)
    let names = StyleRole.all.filter { $0.rawValue.hasPrefix("name-") }
    let avatars = StyleRole.all.filter { $0.rawValue.hasPrefix("avatar-") }
    #expect(Set(names.map { theme[$0].foreground }).count == 12)
    #expect(names.map { theme[$0].foreground } == avatars.map { theme[$0].foreground })
  }

  @Test func `with 16 colours names have the six bright ones`() {
    let theme = standard(16, on: .dark)
    let colors = StyleRole.all.filter { $0.rawValue.hasPrefix("name-") }.map { theme[$0].foreground }
    #expect(Set(colors) == Set((UInt8(9)...14).map { .palette($0) }))
  }

  @Test func `without colours attributes have the roles of colours`() {
    let theme = standard(0, on: .dark)
    #expect(theme.looks.allSatisfy { $0.style.foreground == .standard && $0.style.background == .standard })
    #expect(theme[.dim].attributes == .dim && theme[.rule].attributes == .dim)
    #expect(theme[.link].attributes == .underline && theme[.accent].attributes == .bold)
    #expect(theme.lit(.dim).attributes == [.dim, .reverse] && theme[.new].attributes == .bold)
  }

  @Test(arguments: ready) func `text of another colour on the selected line is all of that colour`(name: String) {
    let theme = ThemeChoice.theme(named: name, own: nil)
    guard theme[.selectedLine].foreground != theme[.text].foreground else { return }
    #expect(theme.lit(.dim) == theme[.selectedLine] && theme.lit(.name) == theme[.selectedName])
    #expect(theme.lit(.dim, in: .selectedName) == theme[.selectedName])
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
