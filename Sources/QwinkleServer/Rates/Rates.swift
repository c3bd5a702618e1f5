import FoundationEssentials
import HTTPTypes
import Synchronization
import Timekeeping

/// Counts what accounts and clients do, up to the limits. Kept in memory: a restart clears it.
final class Rates: Sendable {
  /// Who does something.
  enum Actor: Hashable {
    case account(Int64)
    /// As in ``ServiceRequest/client``.
    case client(String)
  }

  /// How much is left of a limit. The headers are Mastodon's: <https://docs.joinmastodon.org/api/rate-limits/>.
  struct Standing: Sendable {
    var most: Int
    var left: Int
    var reset: Date

    /// Says it in a response's headers.
    func write(to fields: inout HTTPFields) {
      let values = [
        ("X-RateLimit-Limit", String(most)), ("X-RateLimit-Remaining", String(left)),
        ("X-RateLimit-Reset", reset.formatted(.iso8601)),
      ]
      for (name, value) in values {
        if let name = HTTPField.Name(name) { fields[name] = value }
      }
    }
  }

  private struct Key: Hashable {
    var limit: RateLimit
    var actor: Actor
  }

  private struct Window {
    var count = 0
    var end: Duration
  }

  private struct State {
    var windows: [Key: Window] = [:]
    /// The number of windows at which those that are over are looked for.
    var mostWindows = 1000
  }

  private let clock: any ProgramClock
  private let isOff: Bool
  private let state = Mutex(State())

  init(clock: any ProgramClock, isOff: Bool) {
    self.clock = clock
    self.isOff = isOff
  }

  /// Counts one event. Returns nil if there is no limit, as for the user of this process.
  ///
  /// - Throws: ``Refusal`` if the limit is reached.
  func take(_ limit: RateLimit?, of actor: Actor) throws(Refusal) -> Standing? {
    guard !isOff, let limit, actor != .client("") else { return nil }
    let now = clock.uptime
    let most = if case .account = actor { limit.mostOfAccount } else { limit.mostOfClient }
    let (left, wait) = state.withLock { state -> (Int?, Duration) in
      let key = Key(limit: limit, actor: actor)
      var window = state.windows[key] ?? Window(end: now + limit.period)
      if window.end <= now { window = Window(end: now + limit.period) }
      guard window.count < most else { return (nil, window.end - now) }
      window.count += 1
      state.windows[key] = window
      if state.windows.count > state.mostWindows {
        state.windows = state.windows.filter { $0.value.end > now }
        state.mostWindows = max(1000, 2 * state.windows.count)
      }
      return (most - window.count, window.end - now)
    }
    let reset = clock.now.addingTimeInterval(Double(wait.secondsToWait))
    if let left { return Standing(most: most, left: left, reset: reset) }
    var refusal = Refusal.tooMany(wait)
    Standing(most: most, left: 0, reset: reset).write(to: &refusal.headers)
    throw refusal
  }
}
