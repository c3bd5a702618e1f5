import Foundation
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleApp

/// `--json` prints what the server sent.
@Suite(.bounded) struct SentJSONTests {
  private static let account = """
    {"id":"7","username":"bob","acct":"bob","display_name":"Bob","note":"","pronouns":["he",null],"discoverable":null}
    """
  private static let status = """
    {"id":"1","created_at":"2026-01-01T00:00:00.000Z","content":"<p>Hi</p>","visibility":"public",\
    "account":\(account),"local_only":true,"poll":\(poll)}
    """
  private static let poll = #"{"id":"5","options":[{"title":"Tea","votes_count":1,"colour":"green"}],"emoji":"🫖"}"#
  private static let notification =
    #"{"id":"3","type":"follow","created_at":"2026-01-01T00:00:00.000Z","account":\#(account),"seen":1}"#
  private static let conversation =
    #"{"id":"4","accounts":[\#(account)],"unread":false,"last_status":\#(status),"muted_until":"never"}"#
  private static let context = #"{"ancestors":[],"descendants":[],"truncated":false}"#
  private static let tag = #"{"name":"tea","url":"https://tilde.example/tags/tea","history":[],"featuring":true}"#
  private static let card = #"{"url":"https://a.example/","title":"A","blurhash":null}"#
  private static let list = #"{"id":"6","title":"Friends","colour":"red"}"#
  private static let announcement = #"{"id":"8","content":"<p>Hi</p>","read":true,"emoji":[1.50,-0]}"#
  private static let version =
    #"{"created_at":"2026-01-01T00:00:00.000Z","content":"<p>Hi</p>","account":\#(account),"by":"me"}"#
  private static let server = #"{"domain":"tilde.example","title":"Tilde","version":"4.5.0","icon":[{"size":"36x36"}]}"#

  private static let answers: [(path: String, body: String)] = [
    ("/api/v1/accounts/verify_credentials", account), ("/api/v1/accounts/lookup", account),
    ("/api/v1/accounts/7", account), ("/api/v1/statuses/1/context", context),
    ("/api/v1/statuses/1/history", "[\(version)]"), ("/api/v1/statuses/1", status),
    ("/api/v1/timelines/public", "[\(status)]"), ("/api/v1/notifications", "[\(notification)]"),
    ("/api/v1/conversations", "[\(conversation)]"), ("/api/v1/mutes", "[\(account)]"),
    ("/api/v1/trends/tags", "[\(tag)]"), ("/api/v1/trends/links", "[\(card)]"), ("/api/v1/followed_tags", "[\(tag)]"),
    ("/api/v1/lists", "[\(list)]"), ("/api/v1/announcements", "[\(announcement)]"), ("/api/v1/polls/5", poll),
    ("/api/v2/instance", server),
  ]

  private static let commands: [(arguments: [String], sent: String)] = [
    (["whoami"], account), (["profile"], account), (["profile", "@bob"], account),
    (["timeline", "public"], "[\(status)]"), (["notifications"], "[\(notification)]"),
    (["messages"], "[\(conversation)]"), (["muted"], "[\(account)]"), (["trends"], "[\(tag)]"),
    (["trends", "--links"], "[\(card)]"), (["tags"], "[\(tag)]"), (["lists"], "[\(list)]"),
    (["announcements"], "[\(announcement)]"), (["vote", "1"], poll), (["server"], server),
    (["history", "1"], "[\(version)]"),
    (["thread", "1"], #"{"status":\#(status),"ancestors":[],"descendants":[],"truncated":false}"#),
  ]

  @Test(arguments: commands.indices) func `--json prints the members that the server sent`(index: Int) async throws {
    let (arguments, sent) = Self.commands[index]
    try await withServer { request in
      guard let answer = Self.answers.first(where: { request.path.hasPrefix($0.path) }) else {
        return .json(Array(#"{"error":"Record not found"}"#.utf8), status: 404)
      }
      return .json(Array(answer.body.utf8))
    } _: { server in
      try await Program.inNewHome { home in
        try home.write("token\n".utf8, to: "token")
        let program = home.with(["QWINKLE_TOKEN_COMMAND": "cat \(home.home)/token"])
        let outcome = try await program.run(arguments + ["--json", "--server", server.url])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try Self.value(outcome.text) == Self.value(sent), "\(arguments): \(outcome.text)")
      }
    }
  }

  private static func value(_ json: String) throws -> NSObject {
    try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSObject)
  }

  @Test func `an item without the server's JSON is encoded`() {
    let entries: [(item: Int, source: [UInt8])] = [(1, Array(#"{"a":1}"#.utf8)), (2, [])]
    let json = SentJSON.array(entries) { items in Array("[\(items[0])]".utf8) }
    #expect(String(decoding: json, as: UTF8.self) == #"[{"a":1},2]"#)
    #expect(SentJSON.array([(item: Int, source: [UInt8])]()) { _ in [] } == Array("[]".utf8))
  }

  @Test(arguments: [("{}", #"{"x":1}"#), (" { \n}", #"{"x":1}"#), (#"{"a":2}"#, #"{"x":1,"a":2}"#)])
  func `a member is added to any object`(object: String, whole: String) {
    let json = SentJSON.object(Array(object.utf8), adding: "x", Array("1".utf8))
    #expect(String(decoding: json, as: UTF8.self) == whole)
  }
}
