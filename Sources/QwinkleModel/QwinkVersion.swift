public import FoundationEssentials

/// One version in a qwink's edit history.
public struct QwinkVersion: Hashable, Sendable {
  public var createdAt: Date
  public var text: RichText
  public var contentWarning: String
  public var isSensitive: Bool
  public var attachments: [Attachment]

  public init(
    createdAt: Date, text: RichText, contentWarning: String = "", isSensitive: Bool = false,
    attachments: [Attachment] = []
  ) {
    self.createdAt = createdAt
    self.text = text
    self.contentWarning = contentWarning
    self.isSensitive = isSensitive
    self.attachments = attachments
  }
}

/// A qwink's source text as its author typed it, for editing. Not HTML.
public struct QwinkSource: Hashable, Sendable {
  public var id: Qwink.ID
  public var text: String
  public var contentWarning: String
  /// The media type of the text, such as `text/markdown`. Empty if the server doesn't report it.
  public var contentType: String

  public init(id: Qwink.ID, text: String, contentWarning: String = "", contentType: String = "") {
    self.id = id
    self.text = text
    self.contentWarning = contentWarning
    self.contentType = contentType
  }
}
