import QwinkleModel
import SafeText

/// The details of a notification. They are in the field `report`, `event`, `moderation_warning` or `annual_report`,
/// depending on the notification's type.
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
  enum Report: WireEntity {
    static func read(_ fields: WireFields) -> NotificationDetail {
      let ids = fields.list("status_ids", of: String.self).map { Qwink.ID(SafeText.line($0)) }
      return .report(
        target: fields.model("target_account", of: AccountEntity.self), category: fields.line("category"),
        comment: SafeText.paragraphs(fields.text("comment")), qwinks: ids)
    }
  }

  /// <https://docs.joinmastodon.org/entities/RelationshipSeveranceEvent/>
  enum Severance: WireEntity {
    static func read(_ fields: WireFields) -> NotificationDetail {
      .severance(
        cause: fields.line("type"), target: fields.line("target_name"), followersCount: fields.count("followers_count"),
        followingCount: fields.count("following_count"))
    }
  }

  /// <https://docs.joinmastodon.org/entities/AccountWarning/>
  enum Warning: WireEntity {
    static func read(_ fields: WireFields) -> NotificationDetail {
      .warning(action: fields.line("action"), text: SafeText.paragraphs(fields.text("text")))
    }
  }

  /// The year of an annual report. Servers send it as a string.
  enum AnnualReport: WireEntity {
    static func read(_ fields: WireFields) throws -> NotificationDetail {
      .annualReport(year: try fields.required(fields.int("year"), "year"))
    }
  }
}
