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

/// Completing names, tags and emoji, and editing in an external editor.
@MainActor
@Suite(.bounded) struct EntryCompletionTests {
  private static let search = "/api/v1/accounts/search"

  /// An open entry above a timeline by alice, bob, carol, dana and erin. The server finds `qwinkers` for every search.
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

  @Test func `Tab completes a visible name and a second Tab selects the next match`() async throws {
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

  @Test func `a name known only to the server is completed from its response`() async throws {
    let zoe = Qwinker(id: "z", userName: "zoe", handle: "zoe@example.org", displayName: "Zoë")
    let screen = try await writing("(@zo", qwinkers: [zoe])
    screen.strike("Tab")
    #expect(screen.status.contains(EntryWords.lookingUp("@zo")))
    await screen.settle()
    #expect(screen.text.contains("(@zoe@example.org"))
    #expect(screen.server.paths.contains { $0.hasPrefix("\(Self.search)?q=zo&") })
  }

  @Test func `a late search result is ignored if the user has typed more`() async throws {
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

  @Test func `Esc restores the typed text and leaves the entry open`() async throws {
    let screen = try await writing("@d")
    await screen.press("Tab", "Esc")
    screen.type("!")
    #expect(screen.text.contains(" @d!"))
    #expect(screen.status.contains("^D \(EntryWords.sending(.new))"))
  }

  @Test(arguments: [["^T"], ["PgDn"], ["^X", "l", "^X", "l"], ["^X", "w", "Esc"], ["^X", "l", "Enter"]])
  func `another key accepts the completion and hides the other choices`(keys: [String]) async throws {
    var qwink = ScriptedTimeline.qwink(1)
    qwink.tags = ["garden"]
    let server = ScriptedTimeline()
    server.add([qwink])
    let screen = try await writing("#gar", on: server)
    await screen.press("Tab")
    #expect(screen.text.contains(" #garden") && screen.status.contains("#garden"))
    for key in keys {
      await screen.press(key)
      // The first key of a sequence does nothing yet.
      if key != "^X" { #expect(!screen.status.contains("#garden"), "\(key): \(screen.status)") }
    }
    await screen.press("Esc")
    #expect(screen.sheetTitle == nil && screen.drafts.load()?.text == "#garden ")
  }

  @Test func `a completion stays while another field is filled in`() async throws {
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

  @Test func `part of a display name completes to the user name`() async throws {
    let server = ScriptedTimeline()
    server.add([.sample(id: "1", author: .sample("wonder", displayName: "Alice Liddell"))])
    let screen = try await writing("@lid", on: server)
    await screen.press("Tab")
    #expect(screen.text.contains("@wonder\n"))
  }

  @Test func `the author being replied to is completed first`() async throws {
    let screen = try await writing("")
    screen.strike("Esc")
    try screen.write(.reply(to: .sample(id: "9", author: .sample("cleo"))))
    screen.type("and @c")
    await screen.press("Tab")
    #expect(screen.text.contains("@cleo and @cleo"))
  }

  @Test func `tags of loaded qwinks are completed by frequency`() async throws {
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

  @Test func `emoji are completed from the server's list after one fetch`() async throws {
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

  @Test func `a server without custom emoji is reported`() async throws {
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

  @Test(arguments: [":ow", "@xy", "#xy", "plain"])
  func `Esc closes an entry in which nothing was completed`(text: String) async throws {
    let screen = try await writing(text, on: ScriptedTimeline([1]))
    screen.server.handle(.get, "/api/v1/custom_emojis") { _ in .json(Array("[]".utf8)) }
    await screen.press("Tab", "Esc")
    #expect(screen.status.contains(EntryWords.draftSaved), "\(screen.text)")
  }

  @Test func `emoji are fetched again after a failure`() async throws {
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
  func `a colon that doesn't start an emoji completes nothing`(text: String) {
    #expect(CompletableWord.before(cursorIn: text) == nil)
  }

  @Test func `Tab explains why nothing can be completed`() async throws {
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

  @Test func `names of loaded qwinks are completed while the server is silent`() async throws {
    let screen = try await writing("@c")
    screen.server.handle(.get, Self.search) { _ in throw TransportError.timedOut(host: ScriptedTimeline.host) }
    await screen.press("Tab")
    #expect(screen.text.contains("@carol\n"))
    screen.type("@q")
    await screen.press("Tab")
    #expect(screen.status.contains(ScriptedTimeline.silent))
  }

  @Test func `choices that don't fit appear when they are selected`() async throws {
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

  @Test func `^X e opens the external editor and pauses drawing until it ends`() async throws {
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

  @Test func `an external edit can be undone`() async throws {
    let screen = try await writing("One")
    let outside = ScriptedEditor()
    screen.application.externalEditor = outside
    outside.application = screen.application
    screen.strike("^X", "e")
    outside.finish(.success("Two"))
    screen.strike("^_")
    #expect(screen.text.contains(" One"))
  }

  @Test func `a failed external editor keeps the text and shows the error`() async throws {
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

  @Test func `the whole screen is redrawn if the terminal was resized during an external edit`() async throws {
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
