public import FoundationEssentials

/// A filter stored on the user's server. The server marks qwinks that match it.
public struct ContentFilter: Hashable, Sendable, Identifiable {
  public typealias ID = Identifier<ContentFilter>

  /// A context in which a filter applies. Raw values are the names on the wire.
  public enum Context: String, Hashable, Sendable, CaseIterable, Codable {
    case home, notifications, `public`, thread, account
  }

  /// A word or phrase to match.
  public struct Keyword: Hashable, Sendable {
    /// Empty until the server has stored the keyword.
    public var id: String
    public var text: String
    /// Whether the keyword matches whole words only.
    public var isWhole: Bool

    public init(id: String = "", text: String, isWhole: Bool = true) {
      self.id = id
      self.text = text
      self.isWhole = isWhole
    }
  }

  /// Empty until the server has stored the filter.
  public var id: ID
  public var title: String
  public var contexts: [Context]
  /// Nil if the filter doesn't expire.
  public var expiresAt: Date?
  /// Whether matching qwinks are hidden instead of covered with a warning.
  public var hides: Bool
  public var keywords: [Keyword]
  /// Ids of single qwinks that the user added to the filter.
  public var statuses: [Qwink.ID]

  public init(
    id: ID = "", title: String, contexts: [Context] = Context.allCases, expiresAt: Date? = nil, hides: Bool = false,
    keywords: [Keyword] = [], statuses: [Qwink.ID] = []
  ) {
    self.id = id
    self.title = title
    self.contexts = contexts
    self.expiresAt = expiresAt
    self.hides = hides
    self.keywords = keywords
    self.statuses = statuses
  }
}
