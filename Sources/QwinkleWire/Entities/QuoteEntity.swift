import FoundationEssentials
import QwinkleModel

/// What a status quotes. <https://docs.joinmastodon.org/entities/Quote/>
///
/// Mastodon puts the quoted status, or its id alone, beside a state; others put the status itself there.
struct QuoteEntity: WireEntity {
  let model: Qwink.Quote

  enum CodingKeys: String, CodingKey {
    case state, id, account, content, url, uri
    case status = "quoted_status"
    case statusID = "quoted_status_id"
    case spoilerText = "spoiler_text"
  }

  /// Throws if it is neither a quote nor a status.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let status = container.entity(.status, as: QuoteEntity.self) {
      var quote = status.model
      quote.state = container.line(.state)
      model = quote
      return
    }
    if container.contains(.state) {
      model = Qwink.Quote(id: container.id(.statusID), state: container.line(.state))
      return
    }
    model = Qwink.Quote(
      id: try container.requiredID(.id), author: container.model(.account, of: AccountEntity.self),
      text: container.richText(.content), contentWarning: container.line(.spoilerText), url: container.link(.url, .uri))
  }

  static func write(_ quote: Qwink.Quote, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("state", quote.state)
      writer.field("quoted_status_id", quote.id?.rawValue)
      guard let author = quote.author, let id = quote.id else { return writer.nullField("quoted_status") }
      writer.key("quoted_status")
      writer.object { writer in
        writer.field("id", id.rawValue)
        writer.field("url", quote.url)
        writer.field("spoiler_text", quote.contentWarning)
        writer.field("content", HTMLWriter.html(from: quote.text, base: quote.url ?? author.url))
        writer.key("account")
        AccountEntity.write(author, to: &writer)
      }
    }
  }
}
