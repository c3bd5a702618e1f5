public import QwinkleModel

/// A qwink's attachments in words.
public enum AttachmentWords {
  /// `1 picture, sensitive: a kiosk at night`. A content warning replaces the word "sensitive".
  static func summary(of qwink: Qwink) -> String {
    summary(of: qwink.attachments, isSensitive: isSensitive(qwink))
  }

  /// Whether to mark pictures as sensitive because no content warning does.
  public static func isSensitive(_ qwink: Qwink) -> Bool {
    qwink.isSensitive && qwink.contentWarning.isEmpty && !qwink.attachments.isEmpty
  }

  /// `2 pictures, 1 video: a kiosk at night`.
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

  /// The mark of pictures that the reader has to ask for.
  public static let sensitive = "sensitive"
  /// One has none, beside others that have.
  static let noDescription = "no description"

  /// The word for one attachment.
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
