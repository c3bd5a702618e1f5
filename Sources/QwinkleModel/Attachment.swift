/// A picture, film or sound that hangs on a qwink.
public struct Attachment: Hashable, Sendable, Identifiable {
  public enum Kind: String, Hashable, Sendable { case image, video, animation, audio, unknown }

  public var id: Identifier<Attachment>
  public var kind: Kind
  public var url: String?
  public var previewURL: String?
  /// What it shows, for those who do not see it; nil where nobody said.
  public var altText: String?

  public init(
    id: Identifier<Attachment>, kind: Kind, url: String? = nil, previewURL: String? = nil, altText: String? = nil
  ) {
    self.id = id
    self.kind = kind
    self.url = url
    self.previewURL = previewURL
    self.altText = altText
  }
}
