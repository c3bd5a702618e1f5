import FoundationEssentials
import QwinkleModel
import SafeText

/// A filter. In version 1 of the API, each keyword is a separate filter.
/// <https://docs.joinmastodon.org/entities/Filter/>
struct FilterEntity: WireEntity {
  let model: ContentFilter

  enum CodingKeys: String, CodingKey {
    case id, title, context, keywords, statuses, phrase, irreversible
    case expiresAt = "expires_at"
    case action = "filter_action"
    case isWhole = "whole_word"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let phrase = container.line(.phrase)
    let contexts = container.list(.context, of: String.self).compactMap(ContentFilter.Context.init)
    model = ContentFilter(
      id: try container.requiredID(.id), title: phrase.isEmpty ? container.line(.title) : phrase, contexts: contexts,
      expiresAt: container.date(.expiresAt), hides: container.text(.action) == "hide" || container.flag(.irreversible),
      keywords: phrase.isEmpty
        ? container.models(.keywords, of: Keyword.self)
        : [ContentFilter.Keyword(text: phrase, isWhole: container.flag(.isWhole))],
      statuses: container.models(.statuses, of: NamedStatus.self))
  }

  /// <https://docs.joinmastodon.org/entities/FilterKeyword/>
  struct Keyword: WireEntity {
    let model: ContentFilter.Keyword

    enum CodingKeys: String, CodingKey {
      case id, keyword
      case isWhole = "whole_word"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      _ = try container.requiredString(.keyword)
      model = ContentFilter.Keyword(
        id: SafeText.line(container.identifier(.id) ?? ""), text: container.line(.keyword),
        isWhole: container.flag(.isWhole))
    }
  }

  /// <https://docs.joinmastodon.org/entities/FilterStatus/>
  private struct NamedStatus: WireEntity {
    let model: Qwink.ID

    enum CodingKeys: String, CodingKey {
      case status = "status_id"
    }

    init(from decoder: any Decoder) throws {
      model = try decoder.container(keyedBy: CodingKeys.self).requiredID(.status)
    }
  }

  static func write(_ filter: ContentFilter, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", filter.id.rawValue)
      writer.field("title", filter.title)
      writer.field("context", filter.contexts) { $0.string($1.rawValue) }
      writer.field("expires_at", filter.expiresAt)
      writer.field("filter_action", filter.hides ? "hide" : "warn")
      writer.field("keywords", filter.keywords) { writer, keyword in
        writer.object { writer in
          writer.field("id", keyword.id)
          writer.field("keyword", keyword.text)
          writer.field("whole_word", keyword.isWhole)
        }
      }
      writer.field("statuses", filter.statuses) { writer, status in
        writer.object { writer in
          writer.field("id", status.rawValue)
          writer.field("status_id", status.rawValue)
        }
      }
    }
  }

  /// Writes the body of POST filters, or of PUT filters. In the latter, `removed` are the ids of the keywords to
  /// delete.
  static func writeNew(
    _ filter: ContentFilter, seconds: Int?, removing removed: [String] = [], to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.field("title", filter.title)
      writer.field("context", filter.contexts) { $0.string($1.rawValue) }
      writer.field("filter_action", filter.hides ? "hide" : "warn")
      if let seconds { writer.field("expires_in", seconds) }
      let attributes =
        filter.keywords.map { ($0, false) } + removed.map { (ContentFilter.Keyword(id: $0, text: ""), true) }
      writer.field("keywords_attributes", attributes) { writer, attribute in
        let (keyword, isRemoved) = attribute
        writer.object { writer in
          if !keyword.id.isEmpty { writer.field("id", keyword.id) }
          if isRemoved { return writer.field("_destroy", true) }
          writer.field("keyword", keyword.text)
          writer.field("whole_word", keyword.isWhole)
        }
      }
    }
  }
}
