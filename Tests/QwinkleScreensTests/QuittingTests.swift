import HTTPTypes
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

@MainActor
@Suite(.bounded) struct QuittingTests {
  private static let question = MainWords.quitQuestion(hasUnsaved: false, underWay: "", held: "")
  private static let answers = "y q \(MainWords.yes)  n Esc \(MainWords.no)"

  @Test func `q asks, y quits`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    screen.strike("q")
    #expect(screen.text.contains(Self.question))
    #expect(screen.exitStatus == nil)
    screen.strike("y")
    #expect(screen.exitStatus == 0)
    #expect(screen.calls.last == "stop")
  }

  @Test func `q twice quits`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    screen.strike("q", "q")
    #expect(screen.exitStatus == 0)
  }

  @Test(arguments: ["n", "Esc"]) func `n and Esc stay`(key: String) async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    let before = screen.lines
    screen.strike("q", key)
    #expect(screen.exitStatus == nil)
    #expect(screen.lines == before)
    screen.strike("j")
    #expect(screen.selected == 1)
  }

  @Test(arguments: ["Enter", "j", "Y", "Space", "Down", "F1", "é"])
  func `a key that is no answer has the question name its keys`(key: String) async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    screen.strike("q")
    #expect(screen.status.hasSuffix(Self.answers) && !screen.text.contains(MainWords.pressAnswer))
    screen.strike(key)
    #expect(screen.exitStatus == nil)
    #expect(screen.text.contains("\(Self.question) \(MainWords.pressAnswer)"))
    #expect(screen.status.hasSuffix(Self.answers))
    screen.strike("n")
    #expect(!screen.text.contains(Self.question) && screen.selected == 2)
  }

  @Test(arguments: ["Esc", "h", "Left"]) func `keys that go back say at the root that q quits`(key: String) async throws
  {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    let before = screen.lines
    screen.strike(key)
    #expect(screen.status.hasSuffix(withKeys(MainWords.quitKey)))
    #expect(screen.lines.dropLast() == before.dropLast())
    screen.strike("Enter", key)
    #expect(screen.lines.dropLast() == before.dropLast(), "in a thread it goes back")
  }

  @Test func `^C gives up what is under way and says that another quits`() async throws {
    let server = ScriptedTimeline([2, 1])
    let gate = Gate()
    server.holdTimelines(by: gate)
    let screen = try Screen(server)
    screen.strike("^C")
    #expect(screen.status.contains(withKeys(MainWords.interrupted(underWay: ""))))
    #expect(!screen.account.timelines.state(of: .public).isRefreshing)
    #expect(screen.exitStatus == nil)
    gate.open()
    await screen.settle()
    #expect(screen.visible == [])
    screen.strike("^C")
    #expect(screen.exitStatus == 0)
  }

  @Test func `a ^C long after another only asks again`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    screen.strike("^C")
    await screen.pass(.seconds(6))
    #expect(!screen.status.contains(withKeys(MainWords.interrupted(underWay: ""))))
    screen.strike("^C")
    #expect(screen.exitStatus == nil)
    #expect(screen.status.contains(withKeys(MainWords.interrupted(underWay: ""))))
    screen.strike("j")
    #expect(screen.selected == 1)
  }

  @Test(arguments: ["Enter", "c", "?", "q"]) func `^C twice quits from everywhere`(key: String) async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    screen.strike(key, "^C", "^C")
    #expect(screen.exitStatus == 0)
  }

  @Test func `what is being typed is kept when ^C quits`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    screen.strike("c")
    screen.type("Not sent")
    screen.strike("^C", "^C")
    #expect(screen.drafts.load()?.text == "Not sent")
  }

  @Test func `what is being typed is kept when the terminal goes`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    screen.strike("c")
    screen.type("Not sent")
    screen.hangUp()
    #expect(screen.exitStatus == 1)
    #expect(screen.drafts.load()?.text == "Not sent")
  }

  // MARK: Unsent work

  @Test(arguments: ["b", "f", "m"]) func `quitting waits for a reaction`(key: String) async throws {
    let kinds: [String: UnderWay] = ["b": .boost, "f": .favourite, "m": .bookmark]
    let words = UnderWay.words(for: [try #require(kinds[key])])
    let server = ScriptedTimeline([2, 1])
    let screen = try await Screen.settled(server)
    let gate = Gate()
    server.reactions.hold(by: gate)
    screen.strike(key, "q")
    #expect(screen.text.contains(MainWords.quitQuestion(hasUnsaved: false, underWay: words, held: "")))
    screen.strike("y")
    #expect(screen.exitStatus == nil)
    #expect(screen.text.contains(MainWords.waitingQuestion(words)))
    gate.open()
    await screen.settle()
    #expect(screen.exitStatus == 0)
    #expect(server.reactions.seen.count == 1)
  }

  @Test func `quitting waits for a deletion, a follow and a post, and says for which`() async throws {
    let server = ScriptedTimeline([2, 1])
    server.add([.sample(id: "80", text: "Mine", author: .sample("mara"), at: ScriptedTimeline.start)])
    let gate = Gate()
    let screen = try await Screen.settled(server, columns: 120)
    server.reactions.hold(by: gate)
    server.holdPosts(by: gate)
    server.handle(.post, "/api/v1/accounts/carol-id/follow") { _ in
      await gate.whenOpen()
      return .json(WireEncoder.relationship(Relationship(id: "carol-id", isFollowing: true)))
    }
    screen.strike("d", "y")
    screen.account.follows.follow(.sample("carol"), isOn: true)
    await screen.turn()
    screen.strike("c")
    screen.type("On its way")
    screen.strike("^D", "Esc")
    screen.main.quit()
    await screen.turn()
    let question = MainWords.waitingQuestion(UnderWay.words(for: [.post, .deletion, .follow]))
    #expect(screen.text.contains(question))
    // Cancelling stays cancelled.
    screen.strike("n")
    #expect(!screen.text.contains(question))
    screen.main.quit()
    gate.open()
    await screen.settle()
    #expect(screen.exitStatus == 0)
    #expect(server.posted.map(\.text) == ["On its way"])
  }

  @Test func `who does not want to wait need not`() async throws {
    let server = ScriptedTimeline([2, 1])
    let screen = try await Screen.settled(server)
    let gate = Gate()
    server.reactions.hold(by: gate)
    screen.strike("f", "q", "y", "y")
    #expect(screen.exitStatus == 0)
    gate.open()
    await screen.settle()
  }

  @Test func `what fails meanwhile is told, and the program stays`() async throws {
    let server = ScriptedTimeline([2, 1])
    let screen = try await Screen.settled(server)
    let gate = Gate()
    server.reactions.hold(by: gate)
    server.reactions.fail(with: .local(reason: "No room."))
    screen.strike("b", "q", "y")
    gate.open()
    await screen.settle()
    #expect(screen.exitStatus == nil)
    #expect(screen.status.contains(FailureWords.failed(FailureWords.reacting(.boost, isOn: true))))
  }

  @Test func `^C says what it would give up`() async throws {
    let server = ScriptedTimeline([2, 1])
    let screen = try await Screen.settled(server)
    let gate = Gate()
    server.reactions.hold(by: gate)
    screen.strike("f", "^C")
    #expect(screen.status.contains(withKeys(MainWords.interrupted(underWay: UnderWay.words(for: [.favourite])))))
    gate.open()
    await screen.settle()
    #expect(screen.exitStatus == nil)
  }

  @Test func `an answer that comes after the end is not drawn`() async throws {
    let server = ScriptedTimeline([2, 1])
    let gate = Gate()
    server.holdTimelines(by: gate)
    let screen = try Screen(server)
    screen.strike("q", "y")
    let frames = screen.frameCount
    gate.open()
    await screen.settle()
    #expect(screen.frameCount == frames)
  }
}
