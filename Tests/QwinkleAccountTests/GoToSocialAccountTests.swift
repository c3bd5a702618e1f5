import QwinkleModel
import QwinkleService
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleAccount

/// An account on a server that behaves like GoToSocial.
@MainActor
@Suite(.bounded) struct GoToSocialAccountTests {
  @Test func `rows repeated within or across unordered pages are shown once`() async throws {
    try await LoopbackAccount.run({ HabitServer.goToSocialDisorder($0) }) { run in
      await run.refresh(.home)
      for _ in 0..<5 where run.account.timelines.timeline(.home).older != nil {
        run.account.timelines.loadOlder(.home)
        await run.settle()
      }
      let shown = run.rows(of: .home).map(\.id.rawValue)
      #expect(shown.count == 24 && Set(shown) == Set(HabitServer.goToSocialStatuses(24).map(\.id)))
      #expect(run.account.timelines.timeline(.home).rows.allSatisfy { $0.cursor == nil })
      #expect(run.account.timelines.state(of: .home).isComplete)
      await run.refresh(.home)
      #expect(run.rows(of: .home).map(\.id.rawValue) == shown)
    }
  }

  @Test func `an unused hashtag is an empty timeline`() async throws {
    try await LoopbackAccount.run({ HabitServer.goToSocial($0) }) { run in
      await run.refresh(.tag("new"))
      let state = run.account.timelines.state(of: .tag("new"))
      #expect(state.error == nil && state.refreshedAt != nil && run.rows(of: .tag("new")).isEmpty)
      #expect(run.places.contains("/api/v1/timelines/tag/new"))
    }
  }

  @Test func `a boost whose response was lost is not sent again`() async throws {
    let id: Qwink.ID = "01M7XWW1000000000000000001"
    let post = HabitServer.goToSocialStatuses(1)[0].with(["id": id.rawValue])
    try await LoopbackAccount.run({ request in
      switch (request.method, request.place) {
      case ("GET", "/api/v1/timelines/public"): .json([post].list)
      case ("POST", "/api/v1/statuses/\(id)/reblog"): .close
      case ("GET", "/api/v1/statuses/\(id)"): .json(post.with(["reblogged": true]).body)
      default: HabitServer.goToSocial(request)
      }
    }) { run in
      await run.refresh(.public)
      let qwink = try #require(run.rows(of: .public).first)
      run.account.reactions.react(to: qwink, with: .boost, isOn: true)
      await run.settle()
      await run.pass(.seconds(60))
      #expect(run.server.requests.count { $0.place == "/api/v1/statuses/\(id)/reblog" } == 1)
      #expect(run.account.outbox.items.isEmpty && run.rows(of: .public).first?.isBoosted == true)
    }
  }

  @Test(arguments: [404, 406])
  func `notifications are loaded one by one if the server cannot group them`(status: Int) async throws {
    try await LoopbackAccount.run({ request in
      request.place.hasPrefix("/api/v2/notifications")
        ? .json(Array(#"{"error":"Not Found"}"#.utf8), status: status) : HabitServer.goToSocial(request)
    }) { run in
      run.account.start()
      await run.settle()
      let feed = run.account.notifications
      #expect(feed.notifications.count == 15 && feed.state.error == nil && feed.state.isComplete)
      #expect(feed.notifications.count { $0.kind == .favourite } == 4)
    }
  }

  @Test func `a direct message is counted once among the conversations`() async throws {
    try await LoopbackAccount.run({ HabitServer.goToSocial($0) }) { run in
      run.account.start()
      await run.refresh(.home)
      let (feed, inbox) = (run.account.notifications, run.account.inbox)
      let messages = feed.notifications.filter { $0.qwink?.visibility == .direct }
      #expect(feed.unread.count == 15 && messages.count == 2 && feed.countedUnread == 13)
      #expect(inbox.unreadCount == 2)
      // The home timeline shows direct messages as rows. A followers-only qwink isn't a message.
      let home = run.rows(of: .home)
      #expect(home.count { $0.visibility == .direct } == 4 && home.count { $0.visibility == .private } == 1)
      #expect(home.filter { inbox.isMessage($0) }.map(\.visibility) == Array(repeating: .direct, count: 4))
    }
  }

  @Test func `conversations with the same people share a row and are read together`() async throws {
    try await LoopbackAccount.run({ HabitServer.goToSocial($0) }) { run in
      let inbox = run.account.inbox
      inbox.start()
      run.account.identity.identify()
      await run.settle()
      inbox.loadOlder()
      await run.settle()
      #expect(inbox.conversations.map { $0.participants.map(\.userName) } == [["carol", "bob"], ["bob"]])
      let bob = try #require(inbox.conversations.last)
      #expect(bob.isUnread && inbox.members(of: bob.id).count == 2)
      inbox.markRead(bob.id)
      await run.settle()
      #expect(inbox.unreadCount == 1)
      let read = run.server.requests.filter { $0.method == "POST" }.map(\.place)
      #expect(
        Set(read) == [
          "/api/v1/conversations/01M7XWWCDGA53GGC6Z7PKF1FX8/read",
          "/api/v1/conversations/01M7XWWCD6WB0K7R6N5N9V9Q2E/read",
        ])
    }
  }

  @Test(arguments: [
    (String(repeating: "a", count: 5001), "text with spoiler exceed max chars (5000)"),
    ("<b></b>", "no text, media or poll provided"),
  ])
  func `a refused post reports the reason and is saved as a draft`(text: String, reason: String) async throws {
    try await LoopbackAccount.run({ HabitServer.goToSocial($0) }) { run in
      let outgoing = OutgoingEntry.sample(text)
      run.account.posts.send(outgoing, as: outgoing.entry)
      await run.settle()
      #expect(run.witness.refused.count == 1 && run.witness.posted.isEmpty)
      let error = try #require(run.witness.refused.first)
      #expect(!error.mayHaveArrived && error.sentenceForPost.contains(reason), "\(error.sentenceForPost)")
      #expect(run.account.outbox.items.isEmpty && run.drafts == [text])
      // It is not retried automatically.
      await run.pass(.seconds(3600))
      #expect(run.server.requests.count { $0.method == "POST" } == 1)
    }
  }

  @Test func `following a locked account is a request even if the lock was unknown`() async throws {
    try await LoopbackAccount.run({ HabitServer.goToSocial($0) }) { run in
      let bob = Qwinker.sample("bob", id: "01CE6KXPTT8VMNM7HD28PFGA5N")
      run.account.follows.follow(bob, isOn: true)
      await run.settle()
      let relationship = run.account.follows.relationship(to: bob.id)
      #expect(relationship?.isRequested == true && relationship?.isFollowing == false)
      #expect(run.witness.failures.isEmpty)
    }
  }
}
