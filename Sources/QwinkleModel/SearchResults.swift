/// What a search found.
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

/// A word that qwinks are filed under.
public struct Tag: Hashable, Sendable {
  /// The word, without `#`.
  public var name: String
  /// How many qwinks had it lately; nil where the server does not say.
  public var usesCount: Int?

  public init(name: String, usesCount: Int? = nil) {
    self.name = name
    self.usesCount = usesCount
  }
}
