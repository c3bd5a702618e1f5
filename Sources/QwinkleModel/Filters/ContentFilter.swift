public import FoundationEssentials

/// A filter that the user keeps on the server, which marks the qwinks that match.
public struct ContentFilter: Hashable, Sendable, Identifiable {
  public typealias ID = Identifier<ContentFilter>

  /// Where a filter applies. Raw values as on the wire.
  public enum Context: String, Hashable, Sendable, CaseIterable {
    case home, notifications, `public`, thread, account
  }

  /// Words to look for.
  public struct Keyword: Hashable, Sendable {
    /// Empty until the server has stored it.
    public var id: String
    public var text: String
    /// Whether it matches whole words only.
    public var isWhole: Bool

    public init(id: String = "", text: String, isWhole: Bool = true) {
      self.id = id
      self.text = text
      self.isWhole = isWhole
    }
  }

  /// Empty until the server has stored it.
  public var id: ID
  public var title: String
  public var contexts: [Context]
  /// Nil if it doesn't end.
  public var expiresAt: Date?
  /// Whether it hides what matches, rather than warn of it.
  public var hides: Bool
  public var keywords: [Keyword]
  /// The qwinks that it names.
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
