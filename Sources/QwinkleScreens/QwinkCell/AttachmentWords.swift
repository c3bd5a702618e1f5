public import QwinkleModel

/// Descriptions of a qwink's attachments.
public enum AttachmentWords {
  /// Returns a summary such as `1 picture, sensitive: a kiosk at night`. With a content warning, "sensitive" is left
  /// out.
  static func summary(of qwink: Qwink) -> String {
    summary(of: qwink.attachments, isSensitive: isSensitive(qwink))
  }

  /// Whether to mark the attachments as sensitive. Unnecessary if the qwink has a content warning.
  public static func isSensitive(_ qwink: Qwink) -> Bool {
    qwink.isSensitive && qwink.contentWarning.isEmpty && !qwink.attachments.isEmpty
  }

  /// Returns a summary such as `2 pictures, 1 video: a kiosk at night`.
  public static func summary(of attachments: [Attachment], isSensitive: Bool = false) -> String {
    var parts: [String] = []
    for kind in [Attachment.Kind.image, .video, .animation, .audio, .unknown] {
      let count = attachments.count { $0.kind == kind }
      if count > 0 { parts.append(count == 1 ? "1 \(word(kind))" : "\(count) \(word(kind))s") }
    }
    let texts = attachments.map { $0.altText ?? "" }
    let described = texts.allSatisfy(\.isEmpty) ? [] : texts.map { $0.isEmpty ? noDescription : $0 }
    if isSensitive { parts.append(sensitive) }
    return parts.joined(separator: ", ") + (described.isEmpty ? "" : ": " + described.joined(separator: " / "))
  }

  /// Marks pictures that are hidden until the reader reveals them.
  public static let sensitive = "sensitive"
  /// Shown for an attachment without a description. Left out of a summary if no attachment has a description.
  static let noDescription = "no description"

  public static func word(_ kind: Attachment.Kind) -> String {
    switch kind {
    case .image: "picture"
    case .video: "video"
    case .animation: "animation"
    case .audio: "audio file"
    case .unknown: "file"
    }
  }
}
