import HTTPTypes
import SafeText

/// A server's rate limit for reads. When the limit is used up or the server rejects a read with 429, reads pause until
/// the time that the server names. If the server names no time, reads don't pause.
struct RequestAllowance: Sendable {
  /// Longest pause. It limits the effect of a wrong reset time, because a server may use different clocks for its
  /// `Date` header and the reset time.
  static let longestWait = Duration.seconds(900)

  /// End of the pause, in uptime.
  private var end: Duration?

  /// The rate limit reported in one response.
  struct Word: Hashable, Sendable {
    /// Time until the limit resets, if the server names one.
    let wait: Duration?
    let isUsedUp: Bool

    /// Returns nil if the response reports no rate limit.
    init?(_ response: HTTPResponse) {
      let fields = response.headerFields
      if response.status.code == 429 {
        wait = RetryAfter.wait(in: fields)
        isUsedUp = true
        return
      }
      guard let name = HTTPField.Name("X-RateLimit-Remaining"), let text = fields[name]?.trimmed(),
        let remaining = Int(text)
      else { return nil }
      wait = RetryAfter.reset(in: fields)
      isUsedUp = remaining <= 0
    }
  }

  mutating func note(_ word: Word, at now: Duration) {
    guard word.isUsedUp else {
      end = nil
      return
    }
    if let wait = word.wait { end = now + min(wait, Self.longestWait) }
  }

  /// The remaining pause; nil if reads are allowed.
  func rest(at now: Duration) -> Duration? {
    guard let end, end > now else { return nil }
    return end - now
  }
}
