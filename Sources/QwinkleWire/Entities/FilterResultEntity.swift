import QwinkleModel
import SafeText

/// A match of one of the user's filters with a status. <https://docs.joinmastodon.org/entities/FilterResult/>
enum FilterResultEntity: WireEntity {
  static func read(_ fields: WireFields) -> FilterMatch {
    let filter = fields.object("filter")
    let contexts = filter?.list("context", of: String.self) ?? []
    let known = FilterPlace.allCases.map(\.rawValue).filter(contexts.contains)
    var match = FilterMatch(
      id: SafeText.line(filter?.identifier("id") ?? ""), title: filter?.line("title") ?? "",
      hides: filter?.text("filter_action") == "hide", contexts: known.isEmpty ? Array(contexts.prefix(1)) : known,
      expiresAt: filter?.date("expires_at"))
    match.keywords = fields.list("keyword_matches", of: String.self).map { SafeText.line($0) }
    match.statuses = fields.list("status_matches", of: String.self).map { SafeText.line($0) }
    return match
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
