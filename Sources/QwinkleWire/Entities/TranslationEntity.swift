import QwinkleModel
import SafeText

/// <https://docs.joinmastodon.org/entities/Translation/>
enum TranslationEntity: WireEntity {
  /// Requires the text. Without it, the qwink would seem to be empty.
  static func read(_ fields: WireFields) throws -> Translation {
    let text = HTMLReader.richText(from: try fields.requiredString("content"))
    // The documentation's example has a list of polls. Mastodon sends one poll.
    let poll = fields.model("poll", of: PollTitles.self) ?? fields.models("poll", of: PollTitles.self).first
    let descriptions = fields.models("media_attachments", of: Description.self).compactMap(\.self)
    let source = fields.line("detected_source_language")
    return Translation(
      text: text, contentWarning: fields.line("spoiler_text"), pollOptions: poll ?? [],
      descriptions: Dictionary(descriptions) { first, _ in first },
      sourceLanguage: LanguageCode.isCode(source) ? source : nil, provider: fields.line("provider"))
  }

  static func write(_ translation: Translation, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("content", HTMLWriter.html(from: translation.text))
      writer.field("spoiler_text", translation.contentWarning)
      writer.field("detected_source_language", translation.sourceLanguage)
      writer.field("provider", translation.provider)
      writer.field("poll") { writer in
        writer.field("options", translation.pollOptions) { writer, title in
          writer.object { $0.field("title", title) }
        }
      }
      let descriptions = translation.descriptions.sorted { $0.key.rawValue < $1.key.rawValue }
      writer.field("media_attachments", descriptions) { writer, description in
        writer.object { writer in
          writer.field("id", description.key.rawValue)
          writer.field("description", description.value)
        }
      }
    }
  }

  private enum PollTitles: WireEntity {
    static func read(_ fields: WireFields) throws -> [String] {
      guard fields.contains("options") else { throw MissingField(name: "options") }
      // Without a title, an option keeps its place, so that the titles after it stay with their options.
      return fields.models("options", of: Title.self)
    }
  }

  private enum Title: WireEntity {
    static func read(_ fields: WireFields) -> String { fields.line("title") }
  }

  private enum Description: WireEntity {
    static func read(_ fields: WireFields) -> (Attachment.ID, String)? {
      let text = SafeText.paragraphs(fields.text("description")).trimmed()
      guard let id: Attachment.ID = fields.id("id"), !text.isEmpty else { return nil }
      return (id, text)
    }
  }
}
