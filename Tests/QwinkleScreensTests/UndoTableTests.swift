import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

/// `u` applies to the last action, even if that can't be undone. The table lists every user action.
@MainActor
@Suite(.bounded) struct UndoTableTests {
  /// An action and the sentence shown when the user undoes it.
  private struct Row {
    var sentence: String
    /// The kind of write that the action queues.
    var covers: WriteKind
    var perform: @MainActor (Screen) async -> Void

    /// An action that can't be undone, by its name.
    init(_ name: String, _ covers: WriteKind, perform: @escaping @MainActor (Screen) async -> Void) {
      self.init(undone: UndoWords.cannotUndo(name), covers, perform: perform)
    }

    /// An action that can be undone.
    init(undone sentence: String, _ covers: WriteKind, perform: @escaping @MainActor (Screen) async -> Void) {
      self.sentence = sentence
      self.covers = covers
      self.perform = perform
    }
  }

  nonisolated private static let poll = Poll(
    id: "9", options: [Poll.Option(title: "Tea", votesCount: 0), Poll.Option(title: "Coffee", votesCount: 0)])
  nonisolated private static let mine = Qwink.sample(
    id: "77", text: "Mine", author: .sample("mara"), at: ScriptedTimeline.start)
  nonisolated private static let dana = Qwinker.sample("dana")

  private static var asked: Qwink {
    var qwink = ScriptedTimeline.qwink(2)
    qwink.poll = poll
    return qwink
  }

  private static func entry(_ text: String) -> Entry { Entry(text: text, idempotencyKey: "key \(text)") }

  private static let rows: [Row] = [
    Row("Posting", .post) { screen in
      await screen.press("c")
      screen.type("Hello")
      await screen.press("^D")
    },
    Row("Sending", .message) { screen in
      guard let bob = screen.account.inbox.conversation("bob") else { return }
      screen.account.send("Two cups.", in: bob, takenBack: { _ in }, saved: { _ in })
    },
    Row("Editing", .edit) { $0.account.posts.edit("77", entry("Mine too")) },
    Row("Deleting", .deletion) { $0.account.holdDeletion(of: mine) },
    Row("Deleting to write again", .deletion) { $0.account.redraft(mine) { _ in } },
    Row("Accepting @dana", .requestReply) { $0.account.follows.answerRequest(of: dana, accepts: true) },
    Row("Refusing @dana", .requestReply) { $0.account.follows.answerRequest(of: dana, accepts: false) },
    Row("Voting", .change) { $0.account.holdVote(in: asked, for: [0]) { _ in } },
    Row("Reporting", .change) { screen in
      let report = Report(qwinker: dana.id, qwinks: [], comment: "Spam", category: .spam, rules: [])
      screen.account.report(report, of: dana) {}
    },
    Row("Changing the note", .change) { $0.account.note("Sells tea", about: dana) {} },
    Row("Clearing notifications", .change) { $0.account.holdClearing {} },
    Row("Dismissing", .change) { $0.account.holdDismissal(of: ["5"]) {} },
    Row("Deleting the filter", .change) { screen in
      screen.account.change(by: .deleteFilter("9"), failing: "Deleting the filter") {}
    },
    Row("Removing your avatar", .change) { $0.account.removePicture(.avatar) {} },
    Row(ProfileWords.savingProfile, .change) { screen in
      let profile = OwnProfile(displayName: "Mara", note: "", usualVisibility: nil)
      screen.account.send(.setOwnProfile(profile), doing: ProfileWords.savingProfile) { _ in }
    },
    Row("Scheduling", .post) { screen in
      let date = ScriptedTimeline.start.addingTimeInterval(7200)
      let fetch = screen.account.schedule(entry("Later"), at: date) { _ in }
      await screen.settle()
      withExtendedLifetime(fetch) {}
    },
    Row(undone: Reaction.boost.sentence(isOn: false), .reaction(.boost)) { screen in
      screen.account.reactions.react(to: asked, with: .boost, isOn: true)
    },
    Row(undone: Reaction.favourite.sentence(isOn: false), .reaction(.favourite)) { screen in
      screen.account.reactions.react(to: asked, with: .favourite, isOn: true)
    },
    Row(undone: Reaction.bookmark.sentence(isOn: false), .reaction(.bookmark)) { screen in
      screen.account.reactions.react(to: asked, with: .bookmark, isOn: true)
    },
    Row(undone: FollowOutcome.activity(dana, isOn: false), .follow) { $0.account.follows.follow(dana, isOn: true) },
    Row(undone: "Unpinned", .change) { $0.account.pin(mine, isOn: true) {} },
    Row(undone: "Thread unmuted", .change) { $0.account.muteThread(of: mine, isOn: true) {} },
    Row(undone: "@dana unmuted", .change) { $0.account.mute(dana, isOn: true) {} },
    Row(undone: "@dana unblocked", .change) { $0.account.holdBlock(of: dana) {} },
    Row(undone: "tilde.example unblocked", .change) { $0.account.holdServerBlock(of: "tilde.example") {} },
  ]

