import FoundationEssentials
import QwinkleModel

/// <https://docs.joinmastodon.org/entities/StatusEdit/>
struct VersionEntity: WireEntity {
  let model: QwinkVersion

  enum CodingKeys: String, CodingKey {
    case content, sensitive
    case createdAt = "created_at"
    case spoilerText = "spoiler_text"
    case mediaAttachments = "media_attachments"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    model = QwinkVersion(
      createdAt: container.date(.createdAt) ?? Date(timeIntervalSince1970: 0),
      text: HTMLReader.richText(from: try container.requiredString(.content)),
      contentWarning: container.line(.spoilerText), isSensitive: container.flag(.sensitive),
      attachments: container.models(.mediaAttachments, of: AttachmentEntity.self))
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
