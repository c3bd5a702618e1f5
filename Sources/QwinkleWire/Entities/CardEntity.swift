import QwinkleModel

/// <https://docs.joinmastodon.org/entities/PreviewCard/>
enum CardEntity: WireEntity {
  /// Throws if the card has no safe link.
  static func read(_ fields: WireFields) throws -> Qwink.Card {
    Qwink.Card(
      url: try fields.required(fields.link("url"), "url"), title: fields.line("title"),
      summary: fields.line("description"), providerName: fields.line("provider_name"))
  }

  static func write(_ card: Qwink.Card, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("url", card.url)
      writer.field("title", card.title)
      writer.field("description", card.summary)
      writer.field("language", String?.none)
      writer.field("type", "link")
      writer.field("author_name", "")
      writer.field("author_url", "")
      writer.field("provider_name", card.providerName)
      writer.field("provider_url", "")
      writer.field("html", "")
      writer.field("width", 0)
      writer.field("height", 0)
      writer.nullField("image")
      writer.field("embed_url", "")
      writer.nullField("blurhash")
    }
  }
}
