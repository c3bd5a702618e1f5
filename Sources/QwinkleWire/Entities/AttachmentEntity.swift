import QwinkleModel
import SafeText

/// <https://docs.joinmastodon.org/entities/MediaAttachment/>
enum AttachmentEntity: WireEntity {
  static func read(_ fields: WireFields) -> Attachment {
    let type = fields.text("type")
    let meta = fields.object("meta")
    // GoToSocial and Mastodon send the facts of the original file. Older Mastodon servers also sent the facts of
    // videos in `meta` itself. Akkoma sends only a size, snac nothing.
    let original = meta?.object("original")
    let altText = SafeText.paragraphs(fields.text("description")).trimmed()
    return Attachment(
      id: fields.id("id") ?? "",
      kind: type == "gifv" ? .animation : Attachment.Kind(rawValue: type) ?? .unknown,
      url: fields.link("url", "remote_url"), previewURL: fields.link("preview_url", "preview_remote_url"),
      altText: altText.isEmpty ? nil : altText,
      width: PictureFacts.length(original?.int("width") ?? meta?.int("width")),
      height: PictureFacts.length(original?.int("height") ?? meta?.int("height")),
      blurhash: PictureFacts.blurhash(fields.text("blurhash")),
      duration: MediaDuration.read(original, meta), focus: meta?.object("focus").flatMap(focus))
  }

  private static func focus(_ fields: WireFields) -> FocalPoint? {
    guard let x = fields.double("x"), let y = fields.double("y") else { return nil }
    return FocalPoint(x: x, y: y)
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
      writer.field("meta") { writer in
        if let focus = attachment.focus {
          writer.field("focus") { writer in
            writer.field("x", focus.x)
            writer.field("y", focus.y)
          }
        }
        guard attachment.width != nil || attachment.height != nil || attachment.duration != nil else { return }
        writer.field("original") { writer in
          if let width = attachment.width { writer.field("width", width) }
          if let height = attachment.height { writer.field("height", height) }
          if let width = attachment.width, let height = attachment.height {
            writer.field("size", "\(width)x\(height)")
          }
          if let duration = attachment.duration { writer.field("duration", duration / .seconds(1)) }
        }
      }
      writer.field("description", attachment.altText)
      writer.field("blurhash", attachment.blurhash)
    }
  }
}
