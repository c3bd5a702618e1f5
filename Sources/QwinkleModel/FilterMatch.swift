public import FoundationEssentials

/// What a filter of the user's found in a qwink.
public struct FilterMatch: Hashable, Sendable {
  /// The filter's id.
  public var id: String
  public var title: String
  /// Whether the filter hides the qwink, rather than warn of it.
  public var hides: Bool
  /// Where the filter applies: `home`, `notifications`, `public`, `thread`, `account`.
  public var contexts: [String]
  /// When the filter ends; nil if it doesn't.
  public var expiresAt: Date?
  /// The words of the filter that are in the qwink.
  public var keywords: [String]
  /// The qwink's id, if the filter names it.
  public var statuses: [String]

  public init(
    id: String, title: String, hides: Bool, contexts: [String], expiresAt: Date? = nil, keywords: [String] = [],
    statuses: [String] = []
  ) {
    self.id = id
    self.title = title
    self.hides = hides
    self.contexts = contexts
    self.expiresAt = expiresAt
    self.keywords = keywords
    self.statuses = statuses
  }
}
