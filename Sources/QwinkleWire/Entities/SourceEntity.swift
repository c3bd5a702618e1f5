import QwinkleModel

/// <https://docs.joinmastodon.org/entities/StatusSource/>
enum SourceEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> QwinkSource {
    // Throw if the text is missing. With an empty text in its place, an edit would delete what the author wrote.
    QwinkSource(
      id: fields.id("id") ?? "", text: try fields.requiredString("text").withoutNUL(),
      contentWarning: fields.text("spoiler_text").withoutNUL(), contentType: fields.line("content_type"))
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
