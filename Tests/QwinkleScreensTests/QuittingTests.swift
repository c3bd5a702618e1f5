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
  private static let question = MainWords.quitQuestion(hasUnsaved: false, inProgress: "", held: "")
  private static let answers = "y q \(MainWords.yes)  n Esc \(MainWords.no)"

  @Test func `q asks and y quits`() async throws {
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

  @Test(arguments: ["n", "Esc"]) func `n and Esc cancel quitting`(key: String) async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    let before = screen.lines
    screen.strike("q", key)
    #expect(screen.exitStatus == nil)
    #expect(screen.lines == before)
    screen.strike("j")
    #expect(screen.selected == 1)
  }

  @Test(arguments: ["Enter", "j", "Y", "Space", "Down", "F1", "é"])
  func `any other key makes the question name its keys`(key: String) async throws {
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

  @Test(arguments: ["Esc", "h", "Left"]) func `back keys at the root show that q quits`(key: String) async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    let before = screen.lines
    screen.strike(key)
    #expect(screen.status.hasSuffix(withKeys(MainWords.quitKey)))
    #expect(screen.lines.dropLast() == before.dropLast())
    screen.strike("Enter", key)
    #expect(screen.lines.dropLast() == before.dropLast(), "in a thread it goes back")
  }

  @Test func `^C cancels requests in progress and a second ^C quits`() async throws {
    let server = ScriptedTimeline([2, 1])
    let gate = Gate()
    server.holdTimelines(by: gate)
    let screen = try Screen(server)
    screen.strike("^C")
    #expect(screen.status.contains(withKeys(MainWords.interrupted(inProgress: ""))))
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
    #expect(!screen.status.contains(withKeys(MainWords.interrupted(inProgress: ""))))
    screen.strike("^C")
    #expect(screen.exitStatus == nil)
    #expect(screen.status.contains(withKeys(MainWords.interrupted(inProgress: ""))))
    screen.strike("j")
    #expect(screen.selected == 1)
  }

  @Test(arguments: ["Enter", "c", "?", "q"]) func `^C twice quits from every screen`(key: String) async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    screen.strike(key, "^C", "^C")
    #expect(screen.exitStatus == 0)
  }

  @Test func `an unfinished entry is saved when ^C quits`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    screen.strike("c")
    screen.type("Not sent")
    screen.strike("^C", "^C")
    #expect(screen.drafts.load()?.text == "Not sent")
  }

  @Test func `an unfinished entry is saved when the terminal hangs up`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([2, 1]))
    screen.strike("c")
    screen.type("Not sent")
    screen.hangUp()
    #expect(screen.exitStatus == 1)
    #expect(screen.drafts.load()?.text == "Not sent")
  }

  // MARK: Unsent work

  @Test(arguments: ["b", "f", "m"]) func `quitting waits for a pending reaction`(key: String) async throws {
    let kinds: [String: WriteKind] = ["b": .reaction(.boost), "f": .reaction(.favourite), "m": .reaction(.bookmark)]
    let words = WriteKind.words(for: [try #require(kinds[key])])
    let server = ScriptedTimeline([2, 1])
    let screen = try await Screen.settled(server)
    let gate = Gate()
    server.reactions.hold(by: gate)
    screen.strike(key, "q")
    #expect(screen.text.contains(MainWords.quitQuestion(hasUnsaved: false, inProgress: words, held: "")))
    screen.strike("y")
    #expect(screen.exitStatus == nil)
    #expect(screen.text.contains(MainWords.waitingQuestion(words)))
    gate.open()
    await screen.settle()
    #expect(screen.exitStatus == 0)
    #expect(server.reactions.seen.count == 1)
  }

  @Test func `quitting waits for a pending deletion, follow and post and names them`() async throws {
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
    let question = MainWords.waitingQuestion(WriteKind.words(for: [.post, .deletion, .follow]))
    #expect(screen.text.contains(question))
    screen.strike("n")
    #expect(!screen.text.contains(question))
    screen.main.quit()
    gate.open()
    await screen.settle()
    #expect(screen.exitStatus == 0)
    #expect(server.posted.map(\.text) == ["On its way"])
  }

  @Test func `the user can quit without waiting`() async throws {
    let server = ScriptedTimeline([2, 1])
    let screen = try await Screen.settled(server)
    let gate = Gate()
    server.reactions.hold(by: gate)
    screen.strike("f", "q", "y", "y")
    #expect(screen.exitStatus == 0)
    gate.open()
    await screen.settle()
  }

  @Test func `a failure during the wait is reported and cancels quitting`() async throws {
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

  @Test func `^C names the actions in progress`() async throws {
    let server = ScriptedTimeline([2, 1])
    let screen = try await Screen.settled(server)
    let gate = Gate()
    server.reactions.hold(by: gate)
    screen.strike("f", "^C")
    #expect(
      screen.status.contains(withKeys(MainWords.interrupted(inProgress: WriteKind.words(for: [.reaction(.favourite)]))))
    )
    gate.open()
    await screen.settle()
    #expect(screen.exitStatus == nil)
  }

  @Test func `a response after quitting is not drawn`() async throws {
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
