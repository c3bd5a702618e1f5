import FoundationEssentials
import QwinkleModel

/// <https://docs.joinmastodon.org/entities/Notification/>
enum NotificationEntity: WireEntity {
  /// The status and the details. If one of them is malformed, the notification is shown without it.
  static let dispensableMembers = NotificationDetailEntity.members.union(["status"])

  /// Prefix of the group key of an ungrouped notification.
  private static let ungrouped = "ungrouped-"

  static func read(_ fields: WireFields) throws -> AccountNotification {
    let kind = Self.kind(fields.line("type"), emoji: fields.line("emoji"))
    let detail = Self.detail(in: fields)
    var notification = AccountNotification(
      id: try fields.requiredID("id"), kind: kind,
      createdAt: fields.date("created_at") ?? Date(timeIntervalSince1970: 0),
      qwinker: try Self.qwinker(in: fields, isOptional: kind.isFromServer || detail?.isFallback == true),
      qwink: fields.model("status", of: RowEntity.self), groupKey: Self.groupKey(fields.line("group_key")))
    notification.detail = detail
    return notification
  }

  /// Returns the account that caused the notification, or one with an empty ID if the account is missing and may be.
  private static func qwinker(in fields: WireFields, isOptional: Bool) throws -> Qwinker {
    if let qwinker = fields.model("account", of: AccountEntity.self) { return qwinker }
    if isOptional { return Qwinker(id: "", userName: "") }
    throw MissingField(name: "account")
  }

  private static func detail(in fields: WireFields) -> NotificationDetail? {
    typealias Detail = NotificationDetailEntity
    return fields.model("report", of: Detail.Report.self) ?? fields.model("event", of: Detail.Severance.self)
      ?? fields.model("moderation_warning", of: Detail.Warning.self)
      ?? fields.model("annual_report", of: Detail.AnnualReport.self)
      ?? fields.model("collection", of: Detail.Collection.self) ?? fields.model("fallback", of: Detail.Fallback.self)
  }

  static func write(_ notification: AccountNotification, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", notification.id.rawValue)
      writer.field("type", word(of: notification.kind))
      if case .reaction(let emoji) = notification.kind { writer.field("emoji", emoji) }
      writer.field("created_at", notification.createdAt)
      writer.field("group_key", notification.groupKey ?? ungrouped + notification.id.rawValue)
      writer.key("account")
      AccountEntity.write(notification.qwinker, to: &writer)
      if let detail = notification.detail { writer.field(detail, createdAt: notification.createdAt) }
      // Like Mastodon, omit a missing status instead of writing null, because clients check whether the field exists.
      if let qwink = notification.qwink {
        writer.key("status")
        StatusEntity.write(qwink, to: &writer)
      }
    }
  }

  private static func groupKey(_ key: String) -> String? { key.isEmpty || key.hasPrefix(ungrouped) ? nil : key }

  /// <https://docs.pleroma.social/backend/development/API/differences_in_mastoapi_responses/#notifications>
  private static let reaction = "pleroma:emoji_reaction"

  private static let kinds: KeyValuePairs<String, AccountNotification.Kind> = [
    "mention": .mention, "reblog": .boost, "favourite": .favourite, "follow": .follow,
    "follow_request": .followRequest, "poll": .poll, "status": .qwink, "update": .edit, "quote": .quote, "move": .move,
    "quoted_update": .quotedEdit, "severed_relationships": .severance, "moderation_warning": .warning,
    "annual_report": .annualReport, "admin.sign_up": .signUp, "admin.report": .report,
    "added_to_collection": .collectionAdd, "collection_update": .collectionEdit,
  ]

  static func kind(_ word: String, emoji: String = "") -> AccountNotification.Kind {
    word == reaction && !emoji.isEmpty ? .reaction(emoji) : kinds.first { $0.key == word }?.value ?? .other(word)
  }

  static func word(of kind: AccountNotification.Kind) -> String {
    switch kind {
    case .reaction: reaction
    case .other(let word): word
    default: kinds.first { $0.value == kind }?.key ?? ""
    }
  }

  static func words(of type: NotificationType) -> [String] {
    (kinds.map { $0 } + [(reaction, .reaction(""))]).filter { type.holds(for: $0.value) }.map(\.key)
  }
}
