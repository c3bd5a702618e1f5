import QwinkleModel

/// <https://docs.joinmastodon.org/entities/PreviewCard/>
enum CardEntity: WireEntity {
  /// Throws if the card has no safe link.
  static func read(_ fields: WireFields) throws -> Qwink.Card {
    Qwink.Card(
      url: try fields.required(fields.link("url"), "url"), title: fields.line("title"),
      summary: fields.line("description"), providerName: fields.line("provider_name"), picture: picture(fields))
  }

  private static func picture(_ fields: WireFields) -> Qwink.Card.Picture? {
    fields.link("image").map {
      // The size is the one of the picture only for previews of pages. Videos have the size of their player here, which
      // has the same shape.
      Qwink.Card.Picture(
        url: $0, width: PictureFacts.length(fields.int("width")), height: PictureFacts.length(fields.int("height")),
        blurhash: PictureFacts.blurhash(fields.text("blurhash")))
    }
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
      writer.field("width", card.picture?.width ?? 0)
      writer.field("height", card.picture?.height ?? 0)
      writer.field("image", card.picture?.url)
      writer.field("embed_url", "")
      writer.field("blurhash", card.picture?.blurhash)
    }
  }
}
