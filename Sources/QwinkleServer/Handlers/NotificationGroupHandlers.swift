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
      return try answer(page.items, isPage: true, link: page.link.header(for: request), request, transaction)
    },
    Route(.get, "/api/v2/notifications/unread_count", .required) { request, transaction in
      let most = try PageRequest(request, usual: 100, most: 1000).limit
      let count = try transaction.unreadNotificationGroupCount(
        NotificationHandlers.filter(in: request), grouping: kinds(in: request), most: most)
      return ServiceResponse { $0.object { $0.field("count", count) } }
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
      return ServiceResponse(WireEncoder.qwinkers, page.items, link: page.link.header(for: request))
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
    let accounts = try transaction.qwinkers(inOrder: whole)
    let partial = try expansion == .partial ? transaction.qwinkers(inOrder: others) : nil
    return ServiceResponse(link: link) {
      $0.object { writer in
        writer.field("notification_groups", groups) { $0.group($1, isPage: isPage) }
        writer.field("statuses", json: WireEncoder.qwinks(statuses))
        writer.field("accounts", json: WireEncoder.qwinkers(accounts))
        if let partial { writer.field("partial_accounts", json: WireEncoder.qwinkers(partial)) }
      }
    }
  }
}

extension JSONWriter {
  /// <https://docs.joinmastodon.org/entities/GroupedNotificationsResults/#NotificationGroup>
  fileprivate mutating func group(_ group: NotificationGroupContent, isPage: Bool) {
    let newest = String(group.part.newest)
    object { writer in
      writer.field("group_key", group.part.group.key)
      if isPage { writer.field("latest_page_notification_at", Date(milliseconds: group.latest.createdAt)) }
      writer.field("most_recent_notification_id", newest)
      writer.field("notifications_count", group.count)
      if isPage {
        writer.field("page_max_id", newest)
        writer.field("page_min_id", String(group.part.oldest))
      }
      writer.field("sample_account_ids", group.accounts.map { String($0) })
      if let status = group.latest.status { writer.field("status_id", String(status)) }
      if let detail = group.detail { writer.field(detail, createdAt: Date(milliseconds: group.latest.createdAt)) }
      writer.field("type", group.latest.kind)
    }
  }
}
