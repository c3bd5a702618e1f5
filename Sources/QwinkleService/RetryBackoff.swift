/// Waits between attempts. They double up to 30 seconds, so that the user notices the end of a short outage soon. After
/// about a quarter of an hour of failures they double again, up to a longer limit.
public struct RetryBackoff: Sendable {
  /// Longest wait in the first quarter of an hour of an outage.
  public static let shortLimit = Duration.seconds(30)
  /// Number of failures in a row to which ``shortLimit`` applies.
  private static let shortCount = 30

  /// Number of failures in a row.
  public private(set) var failures = 0
  private let first: Duration
  private let limit: Duration

  /// - Parameters:
  ///   - first: the wait after the first failure.
  ///   - limit: the longest wait in a long outage.
  public init(first: Duration, limit: Duration) {
    self.first = first
    self.limit = limit
  }

  /// Counts a failed attempt.
  public mutating func noteFailure() { failures += 1 }

  /// Resets the wait, as after a success.
  public mutating func reset() { failures = 0 }

  /// Wait before the next attempt. Before any failure it is the wait after the first one. `jitter`, about 1, is a
  /// factor that doesn't lengthen the longest wait.
  public func wait(jitter: Double = 1) -> Duration {
    let count = max(failures, 1)
    guard count > Self.shortCount else {
      return min(first * (1 << min(count - 1, 10)) * jitter, Self.shortLimit)
    }
    return min(Self.shortLimit * (1 << min(count - Self.shortCount, 10)) * jitter, limit)
  }

  /// Wait before the next attempt if the server has named one. The server's wait holds, unless the server has refused
  /// attempts again at the times that it named.
  public func wait(named: Duration) -> Duration { failures < 2 ? named : max(named, wait()) }
}
