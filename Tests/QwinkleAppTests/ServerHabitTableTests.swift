import HTTPTypes
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

/// A table of server habits: the server's response to a command, and the text that the user sees.
@MainActor
@Suite(.bounded) struct ServerHabitTableTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var software: HabitSoftware
    var command: [String]
    /// The responses that make the habit, by method and path.
    var answers: [String: HabitServer.Answer] = [:]
    var status: Int32 = 0
    /// Expected parts of standard output and then standard error.
    var says: [String] = []
    /// Texts that must not be printed.
    var neverSays: [String] = []
    /// A request that must not be sent.
    var neverSends: String?

    var testDescription: String { "\(software.rawValue): \(command.joined(separator: " "))" }
  }

  private nonisolated static func stored(_ id: String = "9", _ members: [String: any Sendable] = [:])
    -> HabitServer.Answer
  {
    .init(200, HabitServer.status(id, members))
  }

  private nonisolated static let post = "POST /api/v1/statuses"
  private nonisolated static let edit = "PUT /api/v1/statuses/1"
  private nonisolated static let publicly = ["--visibility", "public"]

  // MARK: An unused hashtag

  private nonisolated static let tags: [Row] = [
    Row(
      software: .goToSocial, command: ["timeline", "#new"],
      answers: ["GET /api/v1/timelines/tag/new": .init(404, #"{"error":"Not Found: no tag"}"#)],
      neverSays: ["Not found", "deleted"]),
    Row(
      software: .takahe, command: ["timeline", "#new"],
      answers: ["GET /api/v1/timelines/tag/new": .init(404, #"{"error":"not_found"}"#)], neverSays: ["Not found"]),
    // A web server without the API gives no reason in its response.
    Row(software: .snac, command: ["timeline", "#new"], status: 1, says: ["Not found"]),
    Row(
      software: .snac, command: ["timeline", "#new", "--json"],
      answers: ["GET /api/v1/timelines/tag/new": .init(200, "[]")], says: ["[]"]),
    Row(
      software: .pleroma, command: ["timeline", "#new", "--json"],
      answers: ["GET /api/v1/timelines/tag/new": .init(200, "[]")], says: ["[]"]),
    Row(
      software: .mastodon, command: ["timeline", "#new", "--json"],
      answers: ["GET /api/v1/timelines/tag/new": .init(200, "[]")], says: ["[]"]),
  ]

  // MARK: Stored data

  private nonisolated static let posts: [Row] = [
    Row(
      software: .snac, command: ["post", "Tea", "--poll", "Yes", "--poll", "No"] + publicly,
      answers: [post: stored()], says: ["Posted: ", "did not store its poll."]),
    Row(
      software: .takahe, command: ["post", "Tea", "--language", "de"] + publicly, answers: [post: stored()],
      says: ["Posted: ", "did not store its language."]),
    Row(
      software: .pleroma, command: ["post", "Tea", "--visibility", "unlisted"],
      answers: [post: stored("9", ["visibility": "local"])], says: ["Posted: ", "changed its visibility"]),
    Row(
      software: .mastodon, command: ["post", "Tea", "--language", "de"] + publicly,
      answers: [post: stored("9", ["language": "de"])], says: ["Posted: "], neverSays: ["did not store", "changed"]),
    Row(
      software: .mastodon, command: ["post", "Tea", "--sensitive"] + publicly, answers: [post: stored()],
      says: ["did not store its sensitive mark."]),
    Row(
      software: .takahe, command: ["reply", "1", "Tea"] + publicly, answers: [post: stored()],
      says: ["did not store its place in the thread."]),
    Row(
      software: .goToSocial, command: ["post", "Tea"] + publicly,
      answers: [post: .init(400, #"{"error":"Bad Request: text with spoiler exceed max chars (5000)"}"#)], status: 1,
      says: ["Not posted.", "exceed max chars (5000)", "Change it and try again."]),
    Row(
      software: .mastodon, command: ["post", "Tea"] + publicly,
      answers: [post: .init(422, #"{"error":"Validation failed: Text can't be blank"}"#)], status: 1,
      says: ["Not posted.", "can't be blank"]),
    Row(
      software: .mastodon, command: ["post", "Tea"] + publicly, answers: [post: .init(429, "")], status: 1,
      says: ["Not posted.", "Too many requests"]),
  ]

  private nonisolated static let edits: [Row] = [
    Row(
      software: .snac, command: ["edit", "1", "New", "--warning", "food"],
      answers: [edit: stored("9", ["content": "New<br>"])],
      says: ["Edited: ", "did not store its content warning."]),
    Row(
      software: .takahe, command: ["edit", "1", "New"], answers: [edit: stored("1")],
      says: ["Edited: ", "did not change its text."]),
    Row(
      software: .pleroma, command: ["edit", "1", "New", "--warning", ""],
      answers: [
        "GET /api/v1/statuses/1": stored("1", ["spoiler_text": "food", "sensitive": true]),
        edit: stored("1", ["content": "New", "spoiler_text": "food", "sensitive": true]),
      ], says: ["did not change its content warning."]),
    Row(
      software: .goToSocial, command: ["edit", "1", "New", "--warning", ""],
      answers: [
        "GET /api/v1/statuses/1": stored("1", ["spoiler_text": "food", "sensitive": true]),
        edit: stored("1", ["content": "New", "sensitive": true]),
      ], says: ["did not change its sensitive mark."]),
    Row(
      software: .mastodon, command: ["edit", "1", "New", "--warning", "food"],
      answers: [edit: stored("1", ["content": "New", "spoiler_text": "food", "sensitive": true])], says: ["Edited: "],
      neverSays: ["The server"]),
  ]

  // MARK: Times

  private nonisolated static let list = "GET /api/v1/scheduled_statuses"
  private nonisolated static let times: [Row] = [
    // Publishes at the scheduled time but lists nothing.
    Row(
      software: .snac, command: ["post", "Tea", "--at", "2h"] + publicly,
      answers: [list: .init(200, "[]"), post: stored()], says: ["Scheduled. The server does not list it"],
      neverSays: ["at once", "support scheduled"]),
    Row(
      software: .takahe, command: ["post", "Tea", "--at", "2h"] + publicly,
      answers: [list: .init(200, "[]"), post: stored(), "GET /api/v1/statuses/9": stored()],
      says: ["Posted, but at once."]),
    Row(
      software: .pleroma, command: ["post", "Tea", "--at", "2h"] + publicly,
      answers: [list: .init(200, "[]"), post: stored(), "GET /api/v1/statuses/9": .init(500, "")],
      says: ["did not confirm whether it is published now or later"], neverSays: ["at once"]),
    Row(
      software: .goToSocial, command: ["post", "Tea", "--at", "2h"] + publicly, status: 1,
      says: ["Not scheduled.", "does not support scheduled posts."], neverSends: post),
    Row(
      software: .mastodon, command: ["post", "Tea", "--at", "2h"] + publicly,
      answers: [
        list: .init(200, "[]"),
        post: .init(200, #"{"id":"4","scheduled_at":"2040-01-01T00:00:00.000Z","params":{"text":"Tea"}}"#),
      ], says: ["Scheduled: ", "changed its time."]),
  ]

  // MARK: Repeated actions

  private nonisolated static func twice(
    _ software: HabitSoftware, _ command: String, _ member: String, _ verb: String, _ word: String
  ) -> [Row] {
    [
      Row(
        software: software, command: [command, "1"], answers: ["GET /api/v1/statuses/1": stored("1", [member: true])],
        says: ["Already \(word)"], neverSends: "POST /api/v1/statuses/1/\(verb)"),
      Row(
        software: software, command: [command, "1"], answers: ["POST /api/v1/statuses/1/\(verb)": stored("1")],
        neverSays: ["Already"]),
      Row(
        software: software, command: [command, "1", "--undo"],
        answers: ["POST /api/v1/statuses/1/un\(verb)": stored("1")], neverSays: ["Already"]),
    ]
  }

  private nonisolated static func acts(_ software: HabitSoftware) -> [Row] {
    var rows = twice(software, "boost", "reblogged", "reblog", "boosted")
    rows += twice(software, "favourite", "favourited", "favourite", "favourited")
    rows += twice(software, "bookmark", "bookmarked", "bookmark", "bookmarked")
    rows += twice(software, "pin", "pinned", "pin", "pinned")
    rows += twice(software, "mute-thread", "muted", "mute", "thread muted")
    for (state, says) in [("following", "Already following @bob"), ("requested", "Already requested to follow @bob")] {
      rows.append(
        Row(
          software: software, command: ["follow", "@bob"],
          answers: ["GET /api/v1/accounts/relationships": .init(200, #"[{"id":"bob-id","\#(state)":true}]"#)],
          says: [says], neverSends: "POST /api/v1/accounts/bob-id/follow"))
    }
    return rows
  }

  // MARK: Missing abilities

  private nonisolated static let poll: [String: any Sendable] = [
    "poll": ["id": "5", "options": [["title": "Yes"], ["title": "No"]], "expires_at": "2040-01-01T00:00:00.000Z"]
      as [String: any Sendable]
  ]

  private nonisolated static func lacks(_ software: HabitSoftware) -> [Row] {
    [
      Row(
        software: software, command: ["vote", "1", "1"], answers: ["GET /api/v1/statuses/1": stored("1", poll)],
        status: 1, says: ["does not support polls, or not for this one."], neverSays: ["Change it", "deleted"]),
      Row(
        software: software, command: ["mute-thread", "1"], status: 1,
        says: ["does not support muting threads, or not for this one."], neverSays: ["Change it", "deleted"]),
      Row(
        software: software, command: ["bookmark", "1"], status: 1,
        says: ["does not support bookmarks, or not for this one."], neverSays: ["Change it", "deleted"]),
      Row(
        software: software, command: ["remove-follower", "@bob"],
        answers: ["GET /api/v1/accounts/bob-id": .init(200, #"{"id":"bob-id","username":"bob","acct":"bob"}"#)],
        status: 1,
        says: ["does not support removing followers, or not for this one."], neverSays: ["Change it", "deleted"]),
    ]
  }

  private nonisolated static let pins: [Row] = [
    Row(software: .snac, command: ["pin", "1"], status: 1, says: ["It gave no reason"], neverSays: ["Change it"]),
    Row(
      software: .mastodon, command: ["pin", "1"],
      answers: ["POST /api/v1/statuses/1/pin": .init(422, #"{"error":"Validation failed: too many pins"}"#)],
      status: 1, says: ["too many pins"]),
  ]

  // MARK: Refusals of one object, and of the token

  private nonisolated static let me = "GET /api/v1/accounts/verify_credentials"
  private nonisolated static let refusals: [Row] = [
    Row(
      software: .takahe, command: ["delete", "1"],
      answers: ["DELETE /api/v1/statuses/1": .init(401, #"{"error":"unauthorized"}"#)], status: 1,
      neverSays: ["no longer accepts"]),
    Row(
      software: .takahe, command: ["delete", "1"],
      answers: [
        "DELETE /api/v1/statuses/1": .init(400, #"{"error":"invalid_token"}"#),
        me: .init(400, #"{"error":"invalid_token"}"#),
      ], status: 1, says: ["no longer accepts your sign-in"]),
    Row(
      software: .snac, command: ["boost", "1"],
      answers: ["POST /api/v1/statuses/1/reblog": .init(422, ""), me: .init(422, "")], status: 1,
      says: ["no longer accepts your sign-in"]),
    Row(
      software: .mastodon, command: ["boost", "1"],
      answers: ["POST /api/v1/statuses/1/reblog": .init(401, ""), me: .init(401, "")], status: 1,
      says: ["no longer accepts your sign-in"]),
    Row(
      software: .pleroma, command: ["delete", "1"],
      answers: ["DELETE /api/v1/statuses/1": .init(403, #"{"error":"Could not delete status"}"#)], status: 1,
      says: ["does not allow this"], neverSays: ["no longer accepts"]),
  ]

  // MARK: The default visibility

  /// Posts whose default visibility is requested from a server that is down, limits the rate, or rejects the token with
  /// `revoked`. The message reports the first cause.
  private nonisolated static func usualAudience(_ software: HabitSoftware, revoked: HabitServer.Answer) -> [Row] {
    let failures: [(HabitServer.Answer, String)] = [
      (.refused, "writing.example cannot be reached."), (.init(500, ""), "Server error at writing.example"),
      (.init(429, #"{"error":"Throttled"}"#), "Too many requests to writing.example."),
      (revoked, "writing.example no longer accepts your sign-in."),
    ]
    return failures.map { answer, words in
      Row(
        software: software, command: ["post", "Tea"], answers: [me: answer], status: 1, says: ["Not posted. \(words)"],
        neverSays: ["default visibility", "--visibility"], neverSends: post)
    }
  }

  private nonisolated static let usualAudiences: [Row] =
    usualAudience(.goToSocial, revoked: .init(401, #"{"error":"Unauthorized: token not recognized"}"#))
    + usualAudience(.snac, revoked: .init(422, ""))
    + usualAudience(.takahe, revoked: .init(400, #"{"error":"invalid_token"}"#))
    + usualAudience(.mastodon, revoked: .init(401, #"{"error":"The access token was revoked"}"#))

  // MARK: Signing out

  private nonisolated static let revocation = "POST /oauth/revoke"

  /// The server reports that it has revoked the token, then rejects it with `answer`.
  private nonisolated static func logout(_ software: HabitSoftware, _ answer: HabitServer.Answer) -> Row {
    Row(
      software: software, command: ["logout"], answers: [revocation: .init(200, "{}"), me: answer],
      says: ["Signed out of mara@writing.example. Its token has been revoked."], neverSays: ["Not signed out"])
  }

  private nonisolated static let logouts: [Row] = [
    logout(.goToSocial, .init(401, #"{"error":"Unauthorized: token not recognized"}"#)), logout(.snac, .init(422, "")),
    logout(.takahe, .init(400, #"{"error":"invalid_token"}"#)),
    logout(.pleroma, .init(403, #"{"error":"Invalid credentials."}"#)),
    logout(.mastodon, .init(401, #"{"error":"The access token was revoked"}"#)),
    Row(
      software: .mastodon, command: ["logout"], answers: [revocation: .init(200, "{}")], status: 1,
      says: ["Not signed out of mara@writing.example.", "qwinkle logout --force mara@writing.example"]),
    Row(
      software: .takahe, command: ["logout"], answers: [revocation: .init(200, "{}"), me: .init(500, "")], status: 1,
      says: ["Not signed out of mara@writing.example.", "Server error at writing.example"]),
    // The server can't revoke tokens, so a retry is useless.
    Row(
      software: .pleroma, command: ["logout"], says: ["Signed out of mara@writing.example."],
      neverSays: ["Not signed out", "Its token has been revoked"]),
  ]

  // MARK: Lists of people

  private nonisolated static let lists = [
    ("blocked", "/api/v1/blocks", "listing blocked users"),
    ("muted", "/api/v1/mutes", "listing muted users"),
    ("requests", "/api/v1/follow_requests", "follow requests"),
  ]

  private nonisolated static func people(_ software: HabitSoftware) -> [Row] {
    lists.flatMap { command, path, words in
      [
        Row(
          software: software, command: [command], status: 1, says: ["writing.example does not support \(words)."],
          neverSays: ["Not found", "deleted", "support blocking users.", "support muting users."]),
        Row(
          software: software, command: [command, "--json"], answers: ["GET \(path)": .init(200, "[]")], says: ["[]"],
          neverSays: ["does not support"]),
      ]
    }
  }

  // MARK: The server's description

  private nonisolated static let description = HabitServer.Answer(
    200, #"{"uri":"writing.example","title":"First version","version":"4.2"}"#)

  private nonisolated static func descriptions(_ software: HabitSoftware) -> [Row] {
    [
      Row(
        software: software, command: ["server"],
        answers: ["GET /api/v2/instance": .init(500, ""), "GET /api/v1/instance": description],
        says: ["First version"], neverSays: ["Server error"]),
      Row(
        software: software, command: ["server"],
        answers: ["GET /api/v2/instance": .init(500, ""), "GET /api/v1/instance": software.unknownCall("GET")],
        status: 1, says: ["Server error at writing.example (HTTP 500)."], neverSays: ["Not found"]),
    ]
  }

  private nonisolated static let table: [Row] = {
    var rows = [tags, posts, edits, times, pins, refusals, usualAudiences, logouts].flatMap(\.self)
    for software in HabitSoftware.allCases { rows += people(software) + descriptions(software) }
    for software in HabitSoftware.allCases { rows += acts(software) + lacks(software) }
    return rows
  }()

  @Test(arguments: table)
  func `a command prints the meaning of the server's response`(row: Row) async throws {
    let transport = HabitServer.transport(row.software, row.answers)
    let harness = CommandHarness(transport: { transport })
    // All other commands use the harness's session.
    if row.command.first == "logout" { try harness.signIn() }
    let outcome = try await harness.run(row.command)
    let printed = "\(outcome.output) \(outcome.errors)"
    #expect(outcome.status == row.status, "\(printed)")
    for part in row.says { #expect(printed.contains(part), "\(printed)") }
    for part in row.neverSays { #expect(!printed.contains(part), "\(printed)") }
    if let request = row.neverSends {
      let sent = transport.requests.map { "\($0.head.method) \($0.head.path ?? "")" }
      #expect(!sent.contains(request), "\(sent)")
    }
  }

  @Test func `each server has rows in the table`() {
    for software in HabitSoftware.allCases {
      #expect(Self.table.contains { $0.software == software && !$0.answers.isEmpty })
    }
  }
}
