import QwinkleModel
import SafeText

/// <https://docs.joinmastodon.org/entities/MediaAttachment/>
enum AttachmentEntity: WireEntity {
  static func read(_ fields: WireFields) -> Attachment {
    let type = fields.text("type")
    let size = fields.object("meta")?.object("original")
    let altText = SafeText.paragraphs(fields.text("description")).trimmed()
    return Attachment(
      id: fields.id("id") ?? "",
      kind: type == "gifv" ? .animation : Attachment.Kind(rawValue: type) ?? .unknown,
      url: fields.link("url", "remote_url"), previewURL: fields.link("preview_url", "preview_remote_url"),
      altText: altText.isEmpty ? nil : altText, width: Self.length(size?.int("width")),
      height: Self.length(size?.int("height")), blurhash: Self.blurhash(fields.text("blurhash")))
  }

  private static func length(_ number: Int?) -> Int? { number.flatMap { $0 > 0 ? min($0, 1_000_000) : nil } }

  /// Returns the text if it can be a BlurHash: printable ASCII, and no longer than nine by nine components in base 83.
  private static func blurhash(_ text: String) -> String? {
    (6...168).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? text : nil
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
        guard let width = attachment.width, let height = attachment.height else { return }
        writer.field("original") { writer in
          writer.field("width", width)
          writer.field("height", height)
          writer.field("size", "\(width)x\(height)")
        }
      }
      writer.field("description", attachment.altText)
      writer.field("blurhash", attachment.blurhash)
    }
  }
}
