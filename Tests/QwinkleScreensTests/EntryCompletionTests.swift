import HTTPTypes
import PaneKit
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Completing names and tags, and editing in another program.
@MainActor
@Suite(.bounded) struct EntryCompletionTests {
  private static let search = "/api/v1/accounts/search"

  /// An open entry over a timeline by alice, bob, carol, dana and erin, on a server that knows `qwinkers`.
  private func writing(
    _ text: String, qwinkers: [Qwinker] = [], on server: ScriptedTimeline = ScriptedTimeline([5, 4, 3, 2, 1])
  )
    async throws -> Screen
  {
    server.handle(.get, Self.search) { _ in .json(WireEncoder.qwinkers(qwinkers)) }
    let screen = try await Screen.settled(server)
    screen.strike("c")
    screen.type(text)
    return screen
  }

  @Test func `Tab completes a name that is on the screen, and again takes the next`() async throws {
    let screen = try await writing("Hello @c", qwinkers: [.sample("carol"), .sample("cassandra")])
    screen.strike("Tab")
    #expect(screen.text.contains("Hello @carol"))
    await screen.settle()
    #expect(screen.status.contains("@carol  @cassandra"))
    await screen.press("Tab")
    #expect(screen.text.contains("Hello @cassandra"))
    await screen.press("S-Tab")
    screen.type("there")
    #expect(screen.text.contains("Hello @carol there"))
    #expect(screen.status.contains("^D \(EntryWords.sending(.new))"))
    await screen.press("^D")
    #expect(screen.server.posted.map(\.text) == ["Hello @carol there"])
  }

  @Test func `a name that only the server knows comes with its answer`() async throws {
    let zoe = Qwinker(id: "z", userName: "zoe", handle: "zoe@example.org", displayName: "Zoë")
    let screen = try await writing("(@zo", qwinkers: [zoe])
    screen.strike("Tab")
    #expect(screen.status.contains(EntryWords.lookingUp("@zo")))
    await screen.settle()
    #expect(screen.text.contains("(@zoe@example.org"))
    #expect(screen.server.paths.contains { $0.hasPrefix("\(Self.search)?q=zo&") })
  }

  @Test func `an answer that comes after more was typed changes nothing`() async throws {
    let gate = Gate()
    let server = ScriptedTimeline([1])
    let screen = try await writing("@zo", on: server)
    server.handle(.get, Self.search) { _ in
      await gate.whenOpen()
      return .json(WireEncoder.qwinkers([.sample("zoe")]))
    }
    screen.strike("Tab")
    screen.type("x")
    gate.open()
    await screen.settle()
    #expect(screen.text.contains(" @zox"))
    #expect(screen.status.contains("^D \(EntryWords.sending(.new))"))
  }

  @Test func `Esc puts back what was typed and stays in the text`() async throws {
    let screen = try await writing("@d")
    await screen.press("Tab", "Esc")
    screen.type("!")
    #expect(screen.text.contains(" @d!"))
    #expect(screen.status.contains("^D \(EntryWords.sending(.new))"))
  }

