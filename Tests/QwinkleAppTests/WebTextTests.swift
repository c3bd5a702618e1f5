import Foundation
import HTTPTypes
import OnDemandResources
import PaneKit
import QwinkleConfig
import QwinkleScreens
import QwinkleService
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleApp

/// Themes and keymaps loaded from the web.
@MainActor
@Suite(.bounded) struct WebTextTests {
  nonisolated private static let theme = "https://themes.example/dawn.txt"
  nonisolated private static let keys = "https://keys.example/own/fast.txt?raw=1"

  /// Resolves every host to a public address, except near.example.
  private struct Names: HostResolver {
    @concurrent func addresses(of host: String) async -> [String] {
      host == "near.example" ? ["192.168.1.7"] : ["93.184.216.34"]
    }
  }

  /// A program's configuration with a scripted web.
  @MainActor
  private final class World {
    let home: String
    let clock = VirtualClock()
    let ledger = ActivityLedger()
    let transport: ScriptedTransport
    private(set) var center: ConfigCenter
    private(set) var told: [String] = []
    private(set) var themes: [Theme] = []
    private(set) var keymaps: [Keymap] = []

    init(_ config: String, type: String = "text/plain", _ text: String) {
      home = FileManager.default.temporaryDirectory.appending(path: "web-\(UUID().uuidString)").path
      let folder = "\(home)/.config/qwinkle"
      try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try? Data(config.utf8).write(to: URL(fileURLWithPath: "\(folder)/config.toml"))
      transport = ScriptedTransport { _ in
        var head = HTTPResponse(status: .ok)
        head.headerFields[.contentType] = type
        return TransportResponse(head: head, body: Array(text.utf8))
      }
      center = ConfigCenter(Paths(environment: ["HOME": home]))
      start()
    }

    deinit { try? FileManager.default.removeItem(atPath: home) }

    /// Restarts the program.
    func restart() {
      center = ConfigCenter(Paths(environment: ["HOME": home]))
      start()
    }

    private func start() {
      let media = MediaService(
        rules: MediaRules(serverURL: "https://tilde.example"), own: { [transport] in transport },
        others: { [transport] in transport }, resolver: Names())
      (told, themes, keymaps) = ([], [], [])
      center.webTexts = WebTexts(center.webFiles, media: media, clock: clock, ledger: ledger)
      center.didTell = { [unowned self] words, _ in told.append(words) }
      center.didChangeTheme = { [unowned self] make in
        themes.append(make(TerminalCapabilities(colors: 1 << 24)))
      }
      center.didChangeKeys = { [unowned self] in keymaps.append($0) }
    }

    /// Waits until pending downloads are finished.
    func settle() async {
      clock.advance(by: .seconds(1))
      await ledger.settleWithMainQueue()
    }
  }

  private func link(_ make: @MainActor (TerminalCapabilities) -> Theme) -> TextStyle {
    make(TerminalCapabilities(colors: 1 << 24))[.link]
  }

  private let red = TextStyle(.rgb(red: 255, green: 0, blue: 0))

  @Test func `a theme from an address is fetched once and cached across a restart`() async {
    let world = World("theme = '\(Self.theme)'", "link #ff0000")
    // The first frame doesn't wait for the download.
    #expect(link(world.center.themeMaker()) != red)
    #expect(world.transport.requests.isEmpty)
    await world.settle()
    #expect(world.transport.requests.map(\.url) == [Self.theme])
    #expect(world.themes.count == 1 && world.told == ["dawn.txt loaded"])
    #expect(link(world.center.themeMaker()) == red)
    #expect(world.center.webTexts?.resources.bytesInUse == 12)
    world.restart()
    #expect(link(world.center.themeMaker()) == red)
    await world.settle()
    #expect(world.transport.requests.count == 1 && world.themes.isEmpty && world.told.isEmpty)
  }

