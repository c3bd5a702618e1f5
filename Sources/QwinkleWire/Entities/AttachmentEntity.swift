import FoundationEssentials
import QwinkleModel
import SafeText

/// <https://docs.joinmastodon.org/entities/MediaAttachment/>
struct AttachmentEntity: WireEntity {
  let model: Attachment

  enum CodingKeys: String, CodingKey {
    case id, type, url, description
    case remoteURL = "remote_url"
    case previewURL = "preview_url"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let type = container.text(.type)
    let altText = SafeText.paragraphs(container.text(.description)).trimmed()
    model = Attachment(
      id: container.id(.id) ?? "",
      kind: type == "gifv" ? .animation : Attachment.Kind(rawValue: type) ?? .unknown,
      url: container.link(.url, .remoteURL), previewURL: container.link(.previewURL),
      altText: altText.isEmpty ? nil : altText)
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
