public import FoundationEssentials
public import QwinkleService

/// What is going on with a timeline.
public struct FeedState: Sendable {
  /// Whether newer rows are being fetched.
  public var isRefreshing = false
  /// Whether older rows, or those of a gap, are being fetched.
  public var isLoadingMore = false
  /// The gap that is being filled; nil where none is.
  public var gap: GapProgress?
  /// Whether the last attempt was given up by the user.
  public var wasCancelled = false
  /// Why the last attempt failed; nil after one that did not.
  public var error: DownloadError?
  /// When it last went well.
  public var refreshedAt: Date?
  /// Since when the server does not answer.
  public var offlineSince: Date?
  /// Whether there is nothing older.
  public var isComplete = false

  public init() {}
}

extension FeedState {
  /// Since when it is known that the server answers, or that it does not; nil: it has not been asked.
  public var knownSince: Date? { offlineSince ?? refreshedAt }

  /// Which of `states` has learnt last whether the server answers; the first of those that learnt it together.
  public static func latest(of states: [FeedState]) -> FeedState? {
    states.max { $0.knownSince ?? .distantPast < $1.knownSince ?? .distantPast }
  }
}
