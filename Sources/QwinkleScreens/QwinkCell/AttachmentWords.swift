public import QwinkleModel

/// What hangs on a qwink, in words.
public enum AttachmentWords {
  /// `1 picture, sensitive: a kiosk at night`. Where its author warns of something, that says it.
  static func summary(of qwink: Qwink) -> String {
    summary(of: qwink.attachments, isSensitive: isSensitive(qwink))
  }

  /// Whether it has to be said that pictures are sensitive, as no warning does.
  static func isSensitive(_ qwink: Qwink) -> Bool {
    qwink.isSensitive && qwink.contentWarning.isEmpty && !qwink.attachments.isEmpty
  }

  /// `2 pictures, a film: a kiosk at night`.
  public static func summary(of attachments: [Attachment], isSensitive: Bool = false) -> String {
    var parts: [String] = []
    for kind in [Attachment.Kind.image, .video, .animation, .audio, .unknown] {
      let count = attachments.count { $0.kind == kind }
      if count > 0 { parts.append(count == 1 ? "1 \(word(kind))" : "\(count) \(word(kind))s") }
    }
    let described = attachments.compactMap(\.altText).filter { !$0.isEmpty }
    if isSensitive { parts.append("sensitive") }
    return parts.joined(separator: ", ") + (described.isEmpty ? "" : ": " + described.joined(separator: " / "))
  }

  /// One of them.
  public static func word(_ kind: Attachment.Kind) -> String {
    switch kind {
    case .image: "picture"
    case .video: "film"
    case .animation: "animation"
    case .audio: "sound"
    case .unknown: "file"
    }
  }
}
