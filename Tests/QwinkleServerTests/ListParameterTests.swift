import Foundation
import GRDB
import HTTPTypes
import QwinkleModel
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing

@testable import QwinkleServer

/// Repeated values in list parameters are removed or rejected, so they can't enlarge rows or responses.
@Suite(.bounded) struct ListParameterTests {
  /// A request with a list. Names in braces are replaced with ids.
  struct Case: Sendable, CustomTestStringConvertible {
    var method = HTTPRequest.Method.post
    var path: String
    /// The other parameters.
    var others = ""
    /// The repeated parameter with its value.
    var repeated: String
    /// Whether repeats are removed. Otherwise the request is rejected.
    var isSet = true

    var testDescription: String { "\(method.rawValue) \(path) \(repeated)" }
  }

  private static let written = [
    Case(path: "/api/v2/filters", others: "title=a", repeated: "context[]=home"),
    Case(
      path: "/api/v2/filters", others: "title=a&context[]=home", repeated: "keywords_attributes[][keyword]=red"),
    Case(path: "/api/v1/reports", others: "account_id={bob}", repeated: "status_ids[]={post}"),
    Case(path: "/api/v1/reports", others: "account_id={bob}", repeated: "rule_ids[]=1"),
    Case(path: "/api/v1/lists/{list}/accounts", repeated: "account_ids[]={bob}"),
    Case(method: .delete, path: "/api/v1/lists/{list}/accounts", repeated: "account_ids[]={bob}"),
    Case(path: "/api/v1/polls/{poll}/votes", repeated: "choices[]=0"),
    Case(path: "/api/v1/statuses", others: "status=a", repeated: "media_ids[]={picture}"),
    Case(
      path: "/api/v1/statuses", others: "status=a&scheduled_at=2031-01-31T18:00:00Z",
      repeated: "media_ids[]={picture}"),
    Case(method: .put, path: "/api/v1/statuses/{own}", others: "status=a", repeated: "media_ids[]={picture}"),
    Case(
      method: .put, path: "/api/v1/statuses/{own}",
      others: "status=a&media_ids[]={picture}", repeated: "media_attributes[][id]={picture}"),
    Case(
      path: "/api/v1/statuses", others: "status=a&poll[expires_in]=300&poll[options][]=b",
      repeated: "poll[options][]=c", isSet: false),
    Case(
      method: .patch, path: "/api/v1/accounts/update_credentials", repeated: "fields_attributes[][name]=a",
      isSet: false),
    Case(path: "/api/v1/apps", others: "client_name=a", repeated: "redirect_uris[]=https://a.example/back"),
  ]

  private static let read = [
    Case(method: .get, path: "/api/v1/notifications", repeated: "types[]=mention"),
    Case(method: .get, path: "/api/v1/notifications", repeated: "exclude_types[]=follow"),
    Case(method: .get, path: "/api/v2/notifications", repeated: "grouped_types[]=favourite"),
    Case(method: .get, path: "/api/v1/accounts/relationships", repeated: "id[]={bob}"),
    Case(method: .get, path: "/api/v1/accounts", repeated: "id[]={bob}"),
    Case(method: .get, path: "/api/v1/statuses", repeated: "id[]={post}"),
    Case(method: .get, path: "/api/v1/markers", repeated: "timeline[]=home"),
    Case(method: .get, path: "/api/v1/timelines/tag/garden", repeated: "any[]=tea"),
    Case(method: .get, path: "/api/v1/timelines/tag/garden", repeated: "all[]=tea"),
    Case(method: .get, path: "/api/v1/timelines/tag/garden", repeated: "none[]=coffee"),
  ]

  private struct Outcome {
    var status: Int
    /// Size of the body and the Link header, in bytes.
    var size: Int
    /// Rows and characters in each table, before and after the request.
    var before, after: [Int64]
  }

  @Test(arguments: written + read)
  func `a value sent 980 times is stored and returned once or rejected`(_ listed: Case) async throws {
    let once = try await outcome(of: listed, times: 1)
    let often = try await outcome(of: listed, times: 980)
    #expect(once.status == 200)
    #expect(often.status == (listed.isSet ? 200 : 422))
    #expect(often.after == (listed.isSet ? once.after : often.before))
    #expect(listed.isSet ? often.size == once.size : often.size < 300, "\(often.size) bytes, not \(once.size)")
  }

