/// A picture, video or sound attached to a qwink.
public struct Attachment: Hashable, Sendable, Identifiable {
  public enum Kind: String, Hashable, Sendable { case image, video, animation, audio, unknown }

  public var id: Identifier<Attachment>
  public var kind: Kind
  public var url: String?
  public var previewURL: String?
  /// Its description, for people who can't see it; nil if it has none.
  public var altText: String?
  /// In pixels; nil if it isn't known, as the height.
  public var width: Int?
  public var height: Int?
  /// What it looks like from afar, in few characters (<https://blurha.sh>); nil if the server doesn't say.
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
