import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

/// The bottom bar and the header show nothing outdated.
@MainActor
@Suite(.bounded) struct FootWordsTests {
  private let host = ScriptedTimeline.host
  private let opening = LinkWords.opening("elsewhere.example/@a/9")
  private let boostFailed = FailureWords.failed(FailureWords.reacting(.boost, isOn: true))

  private func hold(_ screen: Screen, by gate: Gate) {
    screen.server.handle(.get, "/api/v2/search") { _ in
      await gate.whenOpen()
      return .json(WireEncoder.searchResults(SearchResults(qwinks: [ScriptedTimeline.qwink(9)])))
    }
  }

  @Test func `the message about opening a link disappears once it is open`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([3, 2, 1]))
    let gate = Gate()
    hold(screen, by: gate)
    screen.main.factory.links.open(try #require(WebAddress("https://elsewhere.example/@a/9")))
    await screen.turn()
    #expect(screen.status.contains(opening))
    gate.open()
    await screen.settle()
    #expect(screen.text.contains("Qwink 9"))
    #expect(!screen.status.contains(opening))
  }

  @Test func `the message about opening a link disappears when the user goes elsewhere`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([3, 2, 1], home: [6]))
    let gate = Gate()
    hold(screen, by: gate)
    screen.main.factory.links.open(try #require(WebAddress("https://elsewhere.example/@a/9")))
    await screen.turn()
    #expect(screen.status.contains(opening))
    screen.strike("2")
    #expect(!screen.status.contains(opening))
    gate.open()
    await screen.settle()
    #expect(!screen.status.contains(opening) && !screen.text.contains("Qwink 9"))
  }

  @Test func `hints for pictures and polls appear only on qwinks that have them`() async throws {
    let server = ScriptedTimeline([1])
    var (pictured, asking) = (ScriptedTimeline.qwink(3), ScriptedTimeline.qwink(2))
    pictured.attachments = [.init(id: "a", kind: .image, url: "https://tilde.example/a.png")]
    asking.poll = Poll(id: "9", options: [Poll.Option(title: "Tea"), Poll.Option(title: "Coffee")])
    server.add([pictured, asking])
    let screen = try await Screen.settled(server, columns: 120)
    let (view, vote) = (try Screen.hint(for: .viewPictures), try Screen.hint(for: .vote))
    #expect(screen.status.contains(view) && !screen.status.contains(vote), "\(screen.status)")
    await screen.press("j")
    #expect(screen.status.contains(vote) && !screen.status.contains(view), "\(screen.status)")
    await screen.press("j")
    #expect(!screen.status.contains(vote) && !screen.status.contains(view), "\(screen.status)")
    // The thread shows the hint too.
    await screen.press("k", "k", "Enter")
    #expect(screen.status.contains(view), "\(screen.status)")
  }

  @Test func `the message about a failed reaction disappears if the reaction arrived`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([3, 2, 1]))
    screen.server.reactions.fail(with: .local(reason: "No room."))
    await screen.press("b")
    #expect(screen.status.contains(boostFailed))
    screen.server.replace(with: [ScriptedTimeline.qwink(3).setting(.boost, to: true), ScriptedTimeline.qwink(2)])
    await screen.press("R")
    #expect(!screen.status.contains(boostFailed))
  }

  @Test func `the message about a reaction disappears if it was undone elsewhere`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([3, 2, 1]))
    await screen.press("f")
    let favourited = withKeys(ActionWords.undoable(Reaction.favourite.sentence(isOn: true)))
    #expect(screen.status.contains(favourited))
    screen.server.replace(with: [ScriptedTimeline.qwink(3), ScriptedTimeline.qwink(2)])
    await screen.press("R")
    #expect(!screen.status.contains(favourited))
  }

  @Test func `a successful post clears the offline messages`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([3, 2, 1]), columns: 120)
    screen.server.failTimelines(with: .refused(host: host))
    await screen.press("R")
    #expect(screen.header.contains(StatusWords.offlineSince) && screen.status.contains(ScriptedTimeline.unreachable))
    screen.server.failTimelines(with: nil)
    await screen.pass(.seconds(1))
    screen.account.posts.post(Entry(text: "Hello", visibility: .public, idempotencyKey: "k"))
    await screen.settle()
    #expect(!screen.header.contains(StatusWords.offlineSince))
    #expect(!screen.status.contains(ScriptedTimeline.unreachable))
  }

  @Test func `a post that can't be sent shows that the server is unreachable`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([3, 2, 1]), columns: 120)
    #expect(screen.header.contains("●"))
    screen.server.failPosts(with: .refused(host: host))
    screen.account.posts.post(Entry(text: "Hello", visibility: .public, idempotencyKey: "k"))
    await screen.settle()
    #expect(screen.header.contains("\(StatusWords.offlineSince) 00:00"))
    #expect(screen.status.contains(EntryWords.queuedOffline))
    await screen.pass(.seconds(10))
    #expect(!screen.header.contains(StatusWords.offlineSince) && screen.server.posted.count == 2)
    #expect(screen.status.contains(EntryWords.posted))
  }
}
