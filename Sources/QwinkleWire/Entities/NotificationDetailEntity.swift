import FoundationEssentials
import QwinkleModel
import SafeText

/// The details of a notification. They are in the field `report`, `event`, `moderation_warning`, `annual_report`,
/// `collection` or `fallback`, depending on the notification's type.
///
/// <https://docs.joinmastodon.org/entities/Notification/>
enum NotificationDetailEntity {
  /// Names of the detail fields. A notification can be shown without them.
  static let members: Set<String> = [
    "report", "event", "moderation_warning", "annual_report", "collection", "fallback",
  ]

  /// - Parameter createdAt: The time of the notification, which is also the time of the report or warning.
  static func write(_ detail: NotificationDetail, createdAt: Date, to writer: inout JSONWriter) {
    switch detail {
    case .report(let id, let target, let category, let comment, let qwinks, let rules, let isResolved):
      writer.field("report") { writer in
        writer.field("id", id)
        writer.field("action_taken", isResolved)
        writer.nullField("action_taken_at")
        writer.field("created_at", createdAt)
        writer.field("forwarded", false)
        writer.field("category", category)
        writer.field("comment", comment)
        writer.field("status_ids", qwinks) { $0.string($1.rawValue) }
        writer.field("rule_ids", rules) { $0.string($1.rawValue) }
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
    case .warning(let id, let action, let text, let qwinks, let appeal):
      writer.field("moderation_warning") { writer in
        writer.field("id", id)
        writer.field("created_at", createdAt)
        writer.field("action", action)
        writer.field("text", text)
        writer.field("status_ids", qwinks) { $0.string($1.rawValue) }
        if appeal.isEmpty { return writer.nullField("appeal") }
        writer.field("appeal") { $0.field("state", appeal) }
      }
    case .annualReport(let year):
      writer.field("annual_report") { $0.field("year", String(year)) }
    case .collection(let name, let description):
      writer.field("collection") { writer in
        writer.field("name", name)
        writer.field("description", HTMLWriter.html(from: RichText(plain: description)))
      }
    case .fallback(let title, let summary):
      writer.field("fallback") { writer in
        writer.field("title", HTMLWriter.html(from: RichText(plain: title)))
        writer.field("summary", HTMLWriter.html(from: RichText(plain: summary)))
      }
    }
  }

  /// <https://docs.joinmastodon.org/entities/Report/>
  enum Report: WireEntity {
    static func read(_ fields: WireFields) -> NotificationDetail {
      .report(
        id: SafeText.line(fields.identifier("id") ?? ""),
        target: fields.model("target_account", of: AccountEntity.self), category: fields.line("category"),
        comment: SafeText.paragraphs(fields.text("comment")), qwinks: fields.ids("status_ids"),
        rules: fields.ids("rule_ids"), isResolved: fields.flag("action_taken"))
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
      .warning(
        id: SafeText.line(fields.identifier("id") ?? ""), action: fields.line("action"),
        text: SafeText.paragraphs(fields.text("text")), qwinks: fields.ids("status_ids"),
        appeal: fields.object("appeal")?.line("state") ?? "")
    }
  }

  /// The year of an annual report. Servers send it as a string.
  enum AnnualReport: WireEntity {
    static func read(_ fields: WireFields) throws -> NotificationDetail {
      .annualReport(year: try fields.required(fields.int("year"), "year"))
    }
  }

  /// <https://docs.joinmastodon.org/entities/Collection/>
  enum Collection: WireEntity {
    static func read(_ fields: WireFields) throws -> NotificationDetail {
      let name = fields.line("name")
      if name.isEmpty { throw MissingField(name: "name") }
      return .collection(name: name, description: fields.richText("description").plainText)
    }
  }

  /// <https://docs.joinmastodon.org/entities/NotificationFallback/>
  enum Fallback: WireEntity {
    static func read(_ fields: WireFields) throws -> NotificationDetail {
      let title = fields.richText("title").plainText.split(whereSeparator: \.isNewline).joined(separator: " ")
      if title.isEmpty { throw MissingField(name: "title") }
      return .fallback(title: title, summary: fields.richText("summary").plainText)
    }
  }
}

extension WireFields {
  /// Returns a list of IDs. Some servers write IDs as numbers.
  fileprivate func ids<Subject>(_ key: Key) -> [Identifier<Subject>] {
    list(key, of: OpaqueID.self).map { Identifier(SafeText.line($0.text)) }
  }
}

private struct OpaqueID: Decodable {
  var text: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    text = try (try? container.decode(String.self)) ?? String(container.decode(Int64.self))
  }
}
