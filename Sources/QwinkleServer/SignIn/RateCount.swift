import Synchronization
import Timekeeping

/// How often something was done lately: at most so often, of which one after another is forgotten.
struct RateCount: Sendable {
  private let most: Int
  private let forgottenEvery: Duration
  private var count = 0
  private var forgottenAt = Duration.zero

  init(most: Int, forgottenEvery: Duration) {
    self.most = most
    self.forgottenEvery = forgottenEvery
  }

  /// Counts one. Returns how long to wait where that is too many; then nothing is counted.
  mutating func add(at now: Duration) -> Duration? {
    let forgotten = max(0, Int((now - forgottenAt) / forgottenEvery))
    count = max(0, count - forgotten)
    forgottenAt += forgottenEvery * forgotten
    if count >= most { return forgottenAt + forgottenEvery - now }
    if count == 0 { forgottenAt = now }
    count += 1
    return nil
  }

  /// Takes one back.
  mutating func remove() {
    count = max(0, count - 1)
  }
}

/// How many programs may register and get tokens of their own, for all who ask together: anybody can, and each is
/// written down. It is kept in memory.
final class ProgramRate: Sendable {
  private let clock: any ProgramClock
  private let count = Mutex(RateCount(most: 300, forgottenEvery: .seconds(10)))

  init(clock: any ProgramClock) {
    self.clock = clock
  }

  /// Counts one.
  ///
  /// - Throws: ``Refusal`` where it is one too many for now.
  func take() throws(Refusal) {
    if let wait = count.withLock({ $0.add(at: clock.uptime) }) { throw .tooMany(wait) }
  }
}

extension Duration {
  /// Seconds, rounded up, as `Retry-After` says them; at least one.
  var secondsToWait: Int64 {
    let (seconds, attoseconds) = components
    return max(1, attoseconds > 0 ? seconds + 1 : seconds)
  }

  /// The same in words.
  var waitInWords: String {
    let seconds = secondsToWait
    if seconds < 60 { return seconds == 1 ? "a second" : "\(seconds) seconds" }
    let minutes = (seconds + 59) / 60
    return minutes == 1 ? "a minute" : "\(minutes) minutes"
  }
}
