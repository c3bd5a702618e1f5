public import QwinkleModel
import SafeText

extension RequestParameters {
  /// Returns the entry that a client posts or edits. <https://docs.joinmastodon.org/methods/statuses/#create>
  ///
  /// Text and content warning are unchanged except for NUL, so that the author can edit them as typed. They are
  /// sanitized for display. The idempotency key is empty because clients send it in a header.
  ///
  /// - Parameter usual: The visibility if the client sent none.
  /// - Throws: ``ParameterFault`` if a value can't be parsed. Replacing it with a guess could publish a private post.
  public func entry(usually usual: Visibility = .public) throws(ParameterFault) -> Entry {
    let language = SafeText.line(try text("language") ?? "").trimmed()
    let inReplyTo = try identifier("in_reply_to_id").map { SafeText.line($0) }
    var entry = Entry(
      text: (try text("status") ?? "").withoutNUL(), visibility: try choice("visibility") ?? usual,
      contentWarning: (try text("spoiler_text") ?? "").withoutNUL(), language: language.isEmpty ? nil : language,
      inReplyTo: inReplyTo.map { Qwink.ID($0) }, attachmentIDs: try texts("media_ids")?.uniqued() ?? [],
      isSensitive: try flag("sensitive") ?? false, idempotencyKey: "")
    entry.quotedID = try identifier("quoted_status_id").map { SafeText.line($0) }
    entry.quotePolicy = try choice("quote_approval_policy")
    return entry
  }
}
