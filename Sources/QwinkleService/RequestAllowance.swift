import HTTPTypes
import SafeText

/// What a server still allows to be read, as its answers say. Nothing is read from when it allows no more, or has
/// refused something as too much, until the time that it names.
struct RequestAllowance: Sendable {
  /// The longest wait that is kept: a server's two clocks may differ.
  static let longestWait = Duration.seconds(900)

  /// When something may be read again, in uptime.
  private var end: Duration?

  /// What an answer says of it: whether nothing is left, and for how long.
  struct Word: Hashable, Sendable {
    /// Nil if the server names no time.
    let wait: Duration?
    let isUsedUp: Bool

    /// Nil if the answer says nothing of it.
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

  /// Takes in what an answer to a read says.
  mutating func note(_ word: Word, at now: Duration) {
    guard word.isUsedUp else {
      end = nil
      return
    }
    if let wait = word.wait { end = now + min(wait, Self.longestWait) }
  }

  /// How long nothing may be read; nil if something may.
  func rest(at now: Duration) -> Duration? {
    guard let end, end > now else { return nil }
    return end - now
  }
}
