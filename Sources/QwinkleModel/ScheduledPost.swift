public import FoundationEssentials

/// A qwink that the server will publish later.
public struct ScheduledPost: Hashable, Sendable, Identifiable {
  public typealias ID = Identifier<ScheduledPost>

  public var id: ID
  public var publishAt: Date
  public var text: String
  public var contentWarning: String
  /// Nil for the server's default.
  public var visibility: Visibility?
  public var language: String?
  public var inReplyTo: Qwink.ID?
  public var quotedID: Qwink.ID?
  public var quotePolicy: QuotePolicy?
  public var poll: EntryPoll?
  public var attachments: [Attachment]

  public init(
    id: ID, publishAt: Date, text: String, contentWarning: String = "", visibility: Visibility? = nil,
    language: String? = nil, inReplyTo: Qwink.ID? = nil, poll: EntryPoll? = nil, attachments: [Attachment] = []
  ) {
    self.id = id
    self.publishAt = publishAt
    self.text = text
    self.contentWarning = contentWarning
    self.visibility = visibility
    self.language = language
    self.inReplyTo = inReplyTo
    self.poll = poll
    self.attachments = attachments
  }
}
