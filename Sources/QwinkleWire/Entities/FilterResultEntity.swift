import FoundationEssentials
import QwinkleModel
import SafeText

/// A match of one of the user's filters with a status. <https://docs.joinmastodon.org/entities/FilterResult/>
struct FilterResultEntity: WireEntity {
  let model: FilterMatch

  enum CodingKeys: String, CodingKey {
    case filter
    case keywordMatches = "keyword_matches"
    case statusMatches = "status_matches"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var match =
      container.entity(.filter, as: Filter.self)?.match ?? FilterMatch(id: "", title: "", hides: false, contexts: [])
    match.keywords = container.list(.keywordMatches, of: String.self).map { SafeText.line($0) }
    match.statuses = container.list(.statusMatches, of: String.self).map { SafeText.line($0) }
    model = match
  }

  /// The filter that matched, without its keywords. An unknown action is treated as `warn`.
  private struct Filter: Decodable {
    let match: FilterMatch

    enum CodingKeys: String, CodingKey {
      case id, title, context
      case expiresAt = "expires_at"
      case action = "filter_action"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let contexts = container.list(.context, of: String.self)
      let known = FilterPlace.allCases.map(\.rawValue).filter(contexts.contains)
      match = FilterMatch(
        id: SafeText.line(container.identifier(.id) ?? ""), title: container.line(.title),
        hides: container.text(.action) == "hide", contexts: known.isEmpty ? Array(contexts.prefix(1)) : known,
        expiresAt: container.date(.expiresAt))
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
