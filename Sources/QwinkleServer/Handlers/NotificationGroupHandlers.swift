import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleWire

/// The viewer's grouped notifications: <https://docs.joinmastodon.org/methods/grouped_notifications/>.
enum NotificationGroupHandlers {
  // Fixed paths precede paths with placeholders, because the first matching route wins.
  static let routes = [
    Route(.get, "/api/v2/notifications", .required) { request, transaction in
      let page = try transaction.notificationGroups(
        NotificationHandlers.filter(in: request), grouping: kinds(in: request),
        PageRequest(request, usual: 40, most: 80))
      return try answer(page.groups, isPage: true, link: page.link.header(for: request), request, transaction)
    },
    Route(.get, "/api/v2/notifications/unread_count", .required) { request, transaction in
      let most = try PageRequest(request, usual: 100, most: 1000).limit
      let count = try transaction.unreadNotificationGroupCount(
        NotificationHandlers.filter(in: request), grouping: kinds(in: request), most: most)
      return ServiceResponse(.json(SmallJSON.bytes(["count": count])))
    },
    Route(.get, "/api/v2/notifications/policy", .required) { _, _ in policy },
    Route(.patch, "/api/v2/notifications/policy", .required) { request, _ in
      let sent = try request.parameters()
      try sent.refuseOthers(than: Set(Policy.names))
      for name in Policy.names where try sent.text(name) ?? Policy.accept != Policy.accept {
        throw sent.fault(name, "must be accept: this server filters no notifications")
      }
      return policy
    },
    Route(.get, "/api/v2/notifications/:group_key", .required) { request, transaction in
      try answer(
        [transaction.notificationGroup(request.arguments.first)], isPage: false, link: nil, request, transaction)
    },
    Route(.post, "/api/v2/notifications/:group_key/dismiss", .required) { request, transaction in
      try transaction.dismissNotificationGroup(request.arguments.first)
      return .done
    },
    Route(.get, "/api/v2/notifications/:group_key/accounts", .required) { request, transaction in
      let group = try transaction.notificationGroup(request.arguments.first).group
      let page = try transaction.qwinkers(in: group, PageRequest(request, usual: 40, most: 80))
      return ServiceResponse(.qwinkers(page.qwinkers), link: page.link.header(for: request))
    },
  ]

  private enum Expansion: String, CaseIterable {
    case full
    case partial = "partial_avatars"
  }

  /// Returns the kinds of notifications to group. By default, these are all kinds that can be grouped.
  private static func kinds(in request: ServiceRequest) -> Set<String> {
    let wanted = request.list("grouped_types")
    return wanted.isEmpty ? NotificationGroupKey.kinds : NotificationGroupKey.kinds.intersection(wanted)
  }

  private static func answer(
    _ parts: [NotificationGroupPart], isPage: Bool, link: LinkHeader?, _ request: ServiceRequest,
    _ transaction: Transaction
  ) throws -> ServiceResponse {
    let expansion: Expansion = try request.parameters().choice("expand_accounts") ?? .full
    let groups = try parts.map { try transaction.told($0) }
    let whole = groups.flatMap { expansion == .full ? $0.accounts : Array($0.accounts.prefix(1)) }.uniqued()
    let others = groups.flatMap(\.accounts).uniqued().filter { !whole.contains($0) }
    let statuses = try transaction.qwinks(groups.compactMap(\.latest.status).uniqued())
    let list = SmallJSON.bytes(["notification_groups": groups.map { NotificationGroupEntity($0, isPage: isPage) }])
    var json = SmallJSON.adding("statuses", json: WireEncoder.qwinks(statuses), to: list)
    json = SmallJSON.adding(
      "accounts", json: WireEncoder.qwinkers(try transaction.qwinkers(inOrder: whole)), to: json)
    if expansion == .partial {
      json = SmallJSON.adding(
        "partial_accounts", json: WireEncoder.qwinkers(try transaction.qwinkers(inOrder: others)), to: json)
    }
    return ServiceResponse(.json(json), link: link)
  }

  private static var policy: ServiceResponse { ServiceResponse(.json(SmallJSON.bytes(Policy()))) }
}

/// <https://docs.joinmastodon.org/entities/NotificationPolicy/>
private struct Policy: Encodable {
  static let accept = "accept"
  static let names = [
    "for_not_following", "for_not_followers", "for_new_accounts", "for_private_mentions", "for_limited_accounts",
  ]

  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for name in Self.names { try container.encode(Self.accept, forKey: Name(name)) }
    try container.encode(
      ["pending_requests_count": 0, "pending_notifications_count": 0], forKey: Name("summary"))
  }
}

/// <https://docs.joinmastodon.org/entities/GroupedNotificationsResults/#NotificationGroup>
private struct NotificationGroupEntity: Encodable {
  var key: String
  var count: Int
  var kind: String
  var newest: String
  var pageNewest: String?
  var pageOldest: String?
  var latestAt: String?
  var accounts: [String]
  var status: String?

  enum CodingKeys: String, CodingKey {
    case key = "group_key"
    case count = "notifications_count"
    case kind = "type"
    case newest = "most_recent_notification_id"
    case pageNewest = "page_max_id"
    case pageOldest = "page_min_id"
    case latestAt = "latest_page_notification_at"
    case accounts = "sample_account_ids"
    case status = "status_id"
  }

  init(_ group: NotificationGroupContent, isPage: Bool) {
    key = group.part.group.key
    count = group.count
    kind = group.latest.kind
    newest = String(group.part.newest)
    if isPage {
      pageNewest = newest
      pageOldest = String(group.part.oldest)
      latestAt = WireDate.text(Date(milliseconds: group.latest.createdAt))
    }
    accounts = group.accounts.map { String($0) }
    status = group.latest.status.map { String($0) }
  }
}
