import FoundationEssentials
import QwinkleModel
import SafeText

/// The body of POST statuses. <https://docs.joinmastodon.org/methods/statuses/#create>
struct EntryEntity: WireEntity {
  /// Text and warning stay as typed: they are cleaned when shown, and edited as they came.
  ///
  /// Nil if the visibility doesn't exist: a guess could publish what was meant to be private.
  let model: Entry?

  enum CodingKeys: String, CodingKey {
    case status, visibility, language
    case spoilerText = "spoiler_text"
    case inReplyToID = "in_reply_to_id"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init { $0 == .inReplyToID ? container.identifier($0) : container.string($0) }
  }

  /// The entry of which `field` returns each value.
  init(_ field: (CodingKeys) -> String?) {
    let visibility = field(.visibility).flatMap { $0.isEmpty ? nil : $0 } ?? Visibility.public.rawValue
    let language = SafeText.line(field(.language) ?? "").trimmed()
    let inReplyTo = SafeText.line(field(.inReplyToID) ?? "")
    model = Visibility(rawValue: visibility).map { visibility in
      Entry(
        text: (field(.status) ?? "").withoutNUL(), visibility: visibility,
        contentWarning: (field(.spoilerText) ?? "").withoutNUL(), language: language.isEmpty ? nil : language,
        inReplyTo: inReplyTo.isEmpty ? nil : Qwink.ID(inReplyTo), idempotencyKey: "")
    }
  }

  /// Writes only what is set: some services refuse null.
  static func write(_ entry: Entry, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("status", entry.text)
      writer.field("visibility", entry.visibility.rawValue)
      if !entry.contentWarning.isEmpty { writer.field("spoiler_text", entry.contentWarning) }
      if entry.isHidden { writer.field("sensitive", true) }
      if let language = entry.language { writer.field("language", language) }
      if let inReplyTo = entry.inReplyTo { writer.field("in_reply_to_id", inReplyTo) }
      if !entry.attachmentIDs.isEmpty { writer.field("media_ids", entry.attachmentIDs) { $0.string($1) } }
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
    }
  }
}

extension Entry {
  fileprivate var isHidden: Bool { isSensitive || !contentWarning.isEmpty }
}
