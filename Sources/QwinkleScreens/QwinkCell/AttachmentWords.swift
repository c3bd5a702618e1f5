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
      let alike = attachments.filter { $0.kind == kind }
      guard let first = alike.first else { continue }
      if alike.count > 1 {
        parts.append("\(alike.count) \(word(kind))s")
      } else {
        parts.append(first.duration == nil ? "1 \(word(kind))" : name(of: first))
      }
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

  /// Returns `video 1:24`, or `video` if the playing time is unknown.
  public static func name(of attachment: Attachment) -> String {
    guard let duration = attachment.duration else { return word(attachment.kind) }
    return "\(attachment.kind == .audio ? "audio" : word(attachment.kind)) \(time(duration))"
  }

  /// Returns a playing time such as `1:24` or `1:02:03`, at least one second.
  static func time(_ duration: Duration) -> String {
    let seconds = max(1, Int((duration / .seconds(1)).rounded()))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let minutes = seconds / 60 % 60
    let hours = seconds / 3600
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
  }

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
