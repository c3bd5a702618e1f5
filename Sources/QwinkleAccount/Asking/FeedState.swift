public import FoundationEssentials
public import QwinkleService

/// The fetching state of a list.
public struct FeedState: Hashable, Sendable {
  /// Whether newer rows are being fetched.
  public var isRefreshing = false
  /// Whether older rows or rows of a gap are being fetched.
  public var isLoadingMore = false
  /// The gap being filled.
  public var gap: GapProgress?
  /// Whether the user cancelled the last attempt.
  public var wasCancelled = false
  /// The error of the last attempt, if it failed.
  public var error: DownloadError?
  /// Time of the last successful refresh.
  public var refreshedAt: Date?
  /// Start of the current period in which the server is unreachable.
  public var offlineSince: Date?
  /// Whether all older rows are loaded.
  public var isComplete = false

  public init() {}
}

extension FeedState {
  /// The start of the current offline period. If the server is reachable, the time of the last successful refresh.
  public var knownSince: Date? { offlineSince ?? refreshedAt }

  /// Whether the list has been fetched or is being fetched.
  var hasBegun: Bool { isRefreshing || refreshedAt != nil }

  /// Returns the state with the most recent ``knownSince``.
  public static func latest(of states: [FeedState]) -> FeedState? {
    states.max { $0.knownSince ?? .distantPast < $1.knownSince ?? .distantPast }
  }
}
