import FoundationEssentials
import QwinkleModel

/// <https://docs.joinmastodon.org/entities/StatusEdit/>
enum VersionEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> QwinkVersion {
    QwinkVersion(
      createdAt: fields.date("created_at") ?? Date(timeIntervalSince1970: 0),
      text: HTMLReader.richText(from: try fields.requiredString("content")),
      contentWarning: fields.line("spoiler_text"), isSensitive: fields.flag("sensitive"),
      attachments: fields.models("media_attachments", of: AttachmentEntity.self))
  }

  static func write(_ version: QwinkVersion, by author: Qwinker, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("content", HTMLWriter.html(from: version.text, base: author.url))
      writer.field("spoiler_text", version.contentWarning)
      writer.field("sensitive", version.isSensitive)
      writer.field("created_at", version.createdAt)
      writer.key("account")
      AccountEntity.write(author, to: &writer)
      writer.field("media_attachments", version.attachments) { AttachmentEntity.write($1, to: &$0) }
      writer.emptyList("emojis")
    }
  }
}
