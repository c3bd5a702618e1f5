import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

@Suite(.bounded) struct FilterTests {
  private static let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]

  @concurrent
  private func filter(_ fields: [(String, String)], _ harness: Harness, _ token: String) async throws -> [String: Any] {
    let answer = try await harness.submit("/api/v2/filters", fields, token: token)
    try #require(answer.head.status == .ok, "\(answer.text)")
    return answer.object
  }

  /// The first filter result in a status.
  @concurrent
  private func result(_ id: Qwink.ID, _ harness: Harness, _ token: String) async throws -> [String: Any]? {
    let status = try await harness.get("/api/v1/statuses/\(id)", token: token).object
    return (status["filtered"] as? [[String: Any]])?.first
  }

  @Test(arguments: Front.allCases)
  func `the first filter API returns each keyword as a read-only filter`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let made = try await filter(
        [
          ("title", "Sport"), ("context[]", "home"), ("filter_action", "hide"),
          ("keywords_attributes[][keyword]", "Goal"), ("keywords_attributes[][whole_word]", "true"),
          ("keywords_attributes[][keyword]", "foot"),
        ], harness, alice)
      let answer = try await harness.get("/api/v1/filters", token: alice)
      let old = try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [[String: Any]])
      let keywords = try #require(made["keywords"] as? [[String: Any]])
      #expect(old.map { $0["id"] as? String } == keywords.map { $0["id"] as? String })
      #expect(old.map { $0["phrase"] as? String } == ["Goal", "foot"])
      #expect(old.map { $0["whole_word"] as? Bool } == [true, false])
      #expect(old.allSatisfy { $0["irreversible"] as? Bool == true && $0["context"] as? [String] == ["home"] })
      let path = "/api/v1/filters/\(try #require(old[1]["id"] as? String))"
      #expect(try await harness.get(path, token: alice).object["phrase"] as? String == "foot")
      #expect(try await harness.get(path, token: bob).head.status == .notFound)
      #expect(try await harness.get("/api/v1/filters", token: bob).text == "[]")
      let written = try await harness.submit("/api/v1/filters", [("phrase", "x")], token: alice)
      #expect(written.head.status == .methodNotAllowed)
    }
  }

  @Test(arguments: Front.allCases)
  func `a filter matches words in text and poll for its owner only`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let made = try await filter(
        [
          ("title", "Sport"), ("context[]", "home"), ("context[]", "public"),
          ("keywords_attributes[][keyword]", "Goal"), ("keywords_attributes[][whole_word]", "true"),
          ("keywords_attributes[][keyword]", "foot"),
        ], harness, alice)
      #expect(made["filter_action"] as? String == "warn" && made["expires_at"] is NSNull)
      for (text, words) in [
        ("What a GOAL!", ["Goal"]), ("goals", []), ("football goal", ["Goal", "foot"]), ("(goal)", ["Goal"]),
        ("nothing", []),
      ] {
        let qwink = try await harness.post(text, token: bob)
        let found = try await result(qwink.id, harness, alice)
        #expect(found?["keyword_matches"] as? [String] ?? [] == words, "\(text)")
        #expect(try await result(qwink.id, harness, bob) == nil)
        guard !words.isEmpty else { continue }
        let named = try #require(found?["filter"] as? [String: Any])
        #expect(named["id"] as? String == made["id"] as? String && named["context"] as? [String] == ["home", "public"])
        #expect(
          try await harness.qwink("/api/v1/statuses/\(qwink.id)", token: alice).filterMatches.map(\.title) == ["Sport"])
      }
      let own = try await harness.post("my goal", token: alice)
      #expect(try await result(own.id, harness, alice) == nil)
      let poll = [
        ("status", "Which?"), ("spoiler_text", "quiz"), ("poll[options][]", "a goal"), ("poll[options][]", "b"),
        ("poll[expires_in]", "300"),
      ]
      let asked = try WireDecoder.qwink(from: try await harness.submit("/api/v1/statuses", poll, token: bob).body)
      #expect(try await result(asked.id, harness, alice) != nil)
      let boost = try await harness.react("reblog", asked.id, token: alice)
      #expect(boost.filterMatches.map(\.title) == ["Sport"])
    }
  }

  @Test(arguments: Front.allCases)
  func `a filter's keywords and posts can be changed and deleted`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let qwink = try await harness.post("red green", token: bob)
      let made = try await filter(
        [("title", "Colours"), ("context[]", "home"), ("filter_action", "hide")], harness, alice)
      let path = "/api/v2/filters/\(try #require(made["id"] as? String))"
      #expect(try await result(qwink.id, harness, alice) == nil)
      let word = try await harness.submit(path + "/keywords", [("keyword", "red")], token: alice).object
      let wordPath = "/api/v2/filters/keywords/\(try #require(word["id"] as? String))"
      #expect(
        try await harness.qwink("/api/v1/statuses/\(qwink.id)", token: alice).filterMatches.map(\.hides) == [true])
      let changed = try await harness.send(
        .put, wordPath, token: alice, headers: Self.form, body: Array("keyword=gree&whole_word=true".utf8))
      #expect(changed.object["id"] as? String == word["id"] as? String && changed.object["whole_word"] as? Bool == true)
      #expect(try await result(qwink.id, harness, alice) == nil)
      #expect(try await harness.get(path + "/keywords", token: alice).text.contains("gree"))

      let named = try await harness.submit(path + "/statuses", [("status_id", qwink.id.rawValue)], token: alice).object
      let namedPath = "/api/v2/filters/statuses/\(try #require(named["id"] as? String))"
      #expect(
        try await result(qwink.id, harness, alice)?["status_matches"] as? [String] == [qwink.id.rawValue])
      for target in [path, wordPath, namedPath, path + "/keywords", path + "/statuses"] {
        #expect(try await harness.get(target, token: alice).head.status == .ok)
        #expect(try await harness.get(target, token: bob).head.status == .notFound)
      }
      #expect(try await harness.send(.delete, namedPath, token: alice).head.status == .ok)
      #expect(try await result(qwink.id, harness, alice) == nil)
      let renamed = try await harness.send(
        .put, path, token: alice, headers: Self.form,
        body: Array(
          ("title=Hues&context[]=thread&keywords_attributes[0][id]=\(word["id"] ?? "")&keywords_attributes[0][_destroy]=1"
            + "&keywords_attributes[1][keyword]=green").utf8))
      #expect(renamed.object["title"] as? String == "Hues" && renamed.object["context"] as? [String] == ["thread"])
      #expect((renamed.object["keywords"] as? [[String: Any]])?.map { $0["keyword"] as? String } == ["green"])
      #expect(try await harness.send(.delete, path, token: alice).head.status == .ok)
      #expect(try await harness.get("/api/v2/filters", token: alice).text == "[]")
    }
  }

  @Test @MainActor func `a filter expires`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let qwink = try await harness.post("red", token: bob)
      _ = try await filter(
        [
          ("title", "Now"), ("context[]", "home"), ("expires_in", "60"), ("keywords_attributes[][keyword]", "red"),
        ], harness, alice)
      #expect(try await result(qwink.id, harness, alice) != nil)
      await harness.clock.advance(by: .seconds(60))
      #expect(try await result(qwink.id, harness, alice) == nil)
    }
  }

  @Test(arguments: [
    "context[]=home", "title=a", "title=a&context[]=everywhere", "title=a&context[]=home&filter_action=blur",
    "title=a&context[]=home&expires_in=soon", "title=a&context[]=home&keywords_attributes[]=x",
    "title=a&context[]=home&keywords_attributes[][keyword]=", "title=a&context[]=home&irreversible=true",
  ])
  func `an invalid filter is rejected`(_ body: String) async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let answer = try await harness.send(
        .post, "/api/v2/filters", token: alice, headers: Self.form, body: Array(body.utf8))
      #expect(answer.head.status == .unprocessableContent && answer.errorMessage?.isEmpty == false, "\(answer.text)")
      #expect(try await harness.get("/api/v2/filters", token: alice).text == "[]")
    }
  }
}
