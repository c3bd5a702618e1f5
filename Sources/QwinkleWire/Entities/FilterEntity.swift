import QwinkleModel
import SafeText

/// A filter. In version 1 of the API, each keyword is a separate filter.
/// <https://docs.joinmastodon.org/entities/Filter/>
enum FilterEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> ContentFilter {
    let phrase = fields.line("phrase")
    let contexts = fields.list("context", of: String.self).compactMap(ContentFilter.Context.init)
    return ContentFilter(
      id: try fields.requiredID("id"), title: phrase.isEmpty ? fields.line("title") : phrase, contexts: contexts,
      expiresAt: fields.date("expires_at"),
      hides: fields.text("filter_action") == "hide" || fields.flag("irreversible"),
      keywords: phrase.isEmpty
        ? fields.models("keywords", of: Keyword.self)
        : [ContentFilter.Keyword(text: phrase, isWhole: fields.flag("whole_word"))],
      statuses: fields.models("statuses", of: NamedStatus.self).map(\.qwink))
  }

  /// <https://docs.joinmastodon.org/entities/FilterKeyword/>
  enum Keyword: WireEntity {
    static func read(_ fields: WireFields) throws -> ContentFilter.Keyword {
      _ = try fields.requiredString("keyword")
      return ContentFilter.Keyword(
        id: SafeText.line(fields.identifier("id") ?? ""), text: fields.line("keyword"),
        isWhole: fields.flag("whole_word"))
    }
  }

  /// <https://docs.joinmastodon.org/entities/FilterStatus/>
  enum NamedStatus: WireEntity {
    static func read(_ fields: WireFields) throws -> FilteredQwink {
      FilteredQwink(id: SafeText.line(fields.identifier("id") ?? ""), qwink: try fields.requiredID("status_id"))
    }

    static func write(_ entry: FilteredQwink, to writer: inout JSONWriter) {
      writer.object { writer in
        writer.field("id", entry.id)
        writer.field("status_id", entry.qwink.rawValue)
      }
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