  private func outcome(of listed: Case, times: Int) async throws -> Outcome {
    let found = Mutex<Outcome?>(nil)
    try await withService(terms: ServiceTerms(rules: ["Be kind."])) { harness in
      let (token, ids) = try await world(harness)
      func named(_ text: String) -> String {
        ids.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
      }
      let path = named(listed.path)
      let pairs = named(
        ((listed.others.isEmpty ? [] : [listed.others]) + Array(repeating: listed.repeated, count: times))
          .joined(separator: "&"))
      let isRead = listed.method == .get
      let before = try sizes(harness)
      let answer = try await harness.send(
        listed.method, isRead ? "\(path)?\(pairs)" : path, token: token,
        headers: isRead ? [:] : [.contentType: "application/x-www-form-urlencoded"],
        body: isRead ? [] : Array(pairs.utf8))
      let outcome = Outcome(
        status: answer.head.status.code, size: answer.body.count + (answer.link?.utf8.count ?? 0), before: before,
        after: try sizes(harness))
      found.withLock { $0 = outcome }
    }
    return try #require(found.withLock { $0 })
  }

  /// Creates two users and an object for each request. Returns alice's token and the ids.
  @concurrent
  private func world(_ harness: Harness) async throws -> (token: String, ids: [String: String]) {
    let alice = try harness.service.addQwinker(named: "alice")
    let bob = try harness.service.addQwinker(named: "bob")
    try harness.follow("bob", by: "alice")
    let post = try await harness.post("hello @alice #garden #tea", token: bob)
    let asked = try await harness.submit(
      "/api/v1/statuses",
      [("status", "?"), ("poll[options][]", "a"), ("poll[options][]", "b"), ("poll[expires_in]", "300")], token: bob)
    let list = try await harness.submit("/api/v1/lists", [("title", "all")], token: alice)
    let own = try await harness.post("mine", token: alice)
    try await harness.react("favourite", own.id, token: bob)
    return (
      alice,
      [
        "bob": "\(try harness.id(of: "bob"))", "post": post.id.rawValue, "own": own.id.rawValue,
        "poll": try #require(try WireDecoder.qwink(from: asked.body).poll?.id.rawValue),
        "list": try #require(list.object["id"] as? String),
        "picture": try await harness.upload(token: alice).id.rawValue,
      ]
    )
  }

  private func sizes(_ harness: Harness) throws -> [Int64] {
    let columns = [
      "filters": "contexts", "filter_keywords": "keyword", "reports": "statuses || rules", "list_members": "''",
      "poll_votes": "''", "poll_options": "title", "statuses": "source", "status_versions": "media",
      "media": "coalesce(status_id, '')", "scheduled": "entry", "apps": "redirect_uris", "accounts": "fields",
    ]
    return try harness.service.write { session in
      try columns.sorted { $0.key < $1.key }.flatMap { table, column in
        try session.numbers("SELECT coalesce(sum(1 + length(\(column))), 0) FROM \(table)")
      }
    }
  }

  @Test func `repeated values in rows of older versions are returned once`() async throws {
    try await withService(terms: ServiceTerms(rules: ["Be kind."])) { harness in
      let (alice, ids) = try await world(harness)
      let bob = try #require(ids["bob"])
      let post = try #require(ids["post"])
      let filter = [("title", "a"), ("context[]", "home"), ("keywords_attributes[][keyword]", "hello")]
      let made = try await harness.submit("/api/v2/filters", filter, token: alice)
      let report = [("account_id", bob), ("status_ids[]", post), ("rule_ids[]", "1")]
      #expect(try await harness.submit("/api/v1/reports", report, token: alice).head.status == .ok)
      try harness.service.write { session in
        let contexts = ["public"] + Array(repeating: "home", count: 980)
        try session.run("UPDATE filters SET contexts = ?", [SmallJSON.text(contexts)])
        let posts = Array(repeating: try #require(Int64(post)), count: 980)
        let rules = Array(repeating: "Be kind.", count: 980)
        try session.run("UPDATE reports SET statuses = ?, rules = ?", [jsonArray(posts), SmallJSON.text(rules)])
      }
      let path = "/api/v2/filters/\(try #require(made.object["id"] as? String))"
      #expect(try await harness.get(path, token: alice).object["context"] as? [String] == ["home", "public"])
      let old = try await harness.get("/api/v1/filters", token: alice)
      #expect(old.text.contains(#""context":["home","public"]"#), "\(old.text)")
      let status = try await harness.get("/api/v1/statuses/\(post)", token: alice)
      #expect(status.text.contains(#""context":["home","public"]"#), "\(status.text)")
      let stored = try #require(try harness.service.reports().first)
      #expect(stored.posts == [post] && stored.rules == ["Be kind."])
    }
  }

  @Test func `a filter match reports at most three keywords`() async throws {
    try await withService { harness in
      let (alice, ids) = try await world(harness)
      let keywords = "hello".indices.map { ("keywords_attributes[][keyword]", String("hello"[...$0])) }
      let filter = [("title", "a"), ("context[]", "home")] + keywords
      #expect(try await harness.submit("/api/v2/filters", filter, token: alice).head.status == .ok)
      let status = try await harness.get("/api/v1/statuses/\(try #require(ids["post"]))", token: alice).object
      let match = try #require((status["filtered"] as? [[String: Any]])?.first)
      #expect(match["keyword_matches"] as? [String] == ["h", "he", "hel"])
    }
  }
}
