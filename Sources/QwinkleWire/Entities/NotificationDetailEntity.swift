import QwinkleModel
import SafeText

/// The details of a notification, which depend on its type: `report`, `event`, `moderation_warning` or `annual_report`.
///
/// <https://docs.joinmastodon.org/entities/Notification/>
enum NotificationDetailEntity {
  /// Names of the detail fields. A notification can be shown without them.
  static let members: Set<String> = ["report", "event", "moderation_warning", "annual_report"]

  static func write(_ detail: NotificationDetail, to writer: inout JSONWriter) {
    switch detail {
    case .report(let target, let category, let comment, let qwinks):
      writer.field("report") { writer in
        writer.field("category", category)
        writer.field("comment", comment)
        writer.field("status_ids", qwinks) { $0.string($1.rawValue) }
        guard let target else { return writer.nullField("target_account") }
        writer.key("target_account")
        AccountEntity.write(target, to: &writer)
      }
    case .severance(let cause, let target, let followers, let following):
      writer.field("event") { writer in
        writer.field("type", cause)
        writer.field("target_name", target)
        writer.field("followers_count", followers)
        writer.field("following_count", following)
      }
    case .warning(let action, let text):
      writer.field("moderation_warning") { writer in
        writer.field("action", action)
        writer.field("text", text)
      }
    case .annualReport(let year):
      writer.field("annual_report") { $0.field("year", String(year)) }
    }
  }

  /// <https://docs.joinmastodon.org/entities/Report/>
  struct Report: WireEntity {
    let model: NotificationDetail

    enum CodingKeys: String, CodingKey {
      case category, comment
      case target = "target_account"
      case statuses = "status_ids"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let ids = container.list(.statuses, of: String.self).map { Qwink.ID(SafeText.line($0)) }
      model = .report(
        target: container.model(.target, of: AccountEntity.self), category: container.line(.category),
        comment: SafeText.paragraphs(container.text(.comment)), qwinks: ids)
    }
  }

  /// <https://docs.joinmastodon.org/entities/RelationshipSeveranceEvent/>
  struct Severance: WireEntity {
    let model: NotificationDetail

    enum CodingKeys: String, CodingKey {
      case type
      case target = "target_name"
      case followers = "followers_count"
      case following = "following_count"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      model = .severance(
        cause: container.line(.type), target: container.line(.target), followersCount: container.count(.followers),
        followingCount: container.count(.following))
    }
  }

  /// <https://docs.joinmastodon.org/entities/AccountWarning/>
  struct Warning: WireEntity {
    let model: NotificationDetail

    enum CodingKeys: String, CodingKey {
      case action, text
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      model = .warning(action: container.line(.action), text: SafeText.paragraphs(container.text(.text)))
    }
  }

  /// The year of an annual report. Servers send it as a string.
  struct AnnualReport: WireEntity {
    let model: NotificationDetail

    enum CodingKeys: String, CodingKey {
      case year
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      model = .annualReport(year: try container.required(container.int(.year), .year))
    }
  }
}
