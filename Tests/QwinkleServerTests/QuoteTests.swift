import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Quotes: posting, policies, states, lists, revocation and privacy.
@Suite(.bounded) struct QuoteTests {
  /// Alice, her follower bob, and carol.
  private struct People: Sendable {
    let harness: Harness
    let alice, bob, carol: String

    init(_ harness: Harness) throws {
      self.harness = harness
      alice = try harness.service.addQwinker(named: "alice")
      bob = try harness.service.addQwinker(named: "bob")
      carol = try harness.service.addQwinker(named: "carol")
      try harness.follow("alice", by: "bob")
    }

    /// Posts an entry and returns the answer.
    func send(
      _ text: String, of quoted: Qwink.ID? = nil, policy: QuotePolicy? = nil, visibility: Visibility = .public,
      token: String
    ) async throws -> TransportResponse {
      var entry = Entry(text: text, visibility: visibility, idempotencyKey: UUID().uuidString)
      entry.quotedID = quoted?.rawValue
      entry.quotePolicy = policy
      return try await harness.send(entry, token: token)
    }

    func post(
      _ text: String, of quoted: Qwink.ID? = nil, policy: QuotePolicy? = nil, visibility: Visibility = .public,
      token: String
    ) async throws -> Qwink {
      let answer = try await send(text, of: quoted, policy: policy, visibility: visibility, token: token)
      try #require(answer.head.status == .ok, "\(answer.text)")
      return try WireDecoder.qwink(from: answer.body)
    }

