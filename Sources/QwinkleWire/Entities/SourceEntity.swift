import FoundationEssentials
import QwinkleModel

/// <https://docs.joinmastodon.org/entities/StatusSource/>
struct SourceEntity: WireEntity {
  let model: QwinkSource

  enum CodingKeys: String, CodingKey {
    case id, text
    case spoilerText = "spoiler_text"
    case contentType = "content_type"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    // Throw if the text is missing. With an empty text in its place, an edit would delete what the author wrote.
    model = QwinkSource(
      id: container.id(.id) ?? "", text: try container.requiredString(.text).withoutNUL(),
      contentWarning: container.text(.spoilerText).withoutNUL(), contentType: container.line(.contentType))
  }

  static func write(_ source: QwinkSource, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", source.id.rawValue)
      writer.field("text", source.text)
      writer.field("spoiler_text", source.contentWarning)
      if !source.contentType.isEmpty { writer.field("content_type", source.contentType) }
    }
  }
}

extension String {
  /// Returns the text without NUL, which ends a string in C and SQLite. Other sanitizing happens on display.
  func withoutNUL() -> String {
    utf8.contains(0) ? String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "\0" })) : self
  }
}
