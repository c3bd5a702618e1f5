public struct SearchResults: Hashable, Sendable {
  public var qwinkers: [Qwinker]
  public var qwinks: [Qwink]
  public var tags: [Tag]

  public init(qwinkers: [Qwinker] = [], qwinks: [Qwink] = [], tags: [Tag] = []) {
    self.qwinkers = qwinkers
    self.qwinks = qwinks
    self.tags = tags
  }

  public var isEmpty: Bool { qwinkers.isEmpty && qwinks.isEmpty && tags.isEmpty }
}

/// A hashtag.
public struct Tag: Hashable, Sendable {
  /// Without `#`.
  public var name: String
  /// The number of recent uses; nil if the server doesn't report it.
  public var usesCount: Int?
  /// Whether the user follows it; nil if the server doesn't report it.
  public var isFollowed: Bool?

  public init(name: String, usesCount: Int? = nil, isFollowed: Bool? = nil) {
    self.name = name
    self.usesCount = usesCount
    self.isFollowed = isFollowed
  }

  /// The use of a tag on one day.
  public struct Day: Hashable, Sendable {
    /// Midnight in UTC, in seconds since 1970.
    public var start: Int
    public var uses: Int
    /// The number of accounts that used it.
    public var accounts: Int

    public init(start: Int, uses: Int, accounts: Int) {
      self.start = start
      self.uses = uses
      self.accounts = accounts
    }
  }
}
