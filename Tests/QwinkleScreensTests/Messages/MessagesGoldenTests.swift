import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Terminal
import Testing

/// The screens of private messages, threads, links and commands, compared with files in the folder Golden.
/// `QWINKLE_RECORD=1 swift test --filter MessagesGoldenTests` writes them anew.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct MessagesGoldenTests {
  /// What a screen shows.
  enum Scene: String, CaseIterable, Sendable {
    case messages, messagesEmpty, messagesLoading, messagesFailed, messagesOffline, messagesDelete, recipient
    case chat, chatRead, chatWritten, chatSending, chatFailed, chatMany, chatLoading, chatOffline
    /// Everything side by side where there is room.
    case panes, panesChat
    case thread, threadLoading, threadFailed, links, prompt, promptWrong
  }

  @Test(arguments: Scene.allCases, GoldenScreenTests.sizes)
  func `screens look as they did`(scene: Scene, size: Size) async throws {
    let text = try await show(scene, size)
    try GoldenFile.expect(text, is: "\(scene.rawValue)-\(size.columns)x\(size.rows)")
  }

  private func show(_ scene: Scene, _ size: Size) async throws -> String {
    let server = ScriptedTimeline()
    let gate = Gate()
    prepare(server, for: scene, gate)
    let screen = try Screen(server, rows: size.rows, columns: size.columns)
    if scene == .messagesLoading {
      for _ in 0..<40 { await screen.turn() }
    } else {
      await screen.settle()
    }
    await lead(screen, server, to: scene, gate)
    let text = screen.picture
    gate.open()
    await screen.settle()
    return text
  }

  /// What the server has, and what fails.
  private func prepare(_ server: ScriptedTimeline, for scene: Scene, _ gate: Gate) {
    let refused = TransportError.refused(host: ScriptedTimeline.host)
    if scene != .links { server.add(Samples.all) }
    if scene != .messagesEmpty { Self.talk(on: server) }
    switch scene {
    case .messagesLoading: server.messages.holdList(by: gate)
    case .messagesFailed: server.messages.fail(with: refused)
    case .recipient:
      server.api.answer("GET /api/v1/accounts/search") { _ in
        .json(
          WireEncoder.qwinkers([.sample("alice", displayName: "Alice Liddell"), .sample("alan")]))
      }
    case .links:
      var map = Qwink.sample(id: "990", text: "", author: Talk.bob, at: Talk.at(-1))
      let urls = ["https://example.org/kiosk", "https://example.org/a/map/of/all/kiosks/in/town?with=opening-hours"]
      map.text = RichText([
        RichText.Paragraph(
          urls.flatMap { [.init($0, kind: .link(url: $0)), .init(" ")] } + [
            .init("#trains", kind: .tag(name: "trains"))
          ])
      ])
      server.add([map] + Samples.all)
    case .chatLoading: server.messages.holdThreads(by: gate)
    case .thread: server.setThread(Self.tree, of: 919)
    case .threadLoading:
      server.handle(.get, "/api/v1/statuses/919/context") { _ in
        await gate.whenOpen()
        return .json(WireEncoder.thread(QwinkThread()))
      }
    case .threadFailed: server.handle(.get, "/api/v1/statuses/919/context") { _ in throw refused }
    default: break
    }
  }

  private func lead(_ screen: Screen, _ server: ScriptedTimeline, to scene: Scene, _ gate: Gate) async {
    let refused = TransportError.refused(host: ScriptedTimeline.host)
    switch scene {
    case .messages, .messagesEmpty, .messagesLoading, .messagesFailed: screen.strike("3")
    case .messagesOffline:
      await screen.press("3")
      server.messages.fail(with: refused)
      await screen.press("R")
    case .messagesDelete: await screen.press("3", "j", "d")
    case .recipient:
      await screen.press("3", "p")
      screen.type("al")
      await screen.turn()
      await screen.pass(.milliseconds(500))
    case .chat: await screen.press("3", "Enter")
    case .chatLoading:
      await screen.press("3")
      screen.strike("Enter")
      for _ in 0..<40 { await screen.turn() }
      return
    case .chatRead: await screen.press("3", "Enter", "Esc", "k")
    case .chatWritten:
      await screen.press("3", "Enter")
      screen.type("Two cups, the thermos has only one.")
      await screen.press("Enter")
      screen.type("日本語も、👩‍👩‍👧 too.")
      await screen.turn()
    case .chatSending:
      await screen.press("3", "Enter")
      server.messages.holdPosts(by: gate)
      screen.type("On my way.")
      screen.strike("^D")
      for _ in 0..<40 { await screen.turn() }
      return
    case .chatFailed:
      await screen.press("3", "Enter")
      server.messages.failPosts(.lost)
      screen.type("On my way.")
      await screen.press("^D", "Esc")
    case .chatMany: await screen.press("3", "j", "j", "Enter")
    case .chatOffline:
      await screen.press("3", "Enter")
      server.messages.fail(with: refused)
      server.messages.failThreads(with: refused)
      await screen.pass(.seconds(20))
    case .panes: break
    case .panesChat:
      if screen.lines[0].count >= 160 {
        await screen.press("^W", "l", "^W", "l", "Enter")
      } else {
        await screen.press("3", "Enter")
      }
    case .thread, .threadFailed:
      await screen.press("j", "Enter")
      await screen.pass(.milliseconds(400))
    case .threadLoading:
      await screen.press("j")
      screen.strike("Enter")
      screen.advance(by: .milliseconds(600))
    case .links: await screen.press("o")
    case .prompt:
      screen.strike(":")
      screen.type("t")
      screen.strike("Tab")
    case .promptWrong:
      screen.strike(":")
      screen.type("tga garden")
      await screen.press("Enter")
    }
    for _ in 0..<20 { await screen.turn() }
    if [.messages, .messagesEmpty, .messagesFailed].contains(scene) { await screen.settle() }
  }

  /// Conversations with one and with several, read and unread, over days.
  private static func talk(on server: ScriptedTimeline) {
    let me = Talk.me
    server.messages.add(
      "three", with: [Talk.bob, Talk.dana],
      [
        .message("t1", by: Talk.dana, to: [me, Talk.bob], "Who brings the boat?", at: Talk.at(-60 * 50)),
        .message("t2", by: Talk.bob, to: [me, Talk.dana], "I do. It leaks a little.", at: Talk.at(-60 * 49)),
        .message("t3", by: me, to: [Talk.bob, Talk.dana], "A little?", at: Talk.at(-60 * 49), answering: "t2"),
      ])
    Talk.begin(on: server)
  }

  /// Answers to answers.
  private static var tree: QwinkThread {
    func answer(_ id: String, _ author: String, _ text: String, to parent: String, minutes: Double) -> Qwink {
      var qwink = Qwink.sample(
        id: Qwink.ID(id), text: text, author: .sample(author),
        at: ScriptedTimeline.start.addingTimeInterval(-60 * minutes))
      qwink.inReplyTo = Qwink.ID(parent)
      return qwink
    }
    var parent = Qwink.sample(
      id: "900", text: "Has anybody seen the kiosk?", author: .sample("erin"),
      at: ScriptedTimeline.start.addingTimeInterval(-60 * 90))
    parent.repliesCount = 1
    return QwinkThread(
      ancestors: [parent],
      descendants: [
        answer("a1", "gil", "It looks splendid from across the square.", to: "919", minutes: 12),
        answer("a2", "bob", "Come closer, the tea is hot.", to: "a1", minutes: 11),
        answer(
          "a3", "gil", "On my way, with two friends and a very long umbrella that needs a place to stand.", to: "a2",
          minutes: 10),
        answer("a4", "hana", "40 ms! What did you throw out?", to: "919", minutes: 9),
      ])
  }
}
