import PaneKit
import PaneTrees
import QwinkleAccount
import QwinkleConfig
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Timelines of other servers: opened by command, in layouts, and after a restart.
@MainActor
@Suite(.bounded) struct RemoteTimelineScreenTests {
  nonisolated private static let title = "social.example · local"
  private static let usual = [ForeignServer.far(77001, "Far one", at: 1), ForeignServer.far(77003, "Far two")]

  private func screen(
    _ server: ForeignServer, in folder: TemporaryFolder = TemporaryFolder(), columns: Int = 80, isSignedIn: Bool = true
  ) async throws -> Screen {
    try await Screen.settled(
      server.own, rows: 40, columns: columns, in: folder, isSignedIn: isSignedIn, hidesMessages: true)
  }

  @Test(arguments: [
    ("open social.example/local", title, "public?local=true&limit=40"),
    ("open https://social.example/public/local", title, "public?local=true&limit=40"),
    ("timeline social.example/public", "social.example · public", "public?limit=40"),
    ("open social.example/#garden", "social.example · #garden", "tag/garden?limit=40"),
  ])
  func `a command opens the timeline of another server`(line: String, title: String, path: String) async throws {
    let server = ForeignServer(Self.usual)
    let screen = try await screen(server)
    await screen.command(line)
    #expect(screen.way.contains(title), "\(screen.text)")
    #expect(screen.text.contains("Far one") && screen.text.contains("@anna@social.example"), "\(screen.text)")
    #expect(server.there == ["GET /api/v2/instance", "GET /api/v1/timelines/\(path)"], "\(server.there)")
    #expect(server.leaks == [])
  }

  @Test(arguments: [("local", TimelineName.local), ("public", .public), ("#garden", .tag("garden"))])
  func `the user's own server shows its own timeline`(word: String, name: TimelineName) async throws {
    let server = ForeignServer()
    let screen = try await screen(server)
    await screen.command("open tilde.example/\(word)")
    #expect((screen.main.focus as? TimelineViewController)?.name == name, "\(screen.text)")
    #expect(server.there == [])
  }

  @Test func `another server is read without an account`() async throws {
    let server = ForeignServer(Self.usual)
    let screen = try await screen(server, isSignedIn: false)
    await screen.command("open social.example/local")
    #expect(screen.text.contains("Far one") && server.leaks == [], "\(screen.text)")
  }

  @Test(arguments: [401, 403, 404, 422])
  func `a server that refuses visitors is reported`(status: Int) async throws {
    let server = ForeignServer(Self.usual)
    server.refuse(with: status)
    let screen = try await screen(server)
    await screen.command("open social.example/local")
    let timeline = try #require(RemoteTimeline(host: ForeignServer.host))
    #expect(screen.text.contains(RemoteTimelineError.membersOnly(timeline).sentence), "\(screen.text)")
    #expect(!screen.account.connection.needsSignIn)
    server.refuse(with: nil)
    await screen.press("R")
    #expect(screen.text.contains("Far one"), "\(screen.text)")
  }

  @Test func `a server that fails is reported and asked again by R`() async throws {
    let server = ForeignServer(Self.usual)
    server.refuse(with: 503)
    let screen = try await screen(server)
    await screen.command("open social.example/local")
    #expect(screen.unwrapped.contains("Server error at social.example"), "\(screen.text)")
    server.refuse(with: nil)
    await screen.press("R")
    #expect(screen.text.contains("Far one") && !screen.text.contains("Server error"), "\(screen.text)")
  }

  @Test(arguments: ["127.0.0.1/local", "192.168.1.7/local"])
  func `a server in a local network isn't asked`(word: String) async throws {
    let server = ForeignServer(Self.usual)
    let screen = try await screen(server)
    await screen.command("open \(word)")
    let timeline = try #require(RemoteTimeline(word: word))
    #expect(screen.unwrapped.contains(RemoteTimelineError.notAllowed(timeline).sentence), "\(screen.text)")
    #expect(server.there == [] && !server.here.contains { $0.contains("local=true") })
  }

  @Test func `nothing is shown if the user's mutes and blocks can't be read`() async throws {
    let server = ForeignServer(Self.usual)
    let screen = try await screen(server)
    server.own.setReachable(false)
    await screen.command("open social.example/local")
    #expect(!screen.text.contains("Far one") && server.there == [], "\(screen.text)")
    server.own.setReachable(true)
    await screen.press("R")
    #expect(screen.text.contains("Far one"), "\(screen.text)")
  }

