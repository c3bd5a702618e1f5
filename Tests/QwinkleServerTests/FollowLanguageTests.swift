import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleServer

/// Follows that are limited to some languages.
@Suite(.bounded) struct FollowLanguageTests {
  private static func post(
    _ text: String, in language: String?, _ harness: Harness, token: String, visibility: String = "public"
  ) async throws -> Qwink.ID {
    let fields = [("status", text), ("visibility", visibility)] + (language.map { [("language", $0)] } ?? [])
    return try WireDecoder.qwink(from: try await harness.submit("/api/v1/statuses", fields, token: token).body).id
  }

  @Test(arguments: Front.allCases)
  func `home and lists have only posts in the chosen languages or without one`(_ front: Front) async throws {
    try await withService(front) { harness in
      let tokens = try harness.people("anna", "ben", "cora")
      let other = try await Self.post("from cora", in: "fr", harness, token: tokens[2])
      let languages = [("languages[]", "en"), ("languages[]", "de")]
      let relationship = try await harness.relate("follow", "ben", languages, token: tokens[0])
      #expect(relationship.isFollowing && relationship.languages == ["en", "de"] && relationship.showsBoosts)
      let english = try await Self.post("one", in: "en", harness, token: tokens[1])
      _ = try await Self.post("deux", in: "fr", harness, token: tokens[1])
      let unknown = try await Self.post("three", in: nil, harness, token: tokens[1])
      // A boost has the language of the original.
      try await harness.react("reblog", other, token: tokens[1])
      let home = "/api/v1/timelines/home"
      #expect(try await harness.page(home, token: tokens[0]).items.map(\.id) == [unknown, english])

      let list = try await harness.submit("/api/v1/lists", [("title", "Kiosks")], token: tokens[0])
      let path = try #require(list.object["id"] as? String)
      let ben = [("account_ids[]", "\(try harness.id(of: "ben"))")]
      _ = try await harness.submit("/api/v1/lists/\(path)/accounts", ben, token: tokens[0])
      let listed = try await harness.page("/api/v1/timelines/list/\(path)", token: tokens[0])
      #expect(listed.items.map(\.id) == [unknown, english])

      // Other options don't change the languages; an empty list removes them.
      let again = try await harness.relate("follow", "ben", [("notify", "true")], token: tokens[0])
      #expect(again.languages == ["en", "de"] && again.isNotifying)
      let open = try await harness.relate("follow", "ben", [("languages[]", "")], token: tokens[0])
      #expect(open.languages.isEmpty && open.isNotifying)
      #expect(try await harness.page(home, token: tokens[0]).items.count == 4)
      let bad = try await harness.submit(
        "/api/v1/accounts/\(try harness.id(of: "ben"))/follow", [("languages[]", "english")], token: tokens[0])
      #expect(bad.head.status == .unprocessableContent)
    }
  }

  @Test(arguments: Front.allCases)
  func `the options of a request apply after it was accepted`(_ front: Front) async throws {
    try await withService(front) { harness in
      let tokens = try harness.people("anna", "ben")
      _ = try await harness.send(
        .patch, "/api/v1/accounts/update_credentials?locked=true", token: tokens[1])
      let options = [("languages[]", "de"), ("reblogs", "false"), ("notify", "true")]
      let requested = try await harness.relate("follow", "ben", options, token: tokens[0])
      #expect(requested.isRequested && !requested.isFollowing)
      #expect(requested.languages == ["de"] && !requested.showsBoosts && requested.isNotifying)
      // A repeated request keeps the options that it omits.
      let again = try await harness.relate("follow", "ben", [("notify", "false")], token: tokens[0])
      #expect(again.isRequested && again.languages == ["de"] && !again.showsBoosts && !again.isNotifying)
      let path = "/api/v1/follow_requests/\(try harness.id(of: "anna"))/authorize"
      _ = try await harness.submit(path, [], token: tokens[1])
      let ben = try harness.id(of: "ben")
      let answer = try await harness.get("/api/v1/accounts/relationships?id[]=\(ben)", token: tokens[0])
      let now = try #require(try WireDecoder.relationships(from: answer.body).first)
      #expect(now.isFollowing && now.languages == ["de"] && !now.showsBoosts && !now.isNotifying)
    }
  }

  @Test func `streams have only posts in the chosen languages`() async throws {
    try await withServedFront { harness, _ in
      let tokens = try harness.people("anna", "ben", "cora")
      let other = try await Self.post("from cora", in: "fr", harness, token: tokens[2])
      try await harness.relate("follow", "ben", [("languages[]", "en")], token: tokens[0])
      let stream = try await StreamClient.open(.events, "user", port: harness.port, token: tokens[0])
      _ = try await Self.post("deux", in: "fr", harness, token: tokens[1])
      try await harness.react("reblog", other, token: tokens[1])
      let post = try await Self.post("one", in: "en", harness, token: tokens[1])
      #expect(await stream.next()?.member("id") == post.rawValue)
    }
  }
}
