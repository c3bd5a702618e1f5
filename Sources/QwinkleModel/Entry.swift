/// A qwink being written.
public struct Entry: Hashable, Sendable, Codable {
  public var text: String
  public var visibility: Visibility
  public var contentWarning: String
  public var language: String?
  /// The id of what it answers.
  public var inReplyTo: String?
  /// One key for one qwink, however often it has to be sent: a server that honours it never posts twice.
  public var idempotencyKey: String

  public init(
    text: String, visibility: Visibility = .public, contentWarning: String = "", language: String? = nil,
    inReplyTo: Qwink.ID? = nil, idempotencyKey: String
  ) {
    self.text = text
    self.visibility = visibility
    self.contentWarning = contentWarning
    self.language = language
    self.inReplyTo = inReplyTo?.rawValue
    self.idempotencyKey = idempotencyKey
  }
}

extension Visibility: Codable {}
