import FoundationEssentials
import QwinkleModel

/// The bodies of POST and PUT statuses. ``RequestParameters`` reads them.
/// <https://docs.joinmastodon.org/methods/statuses/#create>
enum EntryEntity {
  /// Writes only what is set: some services refuse null.
  static func write(_ entry: Entry, at date: Date? = nil, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("status", entry.text)
      writer.field("visibility", entry.visibility.rawValue)
      if !entry.contentWarning.isEmpty { writer.field("spoiler_text", entry.contentWarning) }
      if entry.isHidden { writer.field("sensitive", true) }
      if let language = entry.language { writer.field("language", language) }
      if let inReplyTo = entry.inReplyTo { writer.field("in_reply_to_id", inReplyTo) }
      if !entry.attachmentIDs.isEmpty { writer.field("media_ids", entry.attachmentIDs) { $0.string($1) } }
      if let poll = entry.poll { writer.field("poll") { ScheduledEntity.writeFields(of: poll, to: &$0) } }
      if let date { writer.field("scheduled_at", date) }
    }
  }

  /// The body of PUT statuses. Only an empty warning removes the old one, and attachments that are left out are
  /// removed. <https://docs.joinmastodon.org/methods/statuses/#edit>
  static func writeEdit(_ entry: Entry, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("status", entry.text)
      writer.field("spoiler_text", entry.contentWarning)
      writer.field("sensitive", entry.isHidden)
      if let language = entry.language { writer.field("language", language) }
      if !entry.attachmentIDs.isEmpty { writer.field("media_ids", entry.attachmentIDs) { $0.string($1) } }
      if let poll = entry.poll { writer.field("poll") { ScheduledEntity.writeFields(of: poll, to: &$0) } }
    }
  }
}

extension Entry {
  fileprivate var isHidden: Bool { isSensitive || !contentWarning.isEmpty }
}