    func setPolicy(_ policy: String, of id: Qwink.ID, token: String) async throws -> TransportResponse {
      try await harness.send(
        .put, "/api/v1/statuses/\(id)/interaction_policy", token: token, headers: [.contentType: "application/json"],
        body: Array(#"{"quote_approval_policy":"\#(policy)"}"#.utf8))
    }

    func revoke(_ id: Qwink.ID, in quoting: Qwink.ID, token: String) async throws -> TransportResponse {
      try await harness.send(.post, "/api/v1/statuses/\(id)/quotes/\(quoting)/revoke", token: token)
    }

    func quotes(of id: Qwink.ID, token: String) async throws -> [String] {
      try await harness.page("/api/v1/statuses/\(id)/quotes", token: token).items.map(\.text.plainText)
    }

    func state(of id: Qwink.ID, token: String?) async throws -> Qwink.Quote.State? {
      try await harness.qwink("/api/v1/statuses/\(id)", token: token).quote?.state
    }
  }

  @Test(arguments: Front.allCases)
  func `a quote contains the whole quoted post and is counted, listed and announced`(_ front: Front) async throws {
    try await withService(front) { harness in
      let people = try People(harness)
      let original = try await people.post("Tea at four? #tea", token: people.alice)
      let answer = try await people.send("Yes, please", of: original.id, token: people.bob)
      let quote = try #require(answer.object["quote"] as? [String: Any])
      #expect(quote["state"] as? String == "accepted")
      let quoted = try #require(quote["quoted_status"] as? [String: Any])
      #expect(quoted["id"] as? String == original.id.rawValue && quoted["created_at"] as? String != nil)
      #expect((quoted["tags"] as? [[String: Any]])?.first?["name"] as? String == "tea")
      #expect((quoted["account"] as? [String: Any])?["acct"] as? String == "alice")

      let qwink = try WireDecoder.qwink(from: answer.body)
      #expect(qwink.quote?.id == original.id && qwink.quote?.text.plainText == "Tea at four? #tea")
      let now = try await harness.qwink("/api/v1/statuses/\(original.id)", token: people.carol)
      #expect(now.quotesCount == 1)
      #expect(try await people.quotes(of: original.id, token: people.carol) == ["Yes, please"])
      #expect(try await harness.get("/api/v1/statuses/\(original.id)/quotes").head.status == .unauthorized)
      let told = try await harness.get("/api/v1/notifications?types[]=quote", token: people.alice)
      let notification = try #require(try WireDecoder.notifications(from: told.body, link: nil).items.first)
      #expect(notification.kind == .quote && notification.qwink?.id == qwink.id)

      // A nested quote is only an id.
      let outer = try await people.send("Me too", of: qwink.id, token: people.carol)
      let inner = (outer.object["quote"] as? [String: Any])?["quoted_status"] as? [String: Any]
      let nested = try #require(inner?["quote"] as? [String: Any])
      #expect(nested["quoted_status_id"] as? String == original.id.rawValue)
      #expect(!outer.text.contains("Tea at four?"))
    }
  }

  @Test(arguments: QuotePolicy.allCases)
  func `the policy decides who may quote`(_ policy: QuotePolicy) async throws {
    try await withService { harness in
      let people = try People(harness)
      let original = try await people.post("Tea", policy: policy, token: people.alice)
      for (token, isAllowed) in [
        (people.alice, true), (people.bob, policy != .nobody), (people.carol, policy == .public),
      ] {
        let seen = try await harness.qwink("/api/v1/statuses/\(original.id)", token: token)
        #expect(seen.quoteApproval == QuoteApproval(policy, effect: isAllowed ? .automatic : .denied))
        let answer = try await people.send("Quote", of: original.id, token: token)
        #expect(answer.head.status == (isAllowed ? .ok : .forbidden), "\(answer.text)")
      }
      let open = try await harness.qwink("/api/v1/statuses/\(original.id)")
      #expect(open.quoteApproval?.effect == .denied)
    }
  }

  @Test func `the default policy is part of the account's settings`() async throws {
    try await withService { harness in
      let people = try People(harness)
      #expect(try await people.post("Tea", token: people.alice).quoteApproval?.policy == .public)
      let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
      let changed = try await harness.send(
        .patch, "/api/v1/accounts/update_credentials", token: people.alice, headers: form,
        body: Array("source[quote_policy]=followers".utf8))
      #expect((changed.object["source"] as? [String: Any])?["quote_policy"] as? String == "followers")
      let preferences = try await harness.get("/api/v1/preferences", token: people.alice).object
      #expect(preferences["posting:default:quote_policy"] as? String == "followers")
      #expect(try await people.post("Tea", token: people.alice).quoteApproval?.policy == .followers)
      // Posts for followers and direct posts can be quoted by their author at most.
      let quiet = try await people.post("Quiet", policy: .public, visibility: .private, token: people.alice)
      #expect(quiet.quoteApproval == QuoteApproval(.nobody, effect: .automatic))
      let message = try await people.post("@bob Psst", policy: .public, visibility: .direct, token: people.alice)
      #expect(message.quoteApproval == QuoteApproval(.nobody, effect: .denied))
    }
  }

  @Test func `only the author changes the policy of a post, also in an edit`() async throws {
    try await withService { harness in
      let people = try People(harness)
      let original = try await people.post("Tea", token: people.alice)
      #expect(try await people.setPolicy("nobody", of: original.id, token: people.bob).head.status == .notFound)
      #expect(
        try await people.setPolicy("friends", of: original.id, token: people.alice).head.status == .unprocessableContent
      )
      let changed = try await people.setPolicy("nobody", of: original.id, token: people.alice)
      #expect(try WireDecoder.qwink(from: changed.body).quoteApproval?.policy == .nobody)
      #expect(try await people.send("Quote", of: original.id, token: people.bob).head.status == .forbidden)
      // An edit without a policy leaves it unchanged.
      #expect(try await harness.edit(original.id, "Tea!", token: people.alice).quoteApproval?.policy == .nobody)
      var entry = Entry(text: "Tea!", idempotencyKey: "")
      entry.quotePolicy = .followers
      let edited = try await harness.send(
        .put, "/api/v1/statuses/\(original.id)", token: people.alice, headers: [.contentType: "application/json"],
        body: WireEncoder.edit(entry))
      #expect(try WireDecoder.qwink(from: edited.body).quoteApproval?.policy == .followers)
    }
  }