  /// A server that accepts every action in the table.
  private func server() -> ScriptedTimeline {
    let server = ScriptedTimeline([2, 1])
    server.add([Self.mine])
    Talk.begin(on: server)
    server.answerFirst { request in
      let path = request.head.path ?? ""
      let parts = path.prefix { $0 != "?" }.split(separator: "/").dropFirst(2).map(String.init)
      switch (request.head.method, parts.first, parts.count) {
      case (.get, "statuses", 2): return .json(WireEncoder.qwink(Self.mine))
      case (.get, "statuses", 3) where path.hasSuffix("/source"):
        return .json(WireEncoder.source(QwinkSource(id: "77", text: "Mine")))
      case (.get, "scheduled_statuses", _): return .json(Array("[]".utf8))
      case (.get, _, _), (_, "statuses", _), (_, "conversations", _), (_, "markers", _): return nil
      case (_, "polls", _): return .json(WireEncoder.poll(Self.poll))
      case (_, "accounts", 2), (_, "profile", _): return .json(WireEncoder.qwinker(.sample("mara")))
      case (_, "accounts", _), (_, "follow_requests", _):
        return .json(WireEncoder.relationship(Relationship(id: Self.dana.id)))
      default: return .json(Array("{}".utf8))
      }
    }
    return server
  }

  @Test(arguments: [0, 6]) func `u applies to the last action and never to an older one`(hold: Int) async throws {
    for row in Self.rows {
      let server = server()
      let screen = try await Screen.settled(server, columns: 120)
      screen.account.pendingActions.seconds = hold
      screen.account.reactions.react(to: ScriptedTimeline.qwink(1), with: .favourite, isOn: true)
      await screen.settle()
      try #require(server.reactions.seen == ["POST 1/favourite"])
      await row.perform(screen)
      await screen.settle()
      await screen.pass(.seconds(hold))
      #expect(screen.account.undo()?.sentence == row.sentence)
      await screen.settle()
      let older = server.reactions.seen.filter { $0 == "POST 1/unfavourite" }
      #expect(older.isEmpty, "\(row.sentence)")
      guard row.sentence.hasSuffix("can't be undone.") else { continue }
      await screen.pass(.seconds(60))
      #expect(screen.account.undo()?.sentence == row.sentence, "later and again")
      await screen.settle()
      #expect(!server.reactions.seen.contains("POST 1/unfavourite"), "\(row.sentence)")
    }
  }

  @Test func `the table covers each kind of write`() {
    #expect(Set(Self.rows.map(\.covers)) == Set(WriteKind.allCases))
  }

  @Test func `u waits for a pending action and skips it once it has failed`() async throws {
    let server = server()
    let gate = Gate()
    server.handle(.post, "/api/v1/statuses/77/pin") { _ in
      await gate.whenOpen()
      return .json(WireEncoder.error("Not today"), status: 422)
    }
    let screen = try await Screen.settled(server, columns: 120)
    screen.account.reactions.react(to: ScriptedTimeline.qwink(1), with: .favourite, isOn: true)
    await screen.settle()
    screen.account.pin(Self.mine, isOn: true) {}
    #expect(screen.account.undo()?.sentence == UndoWords.isPending("Pinning"))
    gate.open()
    await screen.settle()
    #expect(screen.account.undo()?.sentence == Reaction.favourite.sentence(isOn: false))
    await screen.settle()
    #expect(server.reactions.seen.contains("POST 1/unfavourite"))
  }

  @Test func `an action done during another's delay is undone first`() async throws {
    let screen = try await Screen.settled(server(), columns: 120)
    screen.account.pendingActions.seconds = 6
    screen.account.holdDeletion(of: Self.mine)
    screen.account.reactions.react(to: ScriptedTimeline.qwink(1), with: .favourite, isOn: true)
    await screen.pass(.seconds(6))
    #expect(screen.account.undo()?.sentence == Reaction.favourite.sentence(isOn: false))
    #expect(screen.account.undo()?.sentence == UndoWords.cannotUndo("Deleting"))
  }
}
