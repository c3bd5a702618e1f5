import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import Testing

@testable import QwinkleServer

/// Words and ids that occur only in restricted content.
struct PrivateWords: Sendable {
  var words: [String]

  /// Whether a response contains one of the words although its request didn't.
  func isShown(by answer: TransportResponse, to probe: PrivateWorld.Probe) -> Bool {
    !shown(by: answer, to: probe).isEmpty
  }

  func shown(by answer: TransportResponse, to probe: PrivateWorld.Probe) -> [String] {
    let headers = answer.head.headerFields.map(\.value).joined(separator: "\n")
    let text = answer.text + "\n" + headers
    return words.filter { text.contains($0) && !probe.target.contains($0) && !probe.body.contains($0) }
  }
}

/// Alice writes privately to bob, who replies, and to her followers, who include bob. Carol is a stranger who knows all
/// ids.
struct PrivateWorld: Sendable {
  static let key = "key of something private"

  let harness: Harness
  let alice, bob, carol: String
  /// Public.
  let root, below: Qwink.ID
  /// Words and ids that strangers must not see.
  let secrets: PrivateWords
  /// Words and ids that followers must not see either.
  let messages: PrivateWords
  /// The requests to send.
  let probes: [Probe]
  private let statuses: [Qwink.ID]

  struct Probe: Sendable {
    var route: Route
    var rule: PrivacyRule
    var target: String
    var body: String
    /// The id in the path if it belongs to a restricted object.
    var secretInPath: String?
  }

