import FoundationEssentials
import QwinkleModel

/// <https://docs.joinmastodon.org/entities/NotificationRequest/>
enum NotificationRequestEntity: WireEntity {
  /// The last status. If it is malformed, the request is shown without it.
  static let dispensableMembers: Set<String> = ["last_status"]

  static func read(_ fields: WireFields) throws -> NotificationRequest {
    let createdAt = fields.date("created_at") ?? Date(timeIntervalSince1970: 0)
    return NotificationRequest(
      id: try fields.requiredID("id"), qwinker: try fields.requiredModel("account", of: AccountEntity.self),
      notificationsCount: fields.count("notifications_count"),
      lastQwink: fields.model("last_status", of: RowEntity.self),
      createdAt: createdAt, updatedAt: fields.date("updated_at") ?? createdAt)
  }

  static func write(_ request: NotificationRequest, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", request.id.rawValue)
      writer.field("created_at", request.createdAt)
      writer.field("updated_at", request.updatedAt)
      // Mastodon sends the count as a string.
      writer.field("notifications_count", String(request.notificationsCount))
      writer.key("account")
      AccountEntity.write(request.qwinker, to: &writer)
      writer.key("last_status")
      if let qwink = request.lastQwink { StatusEntity.write(qwink, to: &writer) } else { writer.null() }
    }
  }
}