  @Test func `restricted posts can't be quoted by others, and a quote of one is no more visible`() async throws {
    try await withService { harness in
      let people = try People(harness)
      let quiet = try await people.post("canaryquiet", visibility: .private, token: people.alice)
      let message = try await people.post("@bob canarymessage", visibility: .direct, token: people.alice)
      #expect(try await people.send("Q", of: quiet.id, token: people.bob).head.status == .forbidden)
      #expect(try await people.send("Q", of: message.id, token: people.bob).head.status == .forbidden)
      #expect(try await people.send("Q", of: message.id, token: people.alice).head.status == .forbidden)
      for id in [quiet.id, message.id, "4242"] {
        let answer = try await people.send("Q", of: id, token: people.carol)
        #expect(answer.head.status == .unprocessableContent && !answer.text.contains("canary"), "\(answer.text)")
      }
      let own = try await people.post("Mine", of: quiet.id, token: people.alice)
      #expect(own.visibility == .private && own.quote?.id == quiet.id)
      #expect(try await harness.get("/api/v1/statuses/\(own.id)", token: people.carol).head.status == .notFound)
      #expect(try await harness.qwink("/api/v1/statuses/\(quiet.id)", token: people.alice).quotesCount == 0)

      let open = try await people.post("Open", token: people.alice)
      let refused = try await people.send("@carol look", of: open.id, visibility: .direct, token: people.bob)
      #expect(refused.head.status == .unprocessableContent, "\(refused.text)")
      let sent = try await people.send("@carol @alice look", of: open.id, visibility: .direct, token: people.bob)
      #expect(sent.head.status == .ok)
    }
  }

  @Test func `a quote shows no post that the viewer may not see`() async throws {
    try await withService { harness in
      let people = try People(harness)
      let original = try await people.post("canary", token: people.alice)
      let quote = try await people.post("Look", of: original.id, token: people.bob)
      #expect(try await people.state(of: quote.id, token: nil) == .accepted)

      /// The state for carol, whose answers must not contain the quoted text.
      func withheldState() async throws -> Qwink.Quote.State? {
        let paths = ["statuses/\(quote.id)", "timelines/public", "accounts/\(quote.author.id)/statuses"]
        for path in paths.map({ "/api/v1/\($0)" }) {
          let text = try await harness.get(path, token: people.carol).text
          #expect(text.contains("Look") && !text.contains("canary") && !text.contains(original.id.rawValue), "\(path)")
        }
        return try await people.state(of: quote.id, token: people.carol)
      }

      try await harness.relate("block", "alice", token: people.carol)
      #expect(try await withheldState() == .blockedAccount)
      try await harness.relate("unblock", "alice", token: people.carol)
      try await harness.relate("block", "carol", token: people.alice)
      #expect(try await withheldState() == .unauthorized)
      try await harness.relate("unblock", "carol", token: people.alice)
      try await harness.relate("mute", "alice", token: people.carol)
      #expect(try await people.state(of: quote.id, token: people.carol) == .mutedAccount)
      try await harness.relate("unmute", "alice", token: people.carol)
      #expect(try await people.state(of: quote.id, token: people.carol) == .accepted)
      _ = try await harness.send(.delete, "/api/v1/statuses/\(original.id)", token: people.alice)
      #expect(try await withheldState() == .deleted)
    }
  }

