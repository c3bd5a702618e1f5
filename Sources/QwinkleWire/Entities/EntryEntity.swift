import FoundationEssentials
import QwinkleModel

/// Request bodies of POST and PUT statuses. On the server side, ``RequestParameters`` decodes them.
/// <https://docs.joinmastodon.org/methods/statuses/#create>
enum EntryEntity {
  /// Writes the body of POST statuses. Omits unset fields, because some servers reject null.
  static func write(_ entry: Entry, at date: Date? = nil, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("status", entry.text)
      writer.field("visibility", entry.visibility.rawValue)
      if !entry.contentWarning.isEmpty { writer.field("spoiler_text", entry.contentWarning) }
      if entry.isHidden { writer.field("sensitive", true) }
      if let language = entry.language { writer.field("language", language) }
      if let inReplyTo = entry.inReplyTo { writer.field("in_reply_to_id", inReplyTo) }
      if let quotedID = entry.quotedID { writer.field("quoted_status_id", quotedID) }
      writeQuotePolicy(of: entry, to: &writer)
      if !entry.attachmentIDs.isEmpty { writer.field("media_ids", entry.attachmentIDs) { $0.string($1) } }
      if let poll = entry.poll { writer.field("poll") { ScheduledEntity.writeFields(of: poll, to: &$0) } }
      if let date { writer.field("scheduled_at", date) }
    }
  }

  /// Writes the body of PUT statuses. Always includes the content warning, because the server removes the old warning
  /// only if the request contains an empty one. The server also removes attachments that aren't listed.
  /// <https://docs.joinmastodon.org/methods/statuses/#edit>
  static func writeEdit(_ entry: Entry, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("status", entry.text)
      writer.field("spoiler_text", entry.contentWarning)
      writer.field("sensitive", entry.isHidden)
      writeQuotePolicy(of: entry, to: &writer)
      if let language = entry.language { writer.field("language", language) }
      if !entry.attachmentIDs.isEmpty { writer.field("media_ids", entry.attachmentIDs) { $0.string($1) } }
      if let poll = entry.poll { writer.field("poll") { ScheduledEntity.writeFields(of: poll, to: &$0) } }
    }
  }

  private static func writeQuotePolicy(of entry: Entry, to writer: inout JSONWriter) {
    if let policy = entry.quotePolicy { writer.field("quote_approval_policy", policy.rawValue) }
  }
}

extension Entry {
  fileprivate var isHidden: Bool { isSensitive || !contentWarning.isEmpty }
}
