public import FoundationEssentials
public import QwinkleService

/// The fetching state of a list.
public struct FeedState: Hashable, Sendable {
  /// Whether newer rows are being fetched.
  public var isRefreshing = false
  /// Whether older rows, or those of a gap, are being fetched.
  public var isLoadingMore = false
  /// The gap being filled.
  public var gap: GapProgress?
  /// Whether the user cancelled the last attempt.
  public var wasCancelled = false
  /// Why the last attempt failed; nil if it didn't.
  public var error: DownloadError?
  /// The last successful refresh.
  public var refreshedAt: Date?
  /// Since when the server doesn't answer.
  public var offlineSince: Date?
  /// Whether nothing older is left to load.
  public var isComplete = false

  public init() {}
}

extension FeedState {
  /// When it was last learnt whether the server answers; nil if it wasn't asked.
  public var knownSince: Date? { offlineSince ?? refreshedAt }

  /// The state that last learnt whether the server answers; the first of several.
  public static func latest(of states: [FeedState]) -> FeedState? {
    states.max { $0.knownSince ?? .distantPast < $1.knownSince ?? .distantPast }
  }
}
