import Foundation
import GRDB
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Searching for qwinks, qwinkers and tags.
@Suite(.bounded) struct SearchTests {
  @concurrent
  private func find(
    _ query: String, _ more: String = "", token: String? = nil, at harness: Harness
  ) async throws -> SearchResults {
    let answer = try await harness.get("/api/v2/search?q=\(PercentEncoding.component(query))\(more)", token: token)
    try #require(answer.head.status == .ok, "\(query): \(answer.text)")
    return try WireDecoder.searchResults(from: answer.body)
  }

  @concurrent
  private func texts(_ query: String, _ more: String = "", token: String? = nil, at harness: Harness) async throws
    -> [String]
  {
    try await find(query, "&type=statuses" + more, token: token, at: harness).qwinks.map(\.text.plainText)
  }

  @Test(arguments: Front.allCases)
  func `qwinks are found by their words with the newest first`(_ front: Front) async throws {
    try await withService(front) { harness in
      let token = try harness.service.addQwinker(named: "alice")
      for text in [
        "The quick brown fox", "Jumps over a lazy Dog", "Füchse sind schnell", "今日は東京へ行きました", "snake_case_name",
        "see https://example.org/page", "don't say foxtrot", "#FoxHunt is a tag",
      ] {
        try await harness.post(text, token: token)
      }
      let cases: [(String, [String])] = [
        ("fox", ["#FoxHunt is a tag", "don't say foxtrot", "The quick brown fox"]),
        ("QUICK fox", ["The quick brown fox"]), ("fox quick", ["The quick brown fox"]),
        ("fuchse", ["Füchse sind schnell"]), ("Fu\u{308}chse", ["Füchse sind schnell"]),
        ("東京", ["今日は東京へ行きました"]), ("京へ行", ["今日は東京へ行きました"]), ("東行", []),
        ("case_na", ["snake_case_name"]), ("https://example.org/page", ["see https://example.org/page"]),
        ("don't", ["don't say foxtrot"]), ("#foxhunt", ["#FoxHunt is a tag"]), ("x", []),
      ]
      for (query, expected) in cases {
        #expect(try await texts(query, token: token, at: harness) == expected, "\(query)")
      }
    }
  }

  @Test func `search follows edits and deletions`() async throws {
    try await withService { harness in
      let token = try harness.service.addQwinker(named: "alice")
      let qwink = try await harness.post("first words", token: token)
      let path = "/api/v1/statuses/\(qwink.id)"
      let edited = try await harness.send(
        .put, path, token: token, headers: [.contentType: "application/json"],
        body: Array(#"{"status":"other sentence","spoiler_text":"careful"}"#.utf8))
      try #require(edited.head.status == .ok)
      #expect(try await texts("words", token: token, at: harness) == [])
      #expect(try await texts("sentence", token: token, at: harness) == ["other sentence"])
      #expect(try await texts("careful", token: token, at: harness) == ["other sentence"])
      try await harness.react("reblog", qwink.id, token: token)
      #expect(try await texts("sentence", token: token, at: harness) == ["other sentence"])
      _ = try await harness.send(.delete, path, token: token)
      #expect(try await texts("sentence", token: token, at: harness) == [])
    }
  }

  @Test(arguments: [
    "\"", "\"\"", "(", "fox AND", "NOT fox", "fox OR dog", "text:fox", "{text}:fox", "^fox", "fox*", "fo*x", "-fox",
    "NEAR(fox dog)", "fox + dog", "'; DROP TABLE statuses; --", "\u{0}fox", "\u{FFFF}", "🦊", "%", "_", "\\",
    "\"fox\" \"dog", "fox\" OR text:\"dog",
  ])
  func `query syntax is treated as plain text`(_ query: String) async throws {
    try await withService { harness in
      let token = try harness.service.addQwinker(named: "alice")
      try await harness.post("fox and OR near text", token: token)
      try await harness.post("dog", token: token)
      let answer = try await harness.get("/api/v2/search?q=\(PercentEncoding.component(query))", token: token)
      #expect([.ok, .unprocessableContent].contains(answer.head.status), "\(answer.text)")
      let found = try await texts(query.isEmpty ? "x" : query, token: token, at: harness)
      #expect(!found.contains("dog"))
      #expect(try await harness.page("/api/v1/timelines/public").items.count == 2)
    }
  }

  @Test func `long queries are accepted`() async throws {
    try await withService { harness in
      let token = try harness.service.addQwinker(named: "alice")
      try await harness.post("word", token: token)
      for query in [
        String(repeating: "word ", count: 500), String(repeating: "x", count: 10_000),
        String(repeating: "\"", count: 3000), String(repeating: "字", count: 2000),
      ] {
        #expect(
          try await harness.get("/api/v2/search?q=\(PercentEncoding.component(query))", token: token).head.status == .ok
        )
      }
      #expect(try await texts(String(repeating: "word ", count: 500), token: token, at: harness) == ["word"])
    }
  }

  @Test func `restricted qwinks are found only by their audience`() async throws {
    try await withService { harness in
      var tokens: [String: String] = [:]
      for name in ["author", "follower", "mentioned", "stranger"] {
        tokens[name] = try harness.service.addQwinker(named: name)
      }
      try harness.follow("author", by: "follower")
      let author = try #require(tokens["author"])
      for visibility in Visibility.allCases {
        try await harness.post(
          "needle \(visibility.rawValue) for @mentioned #tag\(visibility.rawValue)", token: author,
          visibility: visibility)
      }
      let expected: [String: [Visibility]] = [
        "author": [.direct, .private, .unlisted, .public], "follower": [.private, .unlisted, .public],
        "mentioned": [.direct, .private, .unlisted, .public], "stranger": [.public], "nobody": [.public],
      ]
      for (name, visibilities) in expected {
        let found = try await find("needle", token: tokens[name], at: harness)
        #expect(Set(found.qwinks.map(\.visibility)) == Set(visibilities), "\(name)")
        #expect(found.qwinks.count == visibilities.count)
        // Tags don't reveal restricted qwinks.
        #expect(
          try await find("#tag", "&type=hashtags", token: tokens[name], at: harness).tags.map(\.name) == ["tagpublic"])
      }
    }
  }