  @Test func `no token, cookie or Referer is sent`() async throws {
    let world = World("theme = '\(Self.theme)'", "link #ff0000")
    _ = world.center.themeMaker()
    await world.settle()
    let request = try #require(world.transport.requests.first)
    #expect(Set(request.head.headerFields.map(\.name.canonicalName)) == ["user-agent", "accept", "accept-encoding"])
  }

  @Test func `errors in a fetched theme are reported by position and the rest applies`() async {
    let world = World("theme = '\(Self.theme)'", "link #ff0000\nlnk  red\n")
    _ = world.center.themeMaker()
    await world.settle()
    #expect(world.told == ["dawn.txt:2:1: No role “lnk”. Did you mean link?"])
    #expect(world.center.problems == world.told)
    #expect(link(world.center.themeMaker()) == red)
  }

  @Test(arguments: [
    (Self.theme, "text/html; charset=utf-8", 20, "Can't load the theme from dawn.txt: not a text file."),
    (Self.theme, "text/plain", (256 << 10) + 1, "Can't load the theme from dawn.txt: too large."),
    ("https://near.example/dawn.txt", "text/plain", 20, "Can't load the theme from dawn.txt: address not allowed."),
    ("https://10.0.0.1/dawn.txt", "text/plain", 20, "Can't load the theme from dawn.txt: address not allowed."),
  ])
  func `a refused download is reported and the theme stays`(
    address: String, type: String, count: Int, sentence: String
  ) async {
    let world = World("theme = '\(address)'", type: type, String(repeating: "#", count: count))
    _ = world.center.themeMaker()
    await world.settle()
    #expect(world.told == [sentence] && world.themes.isEmpty)
    #expect(world.center.webTexts?.resources.bytesOnDisk == 0)
  }

  @Test(arguments: ["http://themes.example/dawn.txt", "https://me@themes.example/dawn.txt", "https://", "nigth"])
  func `an address must use https and contain no user name`(value: String) throws {
    let reader = ConfigReader("theme = '\(value)'\nkeymap = '\(value)'")
    #expect(reader.problems.map(\.line) == [1, 2])
    #expect(reader.problems.allSatisfy { $0.sentence.contains("an https address") })
  }

  @Test func `a fetched keymap ranks below the user's and cannot define macros or commands`()
    async throws
  {
    let text = """
      list  list.next  x
      qwink  :pipe rm -rf ~  b
      qwink  press gg d  f
      list  list.previous  y
      """
    let world = World("keymap = '\(Self.keys)'", text)
    try Data("list  list.previous  k".utf8).write(
      to: URL(fileURLWithPath: "\(world.home)/.config/qwinkle/keys.txt"))
    let before = try world.center.keymap()
    await world.settle()
    let keymap = try #require(world.keymaps.last)
    func keys(_ action: Action) -> [String] {
      keymap.bindings.filter { $0.action == action && $0.context == "list" }.flatMap(\.sequences).map(Keymap.name(of:))
    }
    #expect(keys("list.next") == ["x"] && keys("list.previous") == ["k"])
    #expect(keymap.bindings.count == before.bindings.count)
    #expect(
      world.center.problems == [
        "fast.txt:2:8: Only your own keys.txt can have macros and commands.",
        "fast.txt:3:8: Only your own keys.txt can have macros and commands.",
      ])
    world.restart()
    #expect(try world.center.keymap().bindings == keymap.bindings)
    #expect(try UserConfig.keymap(Paths(environment: ["HOME": world.home])).bindings == keymap.bindings)
  }

  @Test func `a replaced theme stays on disk and is not fetched again`() async {
    let world = World("theme = '\(Self.theme)'", "link #ff0000")
    _ = world.center.themeMaker()
    await world.settle()
    world.center.apply(.theme, .text("night"))
    await world.settle()
    #expect(world.center.webTexts?.resources.bytesInUse == 0)
    #expect(world.center.webTexts?.resources.bytesOnDisk == 12)
    world.center.apply(.theme, .text(Self.theme))
    await world.settle()
    #expect(world.transport.requests.count == 1)
    #expect(world.center.webTexts?.resources.bytesInUse == 12)
  }
}
