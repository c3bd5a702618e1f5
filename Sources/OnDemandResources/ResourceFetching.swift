public import QwinkleModel

/// Fetches a resource over the network. Callable from anywhere.
public protocol ResourceFetching: Sendable {
  /// Fetches the file at `address`, or what is missing of it after `part`. Cancelling the task pauses it.
  ///
  /// - Parameters:
  ///   - isByKey: whether a user asked for just this.
  ///   - mostBytes: the longest file that is accepted.
  ///   - didReceive: called as bytes arrive.
  @concurrent func fetch(
    _ address: String, after part: PartialResource?, isByKey: Bool, mostBytes: Int,
    didReceive: @escaping @Sendable (ResourceAmount) -> Void
  ) async -> ResourceFetchResult
}

/// How much of something has arrived.
public struct ResourceAmount: Hashable, Sendable {
  public var received: Int
  /// Nil if it isn't known.
  public var total: Int?
  /// Whether the beginning that was there was of no use, and everything is fetched again.
  public var startedAnew: Bool

  public init(received: Int, total: Int?, startedAnew: Bool = false) {
    self.received = received
    self.total = total
    self.startedAnew = startedAnew
  }
}

/// How fetching a resource ended.
public enum ResourceFetchResult: Hashable, Sendable {
  case whole([UInt8])
  /// Not whole: why, and the beginning if it may be continued.
  case broken(ResourceError, part: PartialResource?)
}
