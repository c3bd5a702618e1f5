import Synchronization
import Timekeeping

/// A leaky bucket: at most `most` events; one drains every `forgottenEvery`.
struct RateCount: Sendable {
  private let most: Int
  private let forgottenEvery: Duration
  private var count = 0
  private var forgottenAt = Duration.zero

  init(most: Int, forgottenEvery: Duration) {
    self.most = most
    self.forgottenEvery = forgottenEvery
  }

  /// Counts an event. If the bucket is full, returns how long to wait instead.
  mutating func add(at now: Duration) -> Duration? {
    let forgotten = max(0, Int((now - forgottenAt) / forgottenEvery))
    count = max(0, count - forgotten)
    forgottenAt += forgottenEvery * forgotten
    if count >= most { return forgottenAt + forgottenEvery - now }
    if count == 0 { forgottenAt = now }
    count += 1
    return nil
  }

  /// Uncounts an event.
  mutating func remove() {
    count = max(0, count - 1)
  }
}

/// Limits how often apps register and get tokens of their own, over all callers together: anyone may, and each adds a
/// row to the database. Kept in memory.
final class ProgramRate: Sendable {
  private let clock: any ProgramClock
  private let count = Mutex(RateCount(most: 300, forgottenEvery: .seconds(10)))

  init(clock: any ProgramClock) {
    self.clock = clock
  }

  /// Counts one registration or token.
  ///
  /// - Throws: ``Refusal`` if the limit is reached.
  func take() throws(Refusal) {
    if let wait = count.withLock({ $0.add(at: clock.uptime) }) { throw .tooMany(wait) }
  }
}

extension Duration {
  /// The same in words.
  var waitInWords: String {
    let seconds = secondsToWait
    if seconds < 60 { return seconds == 1 ? "a second" : "\(seconds) seconds" }
    let minutes = (seconds + 59) / 60
    return minutes == 1 ? "a minute" : "\(minutes) minutes"
  }
}