  @Test(arguments: Front.allCases)
  func `a URL of this server finds its account or qwink`(_ front: Front) async throws {
    try await withService(front) { harness in
      let token = try harness.service.addQwinker(named: "alice")
      let other = try harness.service.addQwinker(named: "bob")
      let qwink = try await harness.post("here", token: token)
      let secret = try await harness.post("@alice mine alone", token: token, visibility: .direct)
      let (url, page) = (try #require(qwink.url), try #require(qwink.author.url))
      let byURL = try await find(url, "&resolve=true", token: other, at: harness)
      #expect(byURL.qwinks.map(\.id) == [qwink.id] && byURL.qwinkers.isEmpty)
      #expect(try await find(page + "/", at: harness).qwinkers.map(\.userName) == ["alice"])
      #expect(try await find(page, "&type=statuses", at: harness).isEmpty)
      #expect(try await find(try #require(secret.url), token: other, at: harness).isEmpty)
      #expect(try await find(try #require(secret.url), token: token, at: harness).qwinks.map(\.id) == [secret.id])
      #expect(try await find(url.replacing("@alice", with: "@bob"), at: harness).isEmpty)
      #expect(try await find("https://elsewhere.example/@alice/\(qwink.id)", at: harness).isEmpty)
    }
  }

  @Test func `search limits and pages each kind of result`() async throws {
    try await withService { harness in
      let token = try harness.service.addQwinker(named: "alice")
      let other = try harness.service.addQwinker(named: "alicia")
      var ids: [Qwink.ID] = []
      for number in 0..<5 {
        ids.insert(try await harness.post("ali \(number) #alibi\(number)", token: token).id, at: 0)
      }
      let fromOther = try await harness.post("ali too", token: other)
      let all = try await find("ali", "&limit=3", at: harness)
      #expect(all.qwinkers.map(\.userName) == ["alice", "alicia"])
      #expect(all.qwinks.map(\.id) == [fromOther.id] + ids.prefix(2))
      #expect(all.tags.map(\.name) == ["alibi0", "alibi1", "alibi2"])
      #expect(all.tags.allSatisfy { $0.usesCount == 1 })
      let next = try await find("ali", "&type=statuses&limit=3&offset=3", token: token, at: harness)
      #expect(next.qwinks.map(\.id) == Array(ids[2..<5]) && next.qwinkers.isEmpty && next.tags.isEmpty)
      let older = try await find("ali", "&type=statuses&max_id=\(ids[2])", token: token, at: harness)
      #expect(older.qwinks.map(\.id) == Array(ids[3...]))
      let hers = try await find("ali", "&type=statuses&account_id=\(fromOther.author.id)", at: harness)
      #expect(hers.qwinks.map(\.id) == [fromOther.id])
      #expect(try await find("#alibi1", "&type=hashtags", at: harness).tags.map(\.name) == ["alibi1"])

      for target in ["?q=ali&offset=1", "?q=ali&resolve=true"] {
        #expect(try await harness.get("/api/v2/search\(target)").head.status == .unauthorized)
      }
      for target in ["", "?q=", "?q=+", "?q=a&type=x", "?q=a&account_id=x"] {
        #expect(try await harness.get("/api/v2/search\(target)").head.status == .unprocessableContent)
      }
    }
  }

  @Test(arguments: [2, 4])
  func `qwinks saved by an older version are found`(steps: Int) async throws {
    try await withDirectory { directory in
      try OldFile.make(in: directory, steps: steps) { db in
        try db.execute(sql: "INSERT INTO accounts (id, name, display_name, created_at) VALUES (1, 'old', 'Old', 0)")
        try db.execute(
          sql: """
            INSERT INTO statuses (id, account_id, created_at, visibility, source, warning)
            VALUES (5, 1, 0, 0, 'an old text 東京都', 'warned'), (6, 1, 0, 3, 'old secret', '')
            """)
      }
      let service = try Service(directory: directory, welcome: "", owner: "", clock: VirtualClock())
      let harness = Harness(
        service: service, transport: service.transport(), authority: "localhost", directory: directory,
        clock: VirtualClock())
      for query in ["old", "warn", "京都"] {
        #expect(try await find(query, "&type=statuses", at: harness).qwinks.map(\.id.rawValue) == ["5"], "\(query)")
      }
    }
  }

  @Test(arguments: Front.allCases)
  func `tag timelines combine tags and a tag reports its daily use`(_ front: Front) async throws {
    try await withService(front) { harness in
      let token = try harness.service.addQwinker(named: "alice")
      var ids: [String: Qwink.ID] = [:]
      for text in ["#one", "#two", "#one #two", "#one #three", "#four"] {
        ids[text] = try await harness.post(text, token: token).id
      }
      func list(_ target: String) async throws -> [String] {
        try await harness.page("/api/v1/timelines/tag/\(target)").items.map(\.text.plainText)
      }
      #expect(try await list("ONE") == ["#one #three", "#one #two", "#one"])
      #expect(try await list("one?any[]=two") == ["#one #three", "#one #two", "#two", "#one"])
      #expect(try await list("one?all[]=Two") == ["#one #two"])
      #expect(try await list("one?none[]=two&none[]=three") == ["#one"])
      #expect(try await list("one?any[]=four&none[]=three&limit=2") == ["#four", "#one #two"])
      let page = try await harness.page("/api/v1/timelines/tag/one?any[]=two&limit=2")
      let rest = try await harness.page(try #require(page.older?.url))
      #expect(rest.items.map(\.text.plainText) == ["#two", "#one"])

      let tag = try await harness.get("/api/v1/tags/One").object
      #expect(tag["name"] as? String == "one")
      #expect(tag["following"] as? Bool == false)
      let history = try #require(tag["history"] as? [[String: String]])
      #expect(history.count == 7)
      #expect(history[0] == ["day": "1767225600", "uses": "3", "accounts": "1"])
      #expect(history[1]["uses"] == "0")
      #expect(try await harness.get("/api/v1/tags/never").head.status == .ok)
      #expect(try await harness.get("/api/v1/tags/no%20tag").head.status == .notFound)
    }
  }

  /// Measures processor time in the database, so that a busy machine doesn't matter. A soak run stores 100,000 qwinks.
  @Test(arguments: ["common", "w", "word1"])
  func `searching for a common word takes the same work with more qwinks`(query: String) async throws {
    try await withService { harness in
      _ = try harness.service.addQwinker(named: "alice")
      var random = SplitMix(seed: 7)
      let words = (0..<5000).map { "word\(String($0, radix: 36))" }
      func add(_ count: Int) throws {
        try harness.service.write { session in
          let me = try #require(try session.accountID(named: "alice"))
          for _ in 0..<count {
            let text = (0..<20).map { _ in words[Int(random.next() % 5000)] }.joined(separator: " ")
            _ = try session.addStatus(NewStatus(account: me, source: "\(text) common"))
          }
        }
      }
      func effort() throws -> Double {
        try harness.service.write { session in
          try Effort.least {
            Portion(limit: 20, offset: 0)
          } _: { portion in
            let hits = try session.statuses(found: query, portion, in: .init(), by: nil)
            #expect(hits.count == 20)
          }
        }
      }
      let count = Soak.runs(250, times: 25)
      try add(count)
      let few = try effort()
      try add(15 * count)
      #expect(try effort() / max(few, 0.000_1) < 8)
    }
  }
}
