import FoundationEssentials
import SafeText

/// <https://docs.joinmastodon.org/entities/FilterResult/>
struct FilterResultEntity: WireEntity {
  /// What a matching filter asks for.
  enum Outcome: Hashable {
    case hide
    case warn(title: String)
  }

  var title: String
  var action: String

  enum CodingKeys: String, CodingKey {
    case filter
  }

  init(from decoder: any Decoder) throws {
    let filter = try decoder.container(keyedBy: CodingKeys.self).entity(.filter, as: Filter.self)
    title = filter?.title ?? ""
    action = filter?.action ?? ""
  }

  /// An unknown action counts as a warning.
  var model: Outcome {
    action == "hide" ? .hide : .warn(title: SafeText.line(title).trimmed())
  }

  private struct Filter: Decodable {
    var title: String
    var action: String

    enum CodingKeys: String, CodingKey {
      case title
      case action = "filter_action"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      title = container.text(.title)
      action = container.text(.action)
    }
  }

  static func write(_ outcome: Outcome, number: Int, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("filter") { writer in
        writer.field("id", String(number))
        switch outcome {
        case .hide:
          writer.field("title", "")
          writer.field("filter_action", "hide")
        case .warn(let title):
          writer.field("title", title)
          writer.field("filter_action", "warn")
        }
        writer.field("context", ["home", "notifications", "public", "thread", "account"]) { $0.string($1) }
        writer.nullField("expires_at")
      }
      writer.emptyList("keyword_matches")
      writer.emptyList("status_matches")
    }
  }
}
