import FoundationEssentials
import QwinkleModel
import SafeText

/// <https://docs.joinmastodon.org/entities/StatusEdit/>
struct VersionEntity: WireEntity {
  var createdAt: Date?
  var content: String
  var spoilerText: String
  var sensitive: Bool
  var mediaAttachments: [AttachmentEntity]

  enum CodingKeys: String, CodingKey {
    case content, sensitive
    case createdAt = "created_at"
    case spoilerText = "spoiler_text"
    case mediaAttachments = "media_attachments"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    content = try container.requiredString(.content)
    createdAt = container.date(.createdAt)
    spoilerText = container.text(.spoilerText)
    sensitive = container.flag(.sensitive)
    mediaAttachments = container.list(.mediaAttachments)
  }

  var model: QwinkVersion {
    QwinkVersion(
      createdAt: createdAt ?? Date(timeIntervalSince1970: 0), text: HTMLReader.richText(from: content),
      contentWarning: SafeText.line(spoilerText).trimmed(), isSensitive: sensitive,
      attachments: mediaAttachments.map(\.model))
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
