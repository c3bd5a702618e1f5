import Foundation
import PaneKit
import QwinkleConfig
import QwinkleScreens
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleApp

/// The user's options as the program applies them.
@MainActor
@Suite(.bounded) struct ConfigCenterTests {
  /// A temporary home folder, deleted with this object.
  private final class Home: Sendable {
    let path = FileManager.default.temporaryDirectory.path + "/qwinkle-home-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private let home = Home()

  private func write(_ text: String, to path: String) throws {
    let file = URL(fileURLWithPath: "\(home.path)/\(path)")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
  }

  private func center(_ config: String? = nil) throws -> ConfigCenter {
    if let config { try write(config, to: ".config/qwinkle/config.toml") }
    return ConfigCenter(Paths(environment: ["HOME": home.path]))
  }

  private static let two = """
    editor = "vi"
    theme = "paper"
    [accounts."anna@tilde.example"]
    theme = "night"
    browser = "w3m"
    pager = "less"
    """

  @Test func `an account's options apply while it is the current account`() throws {
    let center = try center(Self.two)
    #expect(center.problems.isEmpty)
    var said: [String] = []
    var themes = 0
    center.didSet = { said.append("\($0.name) \($1.typed)") }
    center.didChangeTheme = { _ in themes += 1 }
    #expect(center[.theme].text == "paper" && center[.browser].text == "")
    center.use(account: "anna@tilde.example")
    #expect(center[.theme].text == "night" && center[.browser].text == "w3m" && center[.editor].text == "vi")
    #expect(said == ["theme night", "browser w3m", "pager less"] && themes == 1)
    center.use(account: "ben@tilde.example")
    #expect(center[.theme].text == "paper" && themes == 2)
    #expect(said.suffix(3) == ["theme paper", "browser ", "pager "])
    center.use(account: "ben@tilde.example")
    #expect(themes == 2)
  }

  @Test func `a change applies to the account if it has the option and otherwise to all`() throws {
    let center = try center(Self.two)
    center.use(account: "anna@tilde.example")
    center.apply(.theme, .text("ember"))
    center.apply(.editor, .text("nano"))
    #expect(center[.theme].text == "ember" && center[.editor].text == "nano")
    center.use(account: "ben@tilde.example")
    #expect(center[.theme].text == "paper" && center[.editor].text == "nano")
  }

  @Test func `reloading reports changes that affect the current account`() throws {
    let center = try center(Self.two)
    center.use(account: "anna@tilde.example")
    var said: [String] = []
    var themes = 0
    center.didSet = { said.append("\($0.name) \($1.typed)") }
    center.didChangeTheme = { _ in themes += 1 }
    try write(Self.two.replacing("paper", with: "sand"), to: ".config/qwinkle/config.toml")
    #expect(center.reload() == nil && said.isEmpty && themes == 0)
    try write(Self.two.replacing("night", with: "own"), to: ".config/qwinkle/config.toml")
    try write("text red\nlnk blue\n", to: ".config/qwinkle/theme.txt")
    #expect(center.reload() == "theme.txt:2:1: No role “lnk”. Did you mean link?")
    #expect(said == ["theme own"] && themes == 1)
    try write("text red\n", to: ".config/qwinkle/theme.txt")
    #expect(center.reload() == nil && themes == 2)
  }

  @Test func `saved settings apply without a config file and after a reload`() throws {
    try write("theme night\nkeymap emacs\nmouse off\ndensity compact\n", to: ".local/state/qwinkle/settings")
    let center = try center()
    #expect(!center.hasFile && center[.theme].text == "night" && !center[.mouse].flag)
    #expect(try center.keymap().bindings != Keymap.standard.get().bindings)
    let night = ThemeChoice.theme(named: "night", own: nil)
    #expect(center.themeMaker()(TerminalCapabilities(colors: 1 << 24)) == night)
    #expect(center.reload() == nil)
    #expect(center.shared[.density].text == "compact" && center[.theme].text == "night")
    // A config file overrides all saved settings.
    #expect(try self.center("density = \"comfortable\"\n")[.theme].text == "terminal")
  }
}
