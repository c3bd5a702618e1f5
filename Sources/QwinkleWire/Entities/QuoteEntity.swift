import FoundationEssentials
import QwinkleModel

/// A quote in a status. <https://docs.joinmastodon.org/entities/Quote/>
///
/// Mastodon sends an object with a state, and with the quoted status or its id. Other servers send the quoted status
/// itself. In all states except `accepted`, the reader shouldn't see the quoted status, for example because the reader
/// blocks its author. In these states only the id is decoded.
struct QuoteEntity: WireEntity {
  let model: Qwink.Quote

  enum CodingKeys: String, CodingKey {
    case state, id, account, content, url, uri, filtered
    case status = "quoted_status"
    case statusID = "quoted_status_id"
    case spoilerText = "spoiler_text"
  }

  /// Decodes a quote or a quoted status. Throws if the value is neither.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let status = container.entity(.status, as: QuoteEntity.self)?.model
    if status != nil || container.contains(.state) {
      // Servers without states send only the status.
      let state = container.contains(.state) ? Self.state(named: container.text(.state)) : .accepted
      if state == .accepted, let status {
        model = status
      } else {
        model = Qwink.Quote(id: container.id(.statusID) ?? status?.id, state: state)
      }
      return
    }
    var quote = Qwink.Quote(
      id: try container.requiredID(.id), author: container.model(.account, of: AccountEntity.self),
      text: container.richText(.content), contentWarning: container.line(.spoilerText), url: container.link(.url, .uri))
    quote.filterMatches = container.models(.filtered, of: FilterResultEntity.self)
    model = quote
  }

  /// Returns the state with the given API name. Unknown names map to ``Qwink/Quote/State/other``.
  static func state(named name: String) -> Qwink.Quote.State { Qwink.Quote.State(rawValue: name) ?? .other }

  static func write(_ quote: Qwink.Quote, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("state", quote.state.rawValue)
      writer.field("quoted_status_id", quote.id?.rawValue)
      guard let author = quote.author, let id = quote.id else { return writer.nullField("quoted_status") }
      writer.key("quoted_status")
      writer.object { writer in
        writer.field("id", id.rawValue)
        writer.field("url", quote.url)
        writer.field("spoiler_text", quote.contentWarning)
        writer.field("filtered", quote.filterMatches) { FilterResultEntity.write($1, to: &$0) }
        writer.field("content", HTMLWriter.html(from: quote.text, base: quote.url ?? author.url))
        writer.key("account")
        AccountEntity.write(author, to: &writer)
      }
    }
  }
}