  @Test func `new posts arrive by polling and don't move the reader`() async throws {
    let server = ForeignServer(Self.usual)
    let screen = try await screen(server)
    await screen.command("open social.example/local")
    await screen.press("j")
    server.replace(with: [ForeignServer.far(77005, "Far three", at: 3)] + Self.usual)
    await screen.pass(.seconds(61))
    let list = try #require(screen.main.focus as? RemoteTimelineViewController)
    #expect(list.rows.map(\.text.plainText) == ["Far three", "Far one", "Far two"])
    #expect(list.selectedRow?.text.plainText == "Far two")
    #expect(server.leaks == [])
  }

  @Test func `a poll doesn't remove the rows that the reader sees`() async throws {
    let server = ForeignServer(Self.usual)
    let screen = try await screen(server)
    await screen.command("open social.example/local")
    await screen.press("j")
    server.replace(with: (1...5).map { ForeignServer.far(78000 + $0, "Later \($0)", at: 20) })
    await screen.pass(.seconds(61))
    #expect(screen.text.contains("Far two"), "\(screen.text)")
    await screen.press("R")
    #expect(screen.text.contains("Later 1"), "\(screen.text)")
  }

  @Test func `^C cancels the request to another server`() async throws {
    let (server, gate) = (ForeignServer(Self.usual), Gate())
    server.holdOthers(by: gate)
    let screen = try await screen(server)
    await screen.press(":")
    screen.type("open social.example/local")
    screen.strike("Enter")
    try await screen.wait(for: "the request") { !server.there.isEmpty }
    screen.strike("^C")
    gate.open()
    await screen.settle()
    #expect(!screen.text.contains("Far one") && server.there.count == 1, "\(screen.text)")
    await screen.press("R")
    #expect(screen.text.contains("Far one"), "\(screen.text)")
  }

  @Test func `a refused server isn't polled`() async throws {
    let server = ForeignServer(Self.usual)
    server.refuse(with: 401)
    let screen = try await screen(server)
    await screen.command("open social.example/local")
    let count = server.there.count
    await screen.pass(.seconds(600))
    #expect(server.there.count == count)
  }

  @Test func `a muted author's rows leave the list at once`() async throws {
    var other = ForeignServer.far(77003, "By ben")
    other.author = .sample("ben", id: "88002")
    let server = ForeignServer([ForeignServer.far(77001, "Far one", at: 1), other])
    server.own.setAnswer(
      WireEncoder.relationship(Relationship(id: "21", isMuting: true)), of: "/api/v1/accounts/21/mute")
    let screen = try await screen(server)
    await screen.command("open social.example/local")
    await screen.press("M")
    #expect(!screen.text.contains("Far one") && screen.text.contains("By ben"), "\(screen.text)")
    #expect(server.leaks == [])
  }

  // MARK: Panes

  @Test func `a layout has another server's timeline next to the user's own`() async throws {
    let folder = TemporaryFolder()
    try folder.write(config: "[layouts]\nfar = \"home | social.example/local | tilde.example/local\"\n")
    let server = ForeignServer(Self.usual)
    let screen = try await screen(server, in: folder, columns: 200)
    await screen.command("layout far")
    let router = screen.main.router
    let names = router.panes.tree.map { router.contents[$0]?.name(in: screen.account)?.word ?? "?" }
    // The user's own server is named as usual.
    #expect(names.panes == ["home", "social.example/local", "local"], "\(screen.text)")
    #expect(screen.text.contains("Far one") && server.leaks == [], "\(screen.text)")
  }

  @Test func `a restart restores the timeline and the reader's row`() async throws {
    let folder = TemporaryFolder()
    let far = (1...20).map { ForeignServer.far(77100 + $0, "Far \($0)", at: -Double($0)) }
    let server = ForeignServer(far)
    let first = try await screen(server, in: folder)
    await first.command("open social.example/local")
    await first.press("j", times: 7)
    first.strike("^C", "^C")
    await first.settle()
    let second = try await screen(server, in: folder)
    let list = try #require(second.main.focus as? RemoteTimelineViewController, "\(second.text)")
    #expect(list.title == Self.title && list.selectedRow?.text.plainText == "Far 8", "\(second.text)")
    #expect(server.leaks == [])
  }

  @Test func `the prompt completes the servers of known users`() async throws {
    let server = ForeignServer(Self.usual)
    var known = ScriptedTimeline.qwink(9)
    known.author.handle = "dana@far.example"
    server.own.add([known])
    let screen = try await screen(server)
    await screen.press(":")
    screen.type("open far")
    await screen.press("Tab")
    #expect(screen.lines.last { $0.contains(":open") }?.contains("far.example/local") == true, "\(screen.text)")
  }
}
