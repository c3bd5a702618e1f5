public import FoundationEssentials

/// An announcement by the server's admins.
public struct Announcement: Hashable, Sendable, Identifiable {
  public typealias ID = Identifier<Announcement>

  public var id: ID
  public var text: RichText
  public var publishedAt: Date?
  /// Start and end of the announced event, if specified.
  public var startsAt: Date?
  public var endsAt: Date?
  public var isRead: Bool

  public init(
    id: ID, text: RichText, publishedAt: Date? = nil, startsAt: Date? = nil, endsAt: Date? = nil, isRead: Bool = false
  ) {
    self.id = id
    self.text = text
    self.publishedAt = publishedAt
    self.startsAt = startsAt
    self.endsAt = endsAt
    self.isRead = isRead
  }
}
