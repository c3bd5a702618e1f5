import FoundationEssentials
import QwinkleModel

/// <https://docs.joinmastodon.org/entities/Notification/>
struct NotificationEntity: WireEntity {
  /// The status and the details. If one of them is malformed, the notification is shown without it.
  static let dispensableMembers = NotificationDetailEntity.members.union(["status"])

  /// Prefix of the group key of an ungrouped notification.
  private static let ungrouped = "ungrouped-"

  let model: AccountNotification

  enum CodingKeys: String, CodingKey {
    case id, type, account, status, emoji, report, event
    case warning = "moderation_warning"
    case annualReport = "annual_report"
    case createdAt = "created_at"
    case groupKey = "group_key"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var notification = AccountNotification(
      id: try container.requiredID(.id), kind: Self.kind(container.line(.type), emoji: container.line(.emoji)),
      createdAt: container.date(.createdAt) ?? Date(timeIntervalSince1970: 0),
      qwinker: try container.requiredModel(.account, of: AccountEntity.self),
      qwink: container.model(.status, of: RowEntity.self), groupKey: Self.groupKey(container.line(.groupKey)))
    notification.detail = Self.detail(in: container)
    model = notification
  }

  private static func detail(in container: KeyedDecodingContainer<CodingKeys>) -> NotificationDetail? {
    typealias Detail = NotificationDetailEntity
    return container.model(.report, of: Detail.Report.self) ?? container.model(.event, of: Detail.Severance.self)
      ?? container.model(.warning, of: Detail.Warning.self)
      ?? container.model(.annualReport, of: Detail.AnnualReport.self)
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
      if let detail = notification.detail { NotificationDetailEntity.write(detail, to: &writer) }
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

  private static func kind(_ word: String, emoji: String) -> AccountNotification.Kind {
    switch word {
    case "mention": .mention
    case "reblog": .boost
    case "favourite": .favourite
    case "follow": .follow
    case "follow_request": .followRequest
    case "poll": .poll
    case "status": .qwink
    case "update": .edit
    case "quote": .quote
    case "move": .move
    case reaction where !emoji.isEmpty: .reaction(emoji)
    default: .other(word)
    }
  }

  static func word(of kind: AccountNotification.Kind) -> String {
    switch kind {
    case .mention: "mention"
    case .boost: "reblog"
    case .favourite: "favourite"
    case .follow: "follow"
    case .followRequest: "follow_request"
    case .poll: "poll"
    case .qwink: "status"
    case .edit: "update"
    case .quote: "quote"
    case .move: "move"
    case .reaction: reaction
    case .other(let word): word
    }
  }
}
