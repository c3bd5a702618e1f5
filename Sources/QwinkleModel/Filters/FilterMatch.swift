public import FoundationEssentials

/// A place in which filters can apply.
public typealias FilterPlace = ContentFilter.Context

/// A match of one of the user's filters in a qwink.
public struct FilterMatch: Hashable, Sendable {
  /// The filter's id.
  public var id: String
  public var title: String
  /// Whether the filter hides the qwink instead of covering its text.
  public var hides: Bool
  /// Places in which the filter applies: `home`, `notifications`, `public`, `thread`, `account`.
  public var contexts: [String]
  /// Nil if the filter doesn't expire.
  public var expiresAt: Date?
  /// The filter's keywords that occur in the qwink.
  public var keywords: [String]
  /// The qwink's id, if the user added this qwink to the filter. Otherwise empty.
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

  /// Whether the filter applies in `place` at the time `now`. If `place` is nil, a filter for any place applies. A
  /// filter without contexts applies everywhere, because some servers don't send contexts.
  func counts(in place: FilterPlace?, at now: Date) -> Bool {
    if let expiresAt, expiresAt <= now { return false }
    return place.map { contexts.isEmpty || contexts.contains($0.rawValue) } ?? true
  }
}

extension [FilterMatch] {
  /// Adds the matches in `others` whose filters have no match in this array yet.
  public mutating func add(_ others: [FilterMatch]) {
    self += others.filter { other in
      !contains { $0 == other || (!other.id.isEmpty && $0.id == other.id) }
    }
  }
}
