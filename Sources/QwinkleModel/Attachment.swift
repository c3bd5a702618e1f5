/// A picture, video or sound attached to a qwink.
public struct Attachment: Hashable, Sendable, Identifiable {
  public enum Kind: String, Hashable, Sendable { case image, video, animation, audio, unknown }

  public var id: Identifier<Attachment>
  public var kind: Kind
  public var url: String?
  public var previewURL: String?
  /// Description for people who can't see or hear the attachment, if any.
  public var altText: String?
  /// Size in pixels, if known.
  public var width: Int?
  public var height: Int?
  /// A BlurHash (<https://blurha.sh>), which encodes a tiny placeholder picture, if the server sends it.
  public var blurhash: String?
  /// Playing time of a video, an animation or a sound, in whole milliseconds, if known.
  public var duration: Duration?
  /// The point that stays visible in a cropped preview, if its author chose one.
  public var focus: FocalPoint?

  public init(
    id: Identifier<Attachment>, kind: Kind, url: String? = nil, previewURL: String? = nil, altText: String? = nil,
    width: Int? = nil, height: Int? = nil, blurhash: String? = nil, duration: Duration? = nil, focus: FocalPoint? = nil
  ) {
    self.id = id
    self.kind = kind
    self.url = url
    self.previewURL = previewURL
    self.altText = altText
    self.width = width
    self.height = height
    self.blurhash = blurhash
    self.duration = duration
    self.focus = focus
  }

  /// The address of a picture that can stand for the attachment in lists: a preview, a cover, or the picture itself.
  /// Pleroma and Akkoma without a media proxy send the address of a video or sound as its own preview.
  public var coverURL: String? {
    switch kind {
    case .image: previewURL ?? url
    case .video, .animation, .audio: previewURL == url ? nil : previewURL
    case .unknown: nil
    }
  }

  /// Whether the attachment is played over time.
  public var isPlayed: Bool {
    switch kind {
    case .video, .animation, .audio: true
    case .image, .unknown: false
    }
  }
}