  @Test func `the quoted author revokes a quote for good`() async throws {
    try await withService { harness in
      let people = try People(harness)
      let original = try await people.post("canary", token: people.alice)
      let other = try await people.post("Other", token: people.alice)
      let quote = try await people.post("Look", of: original.id, token: people.bob)
      #expect(try await people.revoke(original.id, in: quote.id, token: people.bob).head.status == .forbidden)
      #expect(try await people.revoke(other.id, in: quote.id, token: people.alice).head.status == .notFound)
      #expect(try await people.revoke("4242", in: quote.id, token: people.alice).head.status == .notFound)
      #expect(try await people.state(of: quote.id, token: people.bob) == .accepted)
      for _ in 0..<2 {
        let answer = try await people.revoke(original.id, in: quote.id, token: people.alice)
        let changed = try WireDecoder.qwink(from: answer.body)
        #expect(changed.id == quote.id && changed.quote?.state == .revoked && !answer.text.contains("canary"))
        let now = try await harness.qwink("/api/v1/statuses/\(original.id)", token: people.alice)
        #expect(now.quotesCount == 0)
      }
      #expect(try await people.quotes(of: original.id, token: people.alice) == [])
      #expect(try await people.state(of: quote.id, token: people.bob) == .revoked)
    }
  }

  @Test func `counts follow deletions, and quotes of hidden posts aren't listed`() async throws {
    try await withService { harness in
      let people = try People(harness)
      let original = try await people.post("Tea", token: people.alice)
      let first = try await people.post("One", of: original.id, token: people.bob)
      _ = try await people.post("Two", of: original.id, visibility: .private, token: people.bob)
      _ = try await people.post("Three", of: original.id, token: people.carol)
      func count() async throws -> Int { try await harness.qwink("/api/v1/statuses/\(original.id)").quotesCount }
      #expect(try await count() == 2)
      #expect(try await people.quotes(of: original.id, token: people.alice) == ["Three", "One"])
      #expect(try await people.quotes(of: original.id, token: people.bob) == ["Three", "Two", "One"])
      let page = try await harness.page("/api/v1/statuses/\(original.id)/quotes?limit=1", token: people.bob)
      let rest = try await harness.page(try #require(page.older?.url), token: people.bob)
      #expect(page.items.map(\.text.plainText) + rest.items.map(\.text.plainText) == ["Three", "Two"])
      _ = try await harness.send(.delete, "/api/v1/statuses/\(first.id)", token: people.bob)
      #expect(try await count() == 1)
    }
  }

  @Test func `the authors of quotes are notified of an edit`() async throws {
    try await withService { harness in
      let people = try People(harness)
      let original = try await people.post("Tea", token: people.alice)
      let quote = try await people.post("One", of: original.id, token: people.bob)
      for text in ["Tea!", "Tea?"] { _ = try await harness.edit(original.id, text, token: people.alice) }
      let told = try await harness.get("/api/v1/notifications?types[]=quoted_update", token: people.bob)
      let items = try WireDecoder.notifications(from: told.body, link: nil).items
      #expect(items.map(\.qwink?.id) == [quote.id] && items.first?.qwinker.userName == "alice")
    }
  }

  @Test @MainActor func `a scheduled quote is posted as a quote, or not at all`() async throws {
    try await withService { harness in
      let people = try People(harness)
      let original = try await people.post("Tea", token: people.alice)
      for text in ["First", "Second"] {
        let date = WireDate.text(harness.clock.now.addingTimeInterval(text == "First" ? 400 : 800))
        let planned = try await harness.submit(
          "/api/v1/statuses",
          [
            ("status", text), ("scheduled_at", date), ("quoted_status_id", original.id.rawValue),
            ("quote_approval_policy", "nobody"),
          ], token: people.bob)
        let post = try WireDecoder.scheduledPost(from: planned.body)
        #expect(post.quotedID == original.id && post.quotePolicy == .nobody)
      }
      await harness.clock.advance(by: .seconds(500))
      let posted = try #require(
        try await harness.page("/api/v1/timelines/public", token: people.bob).items.first {
          $0.text.plainText == "First"
        })
      #expect(posted.quote?.id == original.id && posted.quoteApproval?.policy == .nobody)
      _ = try await people.setPolicy("nobody", of: original.id, token: people.alice)
      await harness.clock.advance(by: .seconds(500))
      #expect(try await harness.get("/api/v1/scheduled_statuses", token: people.bob).text.contains("Second"))
      #expect(!(try await harness.get("/api/v1/timelines/public", token: people.bob).text.contains("Second")))
    }
  }
}
