/// A picture that a server's users write as `:name:`. <https://docs.joinmastodon.org/entities/CustomEmoji/>
public struct CustomEmoji: Hashable, Sendable {
  /// The name without colons.
  public var name: String
  /// The address of a still picture.
  public var url: String

  public init(name: String, url: String) {
    self.name = name
    self.url = url
  }

  /// The text that stands for the picture.
  public var text: String { ":\(name):" }
}
