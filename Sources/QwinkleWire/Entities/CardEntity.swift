import FoundationEssentials
import QwinkleModel

/// <https://docs.joinmastodon.org/entities/PreviewCard/>
struct CardEntity: WireEntity {
  let model: Qwink.Card

  enum CodingKeys: String, CodingKey {
    case url, title, description
    case providerName = "provider_name"
  }

  /// Throws if the card has no safe link.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    model = Qwink.Card(
      url: try container.required(container.link(.url), .url), title: container.line(.title),
      summary: container.line(.description), providerName: container.line(.providerName))
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
