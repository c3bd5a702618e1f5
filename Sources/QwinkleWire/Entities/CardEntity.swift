import FoundationEssentials
import QwinkleModel
import SafeText

/// <https://docs.joinmastodon.org/entities/PreviewCard/>
struct CardEntity: WireEntity {
  var url: String?
  var title: String
  var description: String
  var providerName: String

  enum CodingKeys: String, CodingKey {
    case url, title, description
    case providerName = "provider_name"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    url = container.string(.url)
    title = container.text(.title)
    description = container.text(.description)
    providerName = container.text(.providerName)
  }

  /// Nil if it has no safe link.
  var model: Qwink.Card? {
    guard let url = SafeURL.link(url) else { return nil }
    return Qwink.Card(
      url: url, title: SafeText.line(title).trimmed(), summary: SafeText.line(description).trimmed(),
      providerName: SafeText.line(providerName).trimmed())
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
