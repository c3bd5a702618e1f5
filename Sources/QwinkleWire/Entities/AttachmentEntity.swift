import FoundationEssentials
import QwinkleModel
import SafeText

/// <https://docs.joinmastodon.org/entities/MediaAttachment/>
struct AttachmentEntity: WireEntity {
  var id: String
  var type: String
  var url: String?
  var previewURL: String?
  var description: String?

  enum CodingKeys: String, CodingKey {
    case id, type, url, description
    case remoteURL = "remote_url"
    case previewURL = "preview_url"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = container.identifier(.id) ?? ""
    type = container.text(.type)
    url = container.string(.url) ?? container.string(.remoteURL)
    previewURL = container.string(.previewURL)
    description = container.string(.description)
  }

  var model: Attachment {
    let altText = SafeText.paragraphs(description ?? "").trimmed()
    return Attachment(
      id: Identifier(SafeText.line(id)), kind: kind, url: SafeURL.link(url), previewURL: SafeURL.link(previewURL),
      altText: altText.isEmpty ? nil : altText)
  }

  private var kind: Attachment.Kind {
    type == "gifv" ? .animation : Attachment.Kind(rawValue: type) ?? .unknown
  }

  static func write(_ attachment: Attachment, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", attachment.id.rawValue)
      writer.field("type", attachment.kind == .animation ? "gifv" : attachment.kind.rawValue)
      writer.field("url", attachment.url)
      writer.field("preview_url", attachment.previewURL)
      writer.nullField("remote_url")
      writer.nullField("preview_remote_url")
      writer.nullField("text_url")
      writer.field("meta") { _ in }
      writer.field("description", attachment.altText)
      writer.nullField("blurhash")
    }
  }
}
