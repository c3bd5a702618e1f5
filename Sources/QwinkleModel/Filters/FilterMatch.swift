public import FoundationEssentials

/// A place that filters tell apart.
public typealias FilterPlace = ContentFilter.Context

/// What a filter of the user's found in a qwink.
public struct FilterMatch: Hashable, Sendable {
  /// The filter's id.
  public var id: String
  public var title: String
  /// Whether the filter hides the qwink rather than covers its text.
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

  /// Whether the filter applies in a place at this time; nil is any place. A filter without contexts applies
  /// everywhere: some servers don't send them.
  func counts(in place: FilterPlace?, at now: Date) -> Bool {
    if let expiresAt, expiresAt <= now { return false }
    return place.map { contexts.isEmpty || contexts.contains($0.rawValue) } ?? true
  }
}

extension [FilterMatch] {
  /// Adds the matches of filters that are not among these.
  public mutating func add(_ others: [FilterMatch]) {
    self += others.filter { other in
      !contains { $0 == other || (!other.id.isEmpty && $0.id == other.id) }
    }
  }
}
