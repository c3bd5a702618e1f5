import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleServer

/// Follow requests, follow options, private notes and profile settings.
@Suite(.bounded) struct FollowRequestTests {
  @concurrent
  private func update(_ body: String, _ harness: Harness, _ token: String) async throws -> TransportResponse {
    let answer = try await harness.send(
      .patch, "/api/v1/accounts/update_credentials", token: token,
      headers: [.contentType: "application/x-www-form-urlencoded"], body: Array(body.utf8))
    try #require(answer.head.status == .ok, "\(answer.text)")
    return answer
  }

  @Test(arguments: Front.allCases)
  func `a follow of a locked account needs its approval`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let carol = try harness.service.addQwinker(named: "carol")
      #expect(try WireDecoder.qwinker(from: try await update("locked=true", harness, alice).body).isLocked)
      try await harness.post("quiet", token: alice, visibility: .private)
      for token in [bob, carol] {
        let asked = try await harness.relate("follow", "alice", token: token)
        #expect(asked.isRequested && !asked.isFollowing)
        #expect(try await harness.page("/api/v1/timelines/home", token: token).items.isEmpty)
      }
      let requests = try await harness.qwinkers("/api/v1/follow_requests", token: alice)
      #expect(requests.items.map(\.userName) == ["carol", "bob"])
      let heard = try await harness.get("/api/v1/notifications", token: alice)
      #expect(
        try WireDecoder.notifications(from: heard.body, link: nil).items.map(\.kind) == [
          .followRequest, .followRequest,
        ])
      let own = try await harness.get("/api/v1/accounts/verify_credentials", token: alice)
      #expect((own.object["source"] as? [String: Any])?["follow_requests_count"] as? Int == 2)

      func answer(_ verb: String, _ name: String) async throws -> TransportResponse {
        try await harness.send(.post, "/api/v1/follow_requests/\(harness.id(of: name))/\(verb)", token: alice)
      }
      let accepted = try await answer("authorize", "bob")
      #expect(try WireDecoder.relationship(from: accepted.body).isFollowedBy)
      #expect(try await answer("reject", "carol").head.status == .ok)
      #expect(try await answer("authorize", "carol").head.status == .notFound)
      #expect(try await harness.page("/api/v1/timelines/home", token: bob).items.count == 1)
      #expect(try await harness.page("/api/v1/timelines/home", token: carol).items.isEmpty)
      #expect(try await harness.qwinkers("/api/v1/follow_requests", token: alice).items.isEmpty)

      #expect(try await harness.relate("follow", "alice", token: carol).isRequested)
      #expect(try await !harness.relate("unfollow", "alice", token: carol).isRequested)
      #expect(try await harness.relate("follow", "alice", token: carol).isRequested)
      _ = try await update("locked=false", harness, alice)
      #expect(try await harness.page("/api/v1/timelines/home", token: carol).items.count == 1)
    }
  }

  @Test(arguments: Front.allCases)
  func `a follow can hide boosts and notify about posts`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let carol = try harness.service.addQwinker(named: "carol")
      let boosted = try await harness.post("boosted", token: carol)
      let first = try await harness.relate("follow", "bob", [("reblogs", "false"), ("notify", "true")], token: alice)
      #expect(first.isFollowing && !first.showsBoosts && first.isNotifying)
      try await harness.react("reblog", boosted.id, token: bob)
      let post = try await harness.post("post", token: bob)
      try await harness.post("@carol reply", token: bob, answering: boosted.id)
      #expect(try await !harness.page("/api/v1/timelines/home", token: alice).items.contains { $0.booster != nil })
      let heard = try await harness.get("/api/v1/notifications?types[]=status", token: alice)
      let items = try WireDecoder.notifications(from: heard.body, link: nil).items
      #expect(items.map(\.kind) == [.qwink] && items.map(\.qwink?.id) == [post.id])

      // Omitted options stay unchanged.
      let again = try await harness.relate("follow", "bob", [("reblogs", "true")], token: alice)
      #expect(again.showsBoosts && again.isNotifying)
      #expect(try await harness.page("/api/v1/timelines/home", token: alice).items.contains { $0.booster != nil })
    }
  }

  @Test(arguments: Front.allCases)
  func `a note about an account is private to its author`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      #expect(try await harness.relate("note", "bob", [("comment", "met in Graz")], token: alice).note == "met in Graz")
      #expect(try await harness.relate("unfollow", "alice", token: bob).note.isEmpty)
      #expect(try await harness.relate("unfollow", "bob", token: alice).note == "met in Graz")
      #expect(try await harness.relate("note", "bob", [("comment", "")], token: alice).note.isEmpty)
      let long = String(repeating: "a", count: 2001)
      let path = "/api/v1/accounts/\(try harness.id(of: "bob"))/note"
      let refused = try await harness.submit(path, [("comment", long)], token: alice)
      #expect(refused.head.status == .unprocessableContent)
    }
  }

  @Test(arguments: Front.allCases)
  func `profile fields are saved and posting defaults apply to posts`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let answer = try await update(
        "fields_attributes[1][name]=B&fields_attributes[1][value]=b&fields_attributes[0][name]=Site"
          + "&fields_attributes[0][value]=https://example.org&source[privacy]=unlisted&source[sensitive]=true"
          + "&source[language]=de", harness, alice)
      let fields = try WireDecoder.qwinker(from: answer.body).fields
      #expect(fields.map(\.name) == ["Site", "B"] && fields.first?.value.links == ["https://example.org"])
      let source = try #require(answer.object["source"] as? [String: Any])
      #expect(source["privacy"] as? String == "unlisted" && source["language"] as? String == "de")
      #expect((source["fields"] as? [[String: Any]])?.first?["value"] as? String == "https://example.org")
      let preferences = try await harness.get("/api/v1/preferences", token: alice)
      #expect(preferences.object["posting:default:visibility"] as? String == "unlisted")
      #expect(preferences.object["posting:default:sensitive"] as? Bool == true)

      let usual = try WireDecoder.qwink(
        from: try await harness.submit("/api/v1/statuses", [("status", "usual")], token: alice).body)
      #expect(usual.visibility == .unlisted && usual.isSensitive && usual.language == "de")
      let other = [("status", "other"), ("visibility", "public"), ("sensitive", "false"), ("language", "en")]
      let said = try WireDecoder.qwink(from: try await harness.submit("/api/v1/statuses", other, token: alice).body)
      #expect(said.visibility == .public && !said.isSensitive && said.language == "en")
      let cleared = try await update("fields_attributes[0][name]=&source[language]=", harness, alice)
      #expect(try WireDecoder.qwinker(from: cleared.body).fields.isEmpty)
    }
  }
}
