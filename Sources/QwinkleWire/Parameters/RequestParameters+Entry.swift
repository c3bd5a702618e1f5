public import QwinkleModel
import SafeText

extension RequestParameters {
  /// What a client posts or edits. <https://docs.joinmastodon.org/methods/statuses/#create>
  ///
  /// Text and warning stay as typed, but for NUL: they are cleaned when shown, and edited as they came. The idempotency
  /// key is empty: it is a header.
  ///
  /// - Parameter usual: The visibility if none was sent.
  /// - Throws: ``ParameterFault`` if a value can't be read. A guess could publish what was meant to be private.
  public func entry(usually usual: Visibility = .public) throws(ParameterFault) -> Entry {
    let language = SafeText.line(try text("language") ?? "").trimmed()
    let inReplyTo = try identifier("in_reply_to_id").map { SafeText.line($0) }
    return Entry(
      text: (try text("status") ?? "").withoutNUL(), visibility: try choice("visibility") ?? usual,
      contentWarning: (try text("spoiler_text") ?? "").withoutNUL(), language: language.isEmpty ? nil : language,
      inReplyTo: inReplyTo.map { Qwink.ID($0) }, attachmentIDs: try texts("media_ids")?.uniqued() ?? [],
      isSensitive: try flag("sensitive") ?? false, idempotencyKey: "")
  }
}
