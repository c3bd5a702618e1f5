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

  public init(
    id: Identifier<Attachment>, kind: Kind, url: String? = nil, previewURL: String? = nil, altText: String? = nil,
    width: Int? = nil, height: Int? = nil, blurhash: String? = nil
  ) {
    self.id = id
    self.kind = kind
    self.url = url
    self.previewURL = previewURL
    self.altText = altText
    self.width = width
    self.height = height
    self.blurhash = blurhash
  }
}
