import FoundationEssentials

/// Responses recorded from third-party servers, and responses written from the documentation of Mastodon 4.5 and 4.6.
struct Corpus {
  /// One recorded exchange.
  struct Answer: Decodable {
    var file: String
    var method: String?
    var path: String?
    var status: Int?
    var link: String?
  }

  enum Kind: String, CaseIterable {
    case timeline, status, account, ownAccount, accounts, instance, context
    case conversations, conversation, notifications, notification, versions, source, markers, relationships,
      relationship, search
    /// The policy for notifications, and requests of senders of filtered ones.
    case policy, requests, request
    case lists, list, filters, filter, keywords, scheduled, tags, tag, cards, attachment, poll, emoji, done
    case translation, collections, collection, asyncRefresh
    /// Never requested by the client.
    case unasked
  }

  let server: String
  let folder: URL
  let answers: [Answer]

  /// Returns the recordings of `server`, or prints a message and returns nil if they are missing.
  static func named(_ server: String) -> Corpus? {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folders = [
      root.appending(path: "Tests/Fixtures/\(server)"),
      root.deletingLastPathComponent().appending(path: "shared/corpus/\(server)"),
    ]
    for folder in folders {
      guard let index = try? Data(contentsOf: folder.appending(path: "_index.json")) else { continue }
      guard let answers = try? JSONDecoder().decode([Answer].self, from: index) else { continue }
      return Corpus(server: server, folder: folder, answers: answers)
    }
    print("skipped: no recordings of \(server)")
    return nil
  }

  private static let servers = ["mastodon", "gotosocial", "snac", "documented"]
  static let all = servers.compactMap(named)
  /// Whether the recordings of all servers are present.
  static var isWhole: Bool { all.count == servers.count }

