import QwinkleModel

/// A quote in a status. <https://docs.joinmastodon.org/entities/Quote/>
///
/// Mastodon sends an object with a state, and with the quoted status or its id. Other servers send the quoted status
/// itself. In all states except `accepted`, the reader shouldn't see the quoted status, for example because the reader
/// blocks its author. In these states only the id is decoded.
enum QuoteEntity: WireEntity {
  /// Decodes a quote or a quoted status. Throws if the value is neither.
  static func read(_ fields: WireFields) throws -> Qwink.Quote {
    let status = fields.model("quoted_status", of: QuoteEntity.self)
    if status != nil || fields.contains("state") {
      // Servers without states send only the status.
      let state = fields.contains("state") ? Self.state(named: fields.text("state")) : .accepted
      if state == .accepted, let status { return status }
      return Qwink.Quote(id: fields.id("quoted_status_id") ?? status?.id, state: state)
    }
    var quote = Qwink.Quote(
      id: try fields.requiredID("id"), author: fields.model("account", of: AccountEntity.self),
      text: fields.richText("content"), contentWarning: fields.line("spoiler_text"), url: fields.link("url", "uri"))
    quote.filterMatches = fields.models("filtered", of: FilterResultEntity.self)
    return quote
  }

  /// Returns the state with the given API name. Unknown names map to ``Qwink/Quote/State/other``.
  static func state(named name: String) -> Qwink.Quote.State { Qwink.Quote.State(rawValue: name) ?? .other }

  static func write(_ quote: Qwink.Quote, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("state", quote.state.rawValue)
      if let whole = quote.whole {
        writer.key("quoted_status")
        return StatusEntity.write(whole.qwink, to: &writer)
      }
      // Mastodon sends either the status or its id. An update of its JSON must add the id when it removes the status.
      guard let author = quote.author, let id = quote.id else {
        writer.field("quoted_status_id", quote.id?.rawValue)
        return writer.nullField("quoted_status")
      }
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