  @Test(arguments: [["^T"], ["PgDn"], ["^X", "l", "^X", "l"], ["^X", "w", "Esc"], ["^X", "l", "Enter"]])
  func `a key for anything else accepts the choice, and the footer shows no choices then`(keys: [String]) async throws {
    var qwink = ScriptedTimeline.qwink(1)
    qwink.tags = ["garden"]
    let server = ScriptedTimeline()
    server.add([qwink])
    let screen = try await writing("#gar", on: server)
    await screen.press("Tab")
    #expect(screen.text.contains(" #garden") && screen.status.contains("#garden"))
    for key in keys {
      await screen.press(key)
      // The first key of two does nothing yet.
      if key != "^X" { #expect(!screen.status.contains("#garden"), "\(key): \(screen.status)") }
    }
    await screen.press("Esc")
    #expect(screen.sheetTitle == nil && screen.drafts.load()?.text == "#garden ")
  }

  @Test func `a completion is not lost while another field is filled in`() async throws {
    var qwink = ScriptedTimeline.qwink(1)
    qwink.tags = ["garden"]
    let server = ScriptedTimeline()
    server.add([qwink])
    let screen = try await writing("#gar", on: server)
    await screen.press("Tab", "^X", "l")
    screen.type("sv")
    await screen.press("^X", "l", "Esc")
    #expect(screen.sheetTitle == nil)
    #expect(screen.drafts.load()?.text == "#garden " && screen.drafts.load()?.language == "sv")
  }

  @Test func `a name is found by what somebody is called, too`() async throws {
    let server = ScriptedTimeline()
    server.add([.sample(id: "1", author: .sample("wonder", displayName: "Alice Liddell"))])
    let screen = try await writing("@lid", on: server)
    await screen.press("Tab")
    #expect(screen.text.contains("@wonder\n"))
  }

  @Test func `those whom an answer is about come first`() async throws {
    let screen = try await writing("")
    screen.strike("Esc")
    try screen.write(.reply(to: .sample(id: "9", author: .sample("cleo"))))
    screen.type("and @c")
    await screen.press("Tab")
    #expect(screen.text.contains("@cleo and @cleo"))
  }

  @Test func `tags complete from what is here, the most used first`() async throws {
    var qwinks = (1...3).map { ScriptedTimeline.qwink($0) }
    qwinks[0].tags = ["garbage"]
    qwinks[1].tags = ["Garden"]
    qwinks[2].tags = ["garden"]
    let server = ScriptedTimeline()
    server.add(qwinks)
    let screen = try await writing("in the #ga", on: server)
    await screen.press("Tab")
    #expect(screen.text.contains("in the #Garden"))
    await screen.press("Tab")
    #expect(screen.text.contains("in the #garbage"))
    #expect(!screen.server.paths.contains { $0.hasPrefix(Self.search) })
  }

  @Test func `emoji complete from the server's own, which are fetched once`() async throws {
    let server = ScriptedTimeline([1])
    server.handle(.get, "/api/v1/custom_emojis") { _ in
      .json(Array(##"[{"shortcode":"party_owl"},{"shortcode":"owl"},{"shortcode":"owlet"},{"shortcode":"cat"}]"##.utf8))
    }
    let screen = try await writing("at 12:30 :ow", on: server)
    screen.strike("Tab")
    #expect(screen.status.contains(EntryWords.lookingUp(":ow")))
    await screen.settle()
    #expect(screen.text.contains("at 12:30 :owl:\n"))
    #expect(screen.status.contains(":owl:  :owlet:  :party_owl:") && !screen.status.contains(":cat:"))
    await screen.press("Tab")
    #expect(screen.text.contains("at 12:30 :owlet:\n"))
    await screen.press("Esc")
    #expect(screen.text.contains("at 12:30 :ow\n"))
    await screen.press("Tab")
    screen.type("and (:CA")
    await screen.press("Tab")
    screen.type("you :x")
    await screen.press("Tab")
    #expect(screen.status.contains(EntryWords.noMatch(":x")))
    #expect(server.paths.count { $0.hasPrefix("/api/v1/custom_emojis") } == 1)
    screen.strike("BS", "BS", "BS")
    await screen.press("^D")
    #expect(server.posted.map(\.text) == ["at 12:30 :owl: and (:cat: you"])
  }

  @Test func `a server without emoji of its own is said to be so`() async throws {
    let none = try await writing(":ow", on: ScriptedTimeline([1]))
    none.server.handle(.get, "/api/v1/custom_emojis") { _ in .json(Array("[]".utf8)) }
    await none.press("Tab")
    #expect(none.status.contains(EntryWords.noEmoji) && none.text.contains(" :ow\n"))
    none.type(" plain")
    await none.press("Tab")
    #expect(none.status.contains(withKeys(EntryWords.completes(emoji: false))))

    let unknown = try await writing(":ow", on: ScriptedTimeline([1]))
    unknown.server.handle(.get, "/api/v1/custom_emojis") { _ in .text("<h1>404 Not Found</h1>", status: 404) }
    await unknown.press("Tab")
    #expect(unknown.status.contains(ScriptedTimeline.lack(of: .serverEmoji)))
  }

  @Test func `emoji that could not be fetched are asked for again`() async throws {
    let screen = try await writing(":ow", on: ScriptedTimeline([1]))
    screen.server.handle(.get, "/api/v1/custom_emojis") { _ in
      throw TransportError.timedOut(host: ScriptedTimeline.host)
    }
    await screen.press("Tab")
    #expect(screen.status.contains(ScriptedTimeline.silent) && screen.text.contains(" :ow\n"))
    screen.server.handle(.get, "/api/v1/custom_emojis") { _ in .json(Array(##"[{"shortcode":"owl"}]"##.utf8)) }
    await screen.press("Tab")
    #expect(screen.text.contains(" :owl:\n"))
  }

  @Test(arguments: ["12:30", "http:", "a:b", "x :)", "https://a.example:80"])
  func `a colon that begins no emoji completes none`(text: String) {
    #expect(CompletableWord.before(cursorIn: text) == nil)
  }

  @Test func `where nothing can be completed it says why`() async throws {
    let screen = try await writing("plain")
    await screen.press("Tab")
    #expect(screen.status.contains(withKeys(EntryWords.completes(emoji: true))))
    screen.type(" @xy")
    await screen.press("Tab")
    #expect(screen.status.contains(EntryWords.noMatch("@xy")))
    screen.type(" #xy")
    await screen.press("Tab")
    #expect(screen.status.contains(EntryWords.noMatch("#xy")))
    #expect(screen.text.contains("plain @xy #xy"))
    screen.type(" a@b")
    await screen.press("Tab")
    #expect(screen.status.contains(withKeys(EntryWords.completes(emoji: true))))
  }

  @Test func `a server that does not answer leaves what is known`() async throws {
    let screen = try await writing("@c")
    screen.server.handle(.get, Self.search) { _ in throw TransportError.timedOut(host: ScriptedTimeline.host) }
    await screen.press("Tab")
    #expect(screen.text.contains("@carol\n"))
    screen.type("@q")
    await screen.press("Tab")
    #expect(screen.status.contains(ScriptedTimeline.silent))
  }

  @Test func `more choices than there is room for come into view when they are selected`() async throws {
    let people = (10..<20).map { Qwinker.sample("person-number-\($0)") }
    let screen = try await writing("@per", qwinkers: people)
    await screen.press("Tab")
    #expect(screen.status.contains("@person-number-10") && !screen.status.contains("@person-number-19"))
    #expect(screen.status.contains("…"))
    await screen.press("S-Tab")
    #expect(screen.status.contains("@person-number-19"))
    #expect(screen.text.contains(" @person-number-19\n"))
  }

  // MARK: Another editor

  @Test func `^X e has the text edited elsewhere, and nothing is drawn meanwhile`() async throws {
    let screen = try await writing("Half a thou")
    let outside = ScriptedEditor()
    screen.application.externalEditor = outside
    outside.application = screen.application
    screen.strike("^X", "e")
    #expect(outside.text == "Half a thou")
    #expect(screen.calls.last == "suspend")
    #expect(screen.drafts.load()?.text == "Half a thou")
    let frames = screen.frameCount
    await screen.pass(.seconds(90))
    #expect(screen.frameCount == frames)
    outside.finish(.success("Half a thought.\nAnd a line."))
    await screen.settle()
    #expect(screen.calls.last == "resume")
    #expect(screen.text.contains("Half a thought."))
    #expect(screen.drafts.load()?.text == "Half a thought.\nAnd a line.")
    await screen.press("^D")
    #expect(screen.server.posted.map(\.text) == ["Half a thought.\nAnd a line."])
  }

  @Test func `what was edited elsewhere can be undone`() async throws {
    let screen = try await writing("One")
    let outside = ScriptedEditor()
    screen.application.externalEditor = outside
    outside.application = screen.application
    screen.strike("^X", "e")
    outside.finish(.success("Two"))
    screen.strike("^_")
    #expect(screen.text.contains(" One"))
  }

  @Test func `an editor that fails leaves the text, and says why`() async throws {
    let screen = try await writing("Half a thou")
    let outside = ScriptedEditor()
    screen.application.externalEditor = outside
    outside.application = screen.application
    screen.strike("^X", "e")
    outside.finish(.failure(ExternalEditorError("“vi” ended with status 1: the text is as it was.")))
    await screen.settle()
    #expect(screen.text.contains("Half a thou"))
    #expect(screen.text.contains("“vi” ended with status 1"))
    screen.type("ght")
    #expect(screen.text.contains("Half a thought"))
  }

  @Test func `a terminal of another size is drawn whole after the editor`() async throws {
    let screen = try await writing("Half")
    let outside = ScriptedEditor()
    screen.application.externalEditor = outside
    outside.application = screen.application
    screen.strike("^X", "e")
    screen.driver.resizeUnseen(rows: 30, columns: 100)
    outside.finish(.success("Half"))
    await screen.settle()
    #expect(screen.lines.count == 30)
  }
}