  init(_ harness: Harness) async throws {
    self.harness = harness
    alice = try harness.service.addQwinker(named: "alice")
    bob = try harness.service.addQwinker(named: "bob")
    carol = try harness.service.addQwinker(named: "carol")
    try harness.follow("alice", by: "bob")

    let root = try await harness.post("root", token: alice)
    let made = try await harness.send(
      Entry(
        text: "@bob canaryfirst", visibility: .direct, contentWarning: "canarywarning", idempotencyKey: Self.key),
      token: alice)
    let message = try WireDecoder.qwink(from: made.body)
    _ = try await harness.edit(message.id, "@bob canarymessage #canarytag", warning: "canarywarning", token: alice)
    let answer = try await harness.post("@alice canaryanswer", token: bob, visibility: .direct, answering: message.id)
    let loose = try await harness.upload(SamplePictures.png(), "canaryloose", token: alice)
    let picture = try await harness.upload(SamplePictures.png(), "canarypicture", token: alice)
    let quiet = try await harness.post(
      "canaryquiet #canarytag", media: [picture], token: alice, visibility: .private)
    let boost = try await harness.react("reblog", quiet.id, token: alice)
    let reply = try await harness.post("@alice canaryreply", token: bob, visibility: .private, answering: root.id)
    let below = try await harness.post("below", token: bob, answering: quiet.id)
    for id in [message.id, quiet.id] {
      for verb in ["favourite", "bookmark"] { try await harness.react(verb, id, token: bob) }
    }
    _ = try await harness.send(
      .post, "/api/v1/markers", token: alice, headers: [.contentType: "application/json"],
      body: Array(#"{"home":{"last_read_id":"4242424242424242"}}"#.utf8))
    let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
    let asked = try await harness.send(
      .post, "/api/v1/statuses", token: alice, headers: form,
      body: Array(
        "status=canaryasked&visibility=private&poll[options][]=canaryyes&poll[options][]=no&poll[expires_in]=600".utf8))
    let question = try WireDecoder.qwink(from: asked.body)
    let planned = try await harness.send(
      .post, "/api/v1/statuses", token: alice, headers: form,
      body: Array("status=canaryplanned&scheduled_at=2099-01-01".utf8))
    let list = try await harness.submit("/api/v1/lists", [("title", "canarylist")], token: bob)
    let filter = try await harness.submit(
      "/api/v2/filters",
      [("title", "canaryfilter"), ("context[]", "home"), ("keywords_attributes[][keyword]", "canarykeyword")],
      token: alice)
    let filterID = try #require(filter.object["id"] as? String)
    let keywords = try #require(filter.object["keywords"] as? [[String: Any]])
    let filtered = try await harness.submit(
      "/api/v2/filters/\(filterID)/statuses", [("status_id", below.id.rawValue)], token: alice)
    let ownIDs =
      [planned, list, filter, filtered].compactMap { $0.object["id"] as? String }
      + [try #require(keywords.first?["id"] as? String), try #require(question.poll).id.rawValue]
    _ = try await harness.submit(
      "/api/v1/lists/\(ownIDs[1])/accounts", [("account_ids[]", root.author.id.rawValue)], token: bob)
    let conversations = try await harness.get("/api/v1/conversations", token: bob)
    let conversation = try #require(try WireDecoder.conversations(from: conversations.body, link: nil).items.first)
    var notifications: [String] = []
    for token in [alice, bob] {
      let answer = try await harness.get("/api/v1/notifications?limit=1", token: token)
      notifications += try WireDecoder.notifications(from: answer.body, link: nil).items.map(\.id.rawValue)
    }

    (self.root, self.below) = (root.id, below.id)
    statuses = [message.id, answer.id, quiet.id, boost.id, reply.id, question.id]
    let messageIDs = [message.id.rawValue, answer.id.rawValue, conversation.id.rawValue]
    let ids =
      messageIDs + [quiet.id, boost.id, reply.id, question.id].map(\.rawValue)
      + notifications + ownIDs + [loose.id, picture.id].map(\.rawValue)
    let messageWords = ["canaryfirst", "canarywarning", "canarymessage", "canaryanswer"]
    let ownWords = ["canaryplanned", "canarylist", "canaryfilter", "canarykeyword", "canaryloose"]
    let files = [loose, picture].compactMap { $0.url?.split(separator: "/").last.map(String.init) }
    messages = PrivateWords(words: messageWords + messageIDs + ownWords + ownIDs.prefix(5))
    secrets = PrivateWords(
      words: messageWords + ownWords + files + [
        "canaryquiet", "canarypicture", "canaryreply", "canaryasked", "canaryyes", "4242424242424242",
      ]
        + ids)
    probes = Self.probes(secret: ids, open: [root.id, below.id].map(\.rawValue) + [root.author.id.rawValue])
  }

  func send(_ probe: Probe, token: String?) async throws -> TransportResponse {
    try await harness.send(
      probe.route.method, probe.target, token: token, headers: [.contentType: "application/json"],
      body: Array(probe.body.utf8))
  }

  /// The token of an app without a user.
  func appToken() async throws -> String {
    let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
    let app = try await harness.send(
      .post, "/api/v1/apps", headers: form,
      body: Array("client_name=app&redirect_uris=urn:ietf:wg:oauth:2.0:oob&scopes=read+write".utf8)
    ).object
    let id = try #require(app["client_id"] as? String)
    let secret = try #require(app["client_secret"] as? String)
    let answer = try await harness.send(
      .post, "/oauth/token", headers: form,
      body: Array("grant_type=client_credentials&client_id=\(id)&client_secret=\(secret)&scope=read+write".utf8))
    return try #require(answer.object["access_token"] as? String)
  }

  /// Responses that alice and bob get. They show whether other accounts changed anything.
  func seenByThoseItIsFor() async throws -> [String] {
    var paths = ["conversations", "notifications", "bookmarks", "favourites", "timelines/home"]
    paths += ["markers?timeline[]=home", "notifications/unread_count"]
    for id in statuses { paths += ["", "/context", "/history", "/favourited_by"].map { "statuses/\(id)\($0)" } }
    var seen: [String] = []
    for path in paths {
      for token in [alice, bob] { seen.append(try await harness.get("/api/v1/\(path)", token: token).text) }
    }
    return seen
  }

  func expectNothing(of secrets: PrivateWords, in answer: TransportResponse, to probe: Probe) {
    let shown = secrets.shown(by: answer, to: probe)
    #expect(shown == [], "\(probe.route.name) \(probe.target)")
    #expect(answer.head.status.code < 500, "\(probe.route.name) \(probe.target): \(answer.text)")
    if case .hidden = probe.rule, let id = probe.secretInPath, secrets.words.contains(id) {
      #expect([401, 404].contains(answer.head.status.code), "\(probe.route.name) \(probe.target): \(answer.text)")
    }
  }
}

extension PrivateWorld {
  /// Requests to each route with each id in the path and in every parameter that could refer to an object. Only reading
  /// requests use public ids, because changes to public objects would show.
  static func probes(secret: [String], open: [String]) -> [Probe] {
    Routes.all.flatMap { route -> [Probe] in
      guard let rule = PrivacyRule.table[route.name] else { return [] }
      if case .apart = rule { return [] }
      let isRead = route.method == .get
      return (isRead ? secret + open : secret).flatMap { id in
        let named = [":tag": "canarytag", "@:name": "@alice", ":group_key": "ungrouped-\(id)"]
        let path = route.pattern.map { named[$0] ?? ($0.hasPrefix(":") ? id : $0) }
        let secretInPath = secret.contains(id) && path.contains { $0 == id || $0 == "ungrouped-\(id)" } ? id : nil
        return (isRead ? queries(id) : [""]).map { query in
          Probe(
            route: route, rule: rule, target: "/\(path.joined(separator: "/"))\(query)",
            body: isRead ? "" : body(id, for: route), secretInPath: secretInPath)
        }
      }
    }
  }

  private static func queries(_ id: String) -> [String] {
    let number = Int64(id) ?? 0
    let others = "limit=2&id[]=\(id)&account_id=\(id)&timeline[]=home&timeline[]=notifications&resolve=true"
    return [
      "?max_id=\(number + 1)&q=canary&\(others)", "?min_id=\(number - 1)&q=canarymessage&tagged=canarytag&\(others)",
      "?since_id=\(number - 1)&q=http://qwinkle.test/@alice/\(id)&acct=alice&timeline[]=home",
    ]
  }

  /// A request body with the id in every field that the route accepts.
  private static func body(_ id: String, for route: Route) -> String {
    switch route.name {
    case "POST /api/v1/statuses", "PUT /api/v1/statuses/:id":
      #"{"status":"probe","visibility":"unlisted","in_reply_to_id":"\#(id)","media_ids":["\#(id)"]}"#
    case "POST /api/qwinkle/v1/import/known": #"{"uris":["http://qwinkle.test/@alice/\#(id)"]}"#
    case "POST /api/qwinkle/v1/import/statuses":
      """
      {"uri":"http://qwinkle.test/@alice/\(id)","created_at":"2020-01-01","status":"probe","visibility":"unlisted",
      "in_reply_to_uri":"http://qwinkle.test/@alice/\(id)"}
      """
    case "PUT /api/v1/statuses/:id/interaction_policy": #"{"quote_approval_policy":"nobody"}"#
    case "POST /api/v1/statuses/:id/reblog": #"{"visibility":"unlisted"}"#
    case "PUT /api/v1/media/:id": #"{"description":"probe"}"#
    case "PATCH /api/v1/accounts/update_credentials": #"{"display_name":"carol"}"#
    case "POST /api/v1/polls/:id/votes": #"{"choices":[0]}"#
    case "PUT /api/v1/scheduled_statuses/:id": #"{"scheduled_at":"2098-01-01"}"#
    case "PUT /api/v1/lists/:id": #"{"title":"probe"}"#
    case "POST /api/v1/lists/:id/accounts", "DELETE /api/v1/lists/:id/accounts": #"{"account_ids":["\#(id)"]}"#
    case "POST /api/v1/reports": #"{"account_id":"\#(id)","status_ids":["\#(id)"]}"#
    case "PUT /api/v2/filters/:id": #"{"title":"probe"}"#
    case "POST /api/v2/filters/:id/keywords", "PUT /api/v2/filters/keywords/:id": #"{"keyword":"probe"}"#
    case "POST /api/v2/filters/:id/statuses": #"{"status_id":"\#(id)"}"#
    case "POST /api/v1/markers": #"{"home":{"last_read_id":"7"}}"#
    default: #"{"id":"\#(id)","account_id":"\#(id)"}"#
    }
  }
}
