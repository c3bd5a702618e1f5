import Synchronization
import Timekeeping

/// Limits how often passwords may be guessed. After five failures for a name, each further attempt from that client has
/// to wait, longer every time. Each client has a limit for all names together, each name one for all clients together,
/// and all together one that normal use doesn't reach. Whoever has signed in from a client before is spared the last
/// two: those who guess elsewhere don't lock them out.
///
/// Kept in memory: a restart clears it.
final class SignInAttempts: Sendable {
  private static let free = 5
  private static let firstWait = Duration.seconds(10)
  private static let longestWait = Duration.seconds(15 * 60)
  private static let forgottenAfter = Duration.seconds(60 * 60)
  private static let mostKnown = 10_000

  private struct Key: Hashable {
    var name: String
    var client: String
  }

  private struct Failures: Sendable {
    var count = 0
    var last = Duration.zero

    /// When the next attempt may be made.
    var due: Duration {
      guard count >= free else { return last }
      return last + min(firstWait * (1 << min(count - free, 10)), longestWait)
    }
  }

  private struct Count {
    var count: RateCount
    var last = Duration.zero
  }

  private struct State {
    var failures: [Key: Failures] = [:]
    var byClient: [String: Count] = [:]
    var byName: [String: Count] = [:]
    var together = RateCount(most: 1000, forgottenEvery: .milliseconds(300))
    /// Who signed in from where.
    var known: Set<Key> = []
  }

  private let clock: any ProgramClock
  private let state = Mutex(State())

  init(clock: any ProgramClock) {
    self.clock = clock
  }

  /// Counts an attempt as failed until ``succeeded(_:_:)`` is called, so that simultaneous attempts all count. If none
  /// may be made now, counts nothing and returns how long to wait.
  func begin(_ name: String, _ client: String) -> Duration? {
    let now = clock.uptime
    let key = Key(name: name, client: client)
    return state.withLock { state in
      Self.forget(before: now - Self.forgottenAfter, &state)
      var failures = state.failures[key] ?? Failures()
      if failures.count >= Self.free, now < failures.due { return failures.due - now }
      var ofClient = state.byClient[client] ?? Count(count: RateCount(most: 100, forgottenEvery: .seconds(3)))
      var ofName = state.byName[name] ?? Count(count: RateCount(most: 200, forgottenEvery: .seconds(18)))
      if let wait = ofClient.count.add(at: now) { return wait }
      if !state.known.contains(key) {
        // A name that nobody has is no account to protect; all that are invalid are the same name.
        if !name.isEmpty, let wait = ofName.count.add(at: now) { return wait }
        if let wait = state.together.add(at: now) { return wait }
      }
      (ofClient.last, ofName.last, failures.last) = (now, now, now)
      failures.count += 1
      state.failures[key] = failures
      state.byClient[client] = ofClient
      state.byName[name] = ofName
      return nil
    }
  }

  /// Uncounts an attempt: the password wasn't looked at.
  func withdraw(_ name: String, _ client: String) {
    let key = Key(name: name, client: client)
    state.withLock { state in
      if let count = state.failures[key]?.count { state.failures[key]?.count = max(0, count - 1) }
      Self.uncount(key, &state)
    }
  }

  /// Marks the attempt as successful and forgets the name's failures from there.
  func succeeded(_ name: String, _ client: String) {
    let key = Key(name: name, client: client)
    state.withLock { state in
      state.failures[key] = nil
      Self.uncount(key, &state)
      if state.known.count >= Self.mostKnown { state.known.removeFirst() }
      state.known.insert(key)
    }
  }

  private static func uncount(_ key: Key, _ state: inout State) {
    state.byClient[key.client]?.count.remove()
    guard !state.known.contains(key) else { return }
    if !key.name.isEmpty { state.byName[key.name]?.count.remove() }
    state.together.remove()
  }

  private static func forget(before time: Duration, _ state: inout State) {
    state.failures = state.failures.filter { time < $1.last }
    state.byClient = state.byClient.filter { time < $1.last }
    state.byName = state.byName.filter { time < $1.last }
  }
}
