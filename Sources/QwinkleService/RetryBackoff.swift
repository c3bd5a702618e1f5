/// The wait between attempts to reach a server. Each failure doubles the wait. For about the first quarter of an hour
/// the wait is at most 30 seconds, so that the program reconnects soon after a short outage. After that it doubles
/// further, up to a longer limit.
public struct RetryBackoff: Sendable {
  /// Longest wait in the first quarter of an hour of an outage.
  public static let shortLimit = Duration.seconds(30)
  /// Number of consecutive failures after which the wait can exceed ``shortLimit``.
  private static let shortCount = 30

  /// Number of consecutive failures.
  public private(set) var failures = 0
  private let first: Duration
  private let limit: Duration

  /// - Parameters:
  ///   - first: The wait after the first failure.
  ///   - limit: The longest wait in a long outage.
  public init(first: Duration, limit: Duration) {
    self.first = first
    self.limit = limit
  }

  public mutating func noteFailure() { failures += 1 }

  /// Resets the wait after a success.
  public mutating func reset() { failures = 0 }

  /// Returns the wait before the next attempt. Before any failure, this is the wait after the first failure. `jitter`
  /// is a random factor of about 1. It can't extend the wait beyond its limit.
  public func wait(jitter: Double = 1) -> Duration {
    let count = max(failures, 1)
    guard count > Self.shortCount else {
      return min(first * (1 << min(count - 1, 10)) * jitter, Self.shortLimit)
    }
    return min(Self.shortLimit * (1 << min(count - Self.shortCount, 10)) * jitter, limit)
  }

  /// Returns the wait before the next attempt if the server has requested the wait `named`. After two or more failures,
  /// the result is at least the usual wait, even if the server requested less.
  public func wait(named: Duration) -> Duration { failures < 2 ? named : max(named, wait()) }
}
