import FoundationEssentials
import QwinkleModel
import SafeText

/// <https://docs.joinmastodon.org/entities/FilterResult/>
struct FilterResultEntity: WireEntity {
  /// What a matching filter asks for.
  enum Outcome: Hashable {
    case hide
    case warn(title: String)
  }

  /// An unknown action counts as a warning.
  let model: Outcome

  enum CodingKeys: String, CodingKey {
    case filter
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let title = SafeText.line(container.string("title", in: .filter) ?? "").trimmed()
    model = container.string("filter_action", in: .filter) == "hide" ? .hide : .warn(title: title)
  }

  /// The titles of filters that ask for a warning.
  static func titles(of outcomes: [Outcome]) -> [String] {
    outcomes.compactMap { if case .warn(let title) = $0 { title } else { nil } }
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

  static func write(_ match: FilterMatch, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("filter") { writer in
        writer.field("id", match.id)
        writer.field("title", match.title)
        writer.field("context", match.contexts) { $0.string($1) }
        writer.field("expires_at", match.expiresAt)
        writer.field("filter_action", match.hides ? "hide" : "warn")
      }
      writer.field("keyword_matches", match.keywords) { $0.string($1) }
      writer.field("status_matches", match.statuses) { $0.string($1) }
    }
  }
}