  func body(of answer: Answer) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: answer.file)))
  }

  /// Successful responses, each with its kind and a description. The kind is nil if it isn't decoded yet.
  func good() throws -> [(answer: Answer, body: [UInt8], kind: Kind?, words: String)] {
    try answers.compactMap { answer in
      if let kind = Self.kinds[answer.file] { return (answer, try body(of: answer), kind, answer.file) }
      guard answer.status == 200 || answer.status == 202 else { return nil }
      let body = try body(of: answer)
      let path = (answer.path ?? "").prefix { $0 != "?" }.split(separator: "/").dropFirst().map(String.init)
      let method = answer.method ?? "GET"
      let kind = Self.kind(method, version: path.first ?? "", Array(path.dropFirst()), body: body)
      let words = Self.words(method, path)
      return (answer, body, kind, Self.isScheduled(body) ? words + " (scheduled)" : words)
    }
  }

  /// Error responses.
  func errors() throws -> [(answer: Answer, body: [UInt8])] {
    try answers.compactMap { answer in
      let body = try body(of: answer)
      guard let status = answer.status else {
        let start = String(decoding: body.prefix(20), as: UTF8.self)
        return start.contains("\"error\"") ? (answer, body) : nil
      }
      return status >= 400 ? (answer, body) : nil
    }
  }

  /// Kinds of responses recorded without their request.
  private static let kinds: [String: Kind] = [
    "x_filter_delete.json": .done, "x_notif_clear.json": .done, "x_media_v1.json": .attachment,
    "x_account_emoji_name.json": .account, "x_conv_read.json": .conversation, "x_notif_one.json": .notification,
    "x_filtered_tag.json": .timeline, "x_md.json": .status, "x_delete_own.json": .status,
    "x_acct_block.json": .relationship, "x_acct_mute.json": .relationship, "x_acct_unblock.json": .relationship,
    "x_acct_unmute.json": .relationship, "x_status_favourite.json": .status, "x_status_mute.json": .status,
    "x_status_pin.json": .status, "x_status_unmute.json": .status, "x_status_unpin.json": .status,
    "x_status_unreblog.json": .status, "x_status_with_emoji.json": .status,
  ]

  private static func kind(_ method: String, version: String, _ path: [String], body: [UInt8]) -> Kind? {
    if isScheduled(body), path.count == 1, method == "POST" { return .scheduled }
    return switch (path.first, path.count) {
    case ("lists", 1): method == "GET" ? .lists : .list
    case ("lists", 2): method == "DELETE" ? .done : .list
    case ("filters", 1): method == "GET" ? .filters : .filter
    case ("filters", 2): .filter
    case ("filters", 3) where path[1] == "keywords": .done
    case ("filters", 3): .keywords
    case ("followed_tags", 1): .tags
    case ("trends", 2) where path[1] == "tags": .tags
    case ("trends", 2) where path[1] == "links": .cards
    case ("tags", 3): .tag
    case ("media", _): .attachment
    case ("polls", 2): .poll
    case ("custom_emojis", 1): .emoji
    case ("notifications", 2) where path[1] == "unread_count": .unasked
    case ("notifications", 2) where path[1] == "policy": .policy
    case ("notifications", 2) where path[1] == "requests": .requests
    case ("notifications", 3) where path[1] == "requests" && method == "GET": .request
    case ("notifications", 3...) where path[1] == "requests": .done
    case ("notifications", _) where version == "v2": .unasked
    case ("collections", 2): .collection
    case ("async_refreshes", 2): .asyncRefresh
    case ("instance", 2...), ("preferences", 1), ("reports", 1), ("featured_tags", 1): .unasked
    case ("statuses", 3) where path[2] == "interaction_policy": .status
    case ("timelines", _): .timeline
    case ("favourites", 1), ("bookmarks", 1): .timeline
    case ("trends", 2) where path[1] == "statuses": .timeline
    case ("blocks", 1), ("mutes", 1), ("follow_requests", 1): .accounts
    case ("follow_requests", 3): .relationship
    case ("instance", 1): .instance
    case ("conversations", 1): .conversations
    case ("conversations", 3): .conversation
    case ("notifications", 1) where version == "v1": .notifications
    case ("notifications", 2) where version == "v1" && !["requests", "unread_count"].contains(path[1]): .notification
    case ("markers", 1): .markers
    case ("search", 1): .search
    case ("accounts", 1): .accounts
    case ("accounts", 2): accountKind(path[1])
    case ("accounts", 3): accountListKind(path[2], isWrite: method != "GET")
    case ("statuses", 1), ("statuses", 2): isScheduled(body) ? nil : .status
    case ("statuses", 5) where path[4] == "revoke": .status
    case ("statuses", 3): statusKind(path[2], isWrite: method != "GET")
    default: nil
    }
  }

  private static func accountKind(_ name: String) -> Kind? {
    switch name {
    case "search": .accounts
    case "relationships": .relationships
    case "familiar_followers": .unasked
    case "verify_credentials", "update_credentials": .ownAccount
    default: .account
    }
  }

  private static func accountListKind(_ name: String, isWrite: Bool) -> Kind? {
    switch name {
    case "statuses": .timeline
    case "followers", "following": .accounts
    case "lists": .lists
    case "collections": .collections
    default: isWrite ? .relationship : nil
    }
  }

  private static func statusKind(_ name: String, isWrite: Bool) -> Kind? {
    switch name {
    case "context": .context
    case "reblogged_by", "favourited_by": .accounts
    case "quotes": .timeline
    case "source": .source
    case "history": .versions
    case "translate": .translation
    default: isWrite ? .status : nil
    }
  }

  private static func isScheduled(_ body: [UInt8]) -> Bool {
    let text = String(decoding: body.prefix(400), as: UTF8.self)
    return text.contains("\"scheduled_at\"")
  }

  private static func words(_ method: String, _ path: [String]) -> String {
    let isOpaque: (String) -> Bool = { part in
      (part.contains(where: \.isNumber) && !["v1", "v2"].contains(part)) || part.count > 30
    }
    return ([method] + path.map { isOpaque($0) ? "ID" : $0 }).joined(separator: " ")
  }
}
