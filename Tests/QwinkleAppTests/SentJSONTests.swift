import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing

@testable import QwinkleApp
@testable import QwinkleService

/// Each command with `--json` prints the JSON that the server sent.
@MainActor
@Suite(.bounded) struct SentJSONTests {
  /// A command and the JSON that it prints.
  struct Row: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    var sent: String

    init(_ arguments: String..., sent: String) {
      self.arguments = arguments
      self.sent = sent
    }

    var testDescription: String { arguments.joined(separator: " ") }
  }

  // MARK: Entities

  nonisolated private static let unknown = #""x_unknown":false"#
  nonisolated private static let me =
    #"{"id":"9","username":"mara","acct":"mara","note":"","source":{"privacy":"public","note":""},\#(unknown)}"#
  /// The user's account, with members that Pleroma sends only to the user.
  nonisolated private static func credentials(token: String) -> String {
    #"\#(me.dropLast()),"pleroma":{"is_admin":false,"chat_token":\#(token)}}"#
  }
  nonisolated private static let bob = """
    {"id":"7","username":"bob","acct":"bob","display_name":"Bob","note":"","pronouns":["he",null],"discoverable":null,\
    \(unknown)}
    """
  nonisolated private static let time = #""created_at":"2026-01-01T00:00:00.000Z""#
  nonisolated private static let poll =
    #"{"id":"5","options":[{"title":"Tea","votes_count":1,"colour":"green"}],"emoji":"🫖",\#(unknown)}"#
  nonisolated private static let status = """
    {"id":"1",\(time),"content":"<p>Hi</p>","visibility":"public","account":\(bob),"local_only":true,"poll":\(poll),\
    \(unknown)}
    """
  /// A status by the user.
  nonisolated private static let own =
    #"{"id":"2",\#(time),"content":"<p>Hi</p>","visibility":"public","account":\#(me),\#(unknown)}"#
  nonisolated private static let boost = #"{"id":"20",\#(time),"account":\#(me),"content":"","reblog":\#(status)}"#
  nonisolated private static let message =
    #"{"id":"3",\#(time),"content":"<p>Tea?</p>","visibility":"direct","account":\#(bob),\#(unknown)}"#
  nonisolated private static let conversation =
    #"{"id":"4","accounts":[\#(bob)],"unread":false,"last_status":\#(message),"muted_until":"never",\#(unknown)}"#
  nonisolated private static let notification =
    #"{"id":"3","type":"follow",\#(time),"account":\#(bob),"seen":1,\#(unknown)}"#
  nonisolated private static let relationship =
    #"{"id":"7","following":false,"note":"Baker","languages":["de"],\#(unknown)}"#
  /// A context with a status that Qwinkle can't decode.
  nonisolated private static let context =
    #"{"ancestors":[{"format":2}],"descendants":[\#(own)],"truncated":false}"#
  nonisolated private static let tag =
    #"{"name":"tea","url":"https://tilde.example/tags/tea","history":[],"featuring":true,\#(unknown)}"#
  nonisolated private static let results =
    #"{"took":3,"accounts":[\#(bob)],"statuses":[\#(status)],"hashtags":[\#(tag)],\#(unknown)}"#
  nonisolated private static let card = #"{"url":"https://a.example/","title":"A","blurhash":null,\#(unknown)}"#
  nonisolated private static let list = #"{"id":"6","title":"Friends","colour":"red",\#(unknown)}"#
  nonisolated private static let filter = """
    {"id":"11","title":"Tea","context":["home"],"filter_action":"warn","keywords":[{"id":"1","keyword":"tea","n":1}],\
    \(unknown)}
    """
  nonisolated private static let scheduled = """
    {"id":"8","scheduled_at":"2027-01-01T00:00:00.000Z","media_attachments":[],\
    "params":{"text":"Hi","visibility":"public","with_rate_limit":1},\(unknown)}
    """
  nonisolated private static let announcement = #"{"id":"8","content":"<p>Hi</p>","emoji":[1.50,-0],\#(unknown)}"#
  nonisolated private static let version =
    #"{\#(time),"content":"<p>Hi</p>","account":\#(bob),"by":"me",\#(unknown)}"#
  nonisolated private static let server =
    #"{"domain":"writing.example","title":"W","version":"4.5.0","api_versions":{"mastodon":7},\#(unknown)}"#
  nonisolated private static let quote = #""quote":{"state":"accepted","quoted_status":\#(own),"colour":"green"}"#
  /// Posts by bob and by the user that quote the user's post.
  nonisolated private static let quoting =
    #"{"id":"30",\#(time),"content":"<p>See</p>","visibility":"public","account":\#(bob),\#(quote),\#(unknown)}"#
  nonisolated private static let ownQuote =
    #"{"id":"31",\#(time),"content":"<p>Hi</p>","visibility":"public","account":\#(me),\#(quote),\#(unknown)}"#
  nonisolated private static let translation =
    #"{"content":"<p>Hallo</p>","detected_source_language":"en","provider":"L","mood":"good",\#(unknown)}"#
  nonisolated private static let collection = #"{"id":"9","name":"Bakers","item_count":1,"colour":"red",\#(unknown)}"#
  nonisolated private static let notificationRequest = """
    {"id":"12",\(time),"updated_at":"2026-01-01T00:00:00.000Z","notifications_count":"1","account":\(bob),\
    "last_status":\(status),\(unknown)}
    """
  nonisolated private static let policy =
    #"{"for_not_following":"filter","for_martians":"drop","summary":{"pending_requests_count":1},\#(unknown)}"#
  nonisolated private static let featuredTag =
    #"{"id":"13","name":"tea","statuses_count":"1","colour":"red",\#(unknown)}"#

  // MARK: The table

  nonisolated private static let rows: [Row] = [
    Row("whoami", sent: credentials(token: "null")), Row("profile", sent: credentials(token: "null")),
    Row("profile", "@bob", sent: bob),
    Row("timeline", "public", sent: "[\(status)]"), Row("timeline", "@bob", sent: "[\(status)]"),
    Row("thread", "1", sent: #"{"status":\#(status),\#(context.dropFirst())"#),
    Row("thread", "1", "--rest", sent: #"{"status":\#(status),\#(context.dropFirst())"#),
    Row("thread", "20", sent: #"{"status":\#(status),\#(context.dropFirst())"#),
    Row("messages", sent: "[\(conversation)]"), Row("messages", "4", sent: "[\(message)]"),
    Row("messages", "@bob", sent: "[\(message)]"), Row("messages", "4", "--delete", sent: conversation),
    Row("notifications", sent: "[\(notification)]"), Row("search", "tea", sent: results),
    Row("history", "1", sent: "[\(version)]"), Row("trends", sent: "[\(tag)]"),
    Row("trends", "--links", sent: "[\(card)]"), Row("announcements", sent: "[\(announcement)]"),
    Row("server", sent: server), Row("translate", "1", sent: translation),
    Row("filtered", sent: "[\(notificationRequest)]"), Row("notification-policy", sent: policy),
    Row("collections", "@bob", sent: "[\(collection)]"), Row("collection", "9", sent: "[\(bob)]"),
    Row("quotes", "1", sent: "[\(status)]"),

    Row("post", "Hi", sent: own), Row("post", "Hi", "--thread", sent: "[\(own)]"),
    Row("post", "Hi", "--at", "2h", sent: scheduled), Row("reply", "2", "Hi", sent: own),
    Row("message", "@bob", "Hi", sent: own), Row("edit", "2", "Hi", sent: own), Row("delete", "2", sent: own),
    Row("quote", "2", "Hi", sent: ownQuote), Row("quote-policy", "2", "nobody", sent: own),
    Row("revoke-quote", "30", sent: quoting),
    Row("redraft", "2", sent: own), Row("scheduled", sent: "[\(scheduled)]"),
    Row("scheduled", "8", sent: "[\(scheduled)]"), Row("scheduled", "8", "--at", "2h", sent: scheduled),

    Row("boost", "1", sent: status), Row("boost", "20", sent: status), Row("boost", "1", "--undo", sent: status),
    Row("favourite", "1", sent: status), Row("bookmark", "1", sent: status), Row("pin", "2", sent: own),
    Row("mute-thread", "1", sent: status), Row("vote", "1", sent: poll), Row("vote", "1", "Tea", sent: poll),

    Row("follow", "@bob", sent: relationship), Row("follow", "@bob", "--undo", sent: relationship),
    Row("accept", "@bob", sent: relationship), Row("refuse", "@bob", sent: relationship),
    Row("followers", "@bob", sent: "[\(bob)]"), Row("following", "@bob", sent: "[\(bob)]"),
    Row("boosted-by", "1", sent: "[\(bob)]"), Row("favourited-by", "1", sent: "[\(bob)]"),
    Row("requests", sent: "[\(bob)]"), Row("remove-follower", "@bob", sent: relationship),
    Row("mute", "@bob", sent: relationship), Row("muted", sent: "[\(bob)]"), Row("block", "@bob", sent: relationship),
    Row("blocked", sent: "[\(bob)]"), Row("block-server", sent: #"["bank.example"]"#),
    Row("note", "@bob", sent: relationship), Row("note", "@bob", "Baker", sent: relationship),

    Row("lists", sent: "[\(list)]"), Row("list", "Friends", sent: "[\(bob)]"),
    Row("list", "Friends", "--create", sent: list), Row("list", "Friends", "--rename", "Pals", sent: list),
    Row("tags", sent: "[\(tag)]"), Row("follow-tag", "tea", sent: tag),
    Row("feature-tag", "tea", sent: "[\(featuredTag)]"), Row("filters", sent: "[\(filter)]"),
    Row("filter", "Tea", sent: filter), Row("filter", "Tea", "--word", "x", sent: filter),
    Row("filter", "New", "--word", "x", sent: filter),
  ]

  /// Streams print each item on a separate line.
  nonisolated private static let streams = [
    Row("stream", "public", sent: status), Row("stream", "notifications", sent: notification),
    Row("stream", "direct", sent: conversation),
  ]

  /// Commands that print local data.
  private static let localNames: Set<String> = [
    "drafts", "outbox", "accounts", "resources", "export", "import",
    // They print about tokens and the operator's server.
    "token", "serve",
    // They print cached posts. CatchUpCommandTests compares the JSON of a catch-up.
    "catchup", "filter-matches",
  ]

  // MARK: The server

  nonisolated private static func answer(to request: TransportRequest) -> String? {
    let path = String(request.head.path?.prefix { $0 != "?" } ?? "")
    let isWrite = request.head.method != .get
    switch path {
    case "/api/v2/instance": return server
    case "/api/v1/accounts/verify_credentials": return credentials(token: #""SFMyNTY.secret""#)
    case "/api/v1/accounts/lookup", "/api/v1/accounts/7": return bob
    case "/api/v1/accounts/relationships": return "[null,\(relationship)]"
    case "/api/v1/accounts/7/statuses", "/api/v1/timelines/public": return "[\(status)]"
    case "/api/v1/accounts/7/followers", "/api/v1/accounts/7/following", "/api/v1/statuses/1/reblogged_by",
      "/api/v1/statuses/1/favourited_by", "/api/v1/follow_requests", "/api/v1/mutes", "/api/v1/blocks",
      "/api/v1/lists/6/accounts":
      return "[\(bob)]"
    case "/api/v1/statuses" where String(decoding: request.body, as: UTF8.self).contains("quoted_status_id"):
      return ownQuote
    case "/api/v1/statuses/1/quotes": return "[\(status)]"
    case "/api/v1/statuses/30", "/api/v1/statuses/2/quotes/30/revoke": return quoting
    case "/api/v1/statuses/1/translate": return translation
    case "/api/v1/notifications/requests": return "[\(notificationRequest)]"
    case "/api/v2/notifications/policy": return policy
    case "/api/v1/accounts/7/collections": return #"{"collections":[\#(collection)]}"#
    case "/api/v1/collections/9":
      return #"{"accounts":[\#(bob)],"collection":{"id":"9","account_id":"1","items":[{"account_id":"7"}]}}"#
    case "/api/v1/featured_tags": return "[\(featuredTag)]"
    case "/api/v1/statuses":
      return String(decoding: request.body, as: UTF8.self).contains("scheduled_at") ? scheduled : own
    case "/api/v1/statuses/1/context": return context
    case "/api/v1/statuses/3/context": return #"{"ancestors":[],"descendants":[]}"#
    case "/api/v1/statuses/1/history": return "[\(version)]"
    case "/api/v1/statuses/2/source": return #"{"id":"2","text":"Hi","spoiler_text":""}"#
    case "/api/v1/statuses/1/reblog", "/api/v1/statuses/20": return boost
    case "/api/v1/scheduled_statuses": return "[\(scheduled)]"
    case "/api/v1/scheduled_statuses/8": return scheduled
    case "/api/v1/conversations": return "[\(conversation)]"
    case "/api/v1/conversations/4": return "{}"
    case "/api/v1/notifications": return "[\(notification)]"
    case "/api/v2/search": return results
    case "/api/v1/trends/tags", "/api/v1/followed_tags": return "[\(tag)]"
    case "/api/v1/tags/tea/follow": return tag
    case "/api/v1/trends/links": return "[\(card)]"
    case "/api/v1/announcements": return "[\(announcement)]"
    case "/api/v1/polls/5", "/api/v1/polls/5/votes": return poll
    case "/api/v1/lists": return isWrite ? list : "[\(list)]"
    case "/api/v1/lists/6": return list
    case "/api/v2/filters": return isWrite ? filter : "[\(filter)]"
    case "/api/v2/filters/11": return filter
    case "/api/v1/domain_blocks": return #"["bank.example"]"#
    case _ where path.hasPrefix("/api/v1/statuses/1"): return status
    case _ where path.hasPrefix("/api/v1/statuses/2"): return own
    case _ where isWrite && (path.hasPrefix("/api/v1/accounts/7/") || path.hasPrefix("/api/v1/follow_requests/7/")):
      return relationship
    default: return nil
    }
  }

  private func harness() -> CommandHarness {
    CommandHarness(transport: {
      ScriptedTransport { request in
        // Once, because everything is on the first page.
        let isFirst = request.head.path?.contains("max_id=") != true
        guard isFirst, let answer = Self.answer(to: request) else {
          return .json(WireEncoder.error("Record not found"), status: 404)
        }
        // Servers may send several lines, and bytes around the JSON.
        return .json(Array("\u{FEFF} \n\(answer)\n<!-- 3 ms -->".utf8))
      }
    })
  }

  private static func value(_ json: String) throws -> NSObject {
    try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSObject)
  }

  @Test(arguments: rows) func `--json prints the members that the server sent`(row: Row) async throws {
    let outcome = try await harness().run(row.arguments + ["--json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Self.value(outcome.output) == Self.value(row.sent), "\(outcome)")
  }

  @Test(arguments: streams) func `a stream prints each item as the server sent it`(row: Row) async throws {
    let output = try await harness().run(row.arguments + ["--since", "0", "--json"]) { $0.contains("\n") }
    let lines = output.split(separator: "\n")
    #expect(lines.count == 1)
    #expect(try Self.value(String(lines.first ?? "")) == Self.value(row.sent), "\(output)")
  }

  @Test func `every command with --json is in the table or prints local data`() throws {
    func takesJSON(_ command: CommandDescription) -> Bool {
      let names = command.ownArguments.flatMap { $0.names ?? [] }.map(\.name)
      return names.contains("json") || command.ownSubcommands.contains(where: takesJSON)
    }
    let root = try CommandDescription(of: RootCommand.self)
    let names = Set(root.ownSubcommands.filter(takesJSON).map(\.commandName))
    let listed = Set((Self.rows + Self.streams).compactMap(\.arguments.first))
    #expect(names == listed.union(Self.localNames), "\(names.symmetricDifference(listed.union(Self.localNames)))")
    #expect(names.count > 40)
  }

  @Test func `unsafe characters in JSON are escaped`() async throws {
    let unsafe = "\u{1B}]0;x\u{07}\u{9B}2J\u{85}\u{2028}\u{202E}"
    let sent = Self.bob.replacing("\"Bob\"", with: "\"Bob \(unsafe)\"")
    let harness = CommandHarness(transport: { ScriptedTransport { _ in .json(Array(sent.utf8)) } })
    let outcome = try await harness.run(["profile", "@bob", "--json"])
    #expect(TerminalBytes.violations(inPlainText: Array(outcome.output.utf8)).isEmpty, "\(outcome)")
    #expect(outcome.output.contains(#"\u009b2J\u0085\u2028\u202e"#), "\(outcome)")
  }

  /// Returns the output for a server's JSON.
  private func printed(_ json: String) -> String {
    let output = Mutex<[UInt8]>([])
    let target = OutputTarget { _, bytes in
      output.withLock { $0 += Array(bytes) }
      return bytes.count
    }
    StandardOutput.$target.withValue(target) { StandardOutput.print(json: Array(json.utf8)) }
    return output.withLock { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: Qwink.Quote.State.allCases)
  func `a quoted status is printed only if the quote's state permits it`(state: Qwink.Quote.State) {
    let quoted = Self.status.replacing("Hi", with: "Secret")
    let sent = #"{"id":"30","quote":{"state":"\#(state.rawValue)","quoted_status":\#(quoted)}}"#
    let text = printed(sent)
    #expect(text.contains("Secret") == (state == .accepted), "\(text)")
    #expect(text.contains(#""state":"\#(state.rawValue)""#), "\(text)")
  }

  @Test func `malformed JSON that the parser accepts is printed as valid JSON`() {
    let sent = #"{"a":[1,],"b":{"c":01,"d":[1.,--5, -0.5],},"e":2}"#
    #expect(printed(sent) == #"{"a":[1],"b":{"c":null,"d":[null,null,-0.5]},"e":2}"# + "\n")
  }

  // MARK: Parts

  @Test func `search results have JSON only if it is requested`() throws {
    let body = Array("\u{FEFF}\(Self.results)\n<!-- 3 ms -->".utf8)
    let sourced = Sourced(answer: try WireDecoder.searchResults(from: body), json: body)
    for hasJSON in [false, true] {
      let results = SentResults(sourced, hasJSON: hasJSON)
      #expect(results.qwinkers.map { $0.source } == [hasJSON ? Array(Self.bob.utf8) : []])
      #expect(results.qwinks.map { $0.source } == [hasJSON ? Array(Self.status.utf8) : []])
      #expect(results.tags.map { $0.source } == [hasJSON ? Array(Self.tag.utf8) : []])
      let text = String(decoding: results.json(base: "https://tilde.example"), as: UTF8.self)
      #expect(text.contains("x_unknown") == hasJSON)
    }
  }

  @Test func `an item without the server's JSON is encoded`() {
    let entries: [SentItem<Int>] = [(1, Array(#"{"a":1}"#.utf8)), (2, [])]
    let json = SentJSON.array(entries) { items in Array("[\(items[0])]".utf8) }
    #expect(String(decoding: json, as: UTF8.self) == #"[{"a":1},2]"#)
    #expect(SentJSON.array([SentItem<Int>]()) { _ in [] } == Array("[]".utf8))
    #expect(SentJSON.object(entries[1]) { Array("\($0)".utf8) } == Array("2".utf8))
  }
}
