import LibC
import Synchronization
import Timekeeping

/// Reads users from the host's user database on separate threads and caches them, because a lookup can block.
///
/// All lookups together use a fixed number of threads. Users that were found before have separate threads, so that
/// unknown ids can't delay them: a user can have thousands of such ids in containers.
final class UnixUserDirectory: Sendable {
  typealias Find = @Sendable (UnixUser.Query) -> UnixUser.Lookup

  /// Lifetime of a cached result. A stream closes within a minute, because its check adds 15 seconds.
  static let longest = Duration.seconds(45)
  /// Lifetime of a failure.
  static let longestFailure = Duration.seconds(5)
  /// Maximum time for which callers wait for a lookup.
  static let patience = Duration.seconds(5)
  /// Maximum number of concurrent lookups of users that were found before. The same number applies to all others.
  static let mostLookups = 4
  /// Maximum number of unfinished lookups. Further ones of unknown users fail at once.
  static let mostPending = 1000

  private let find: Find
  private let clock: any ProgramClock
  private let state = Mutex(State())
  private let known = LookupQueue("qwinkle.users")
  private let unknown = LookupQueue("qwinkle.users.unknown")
  /// Fires when a caller has waited for ``patience``. Nil if no caller has to wait.
  @MainActor private var timer: ProgramTimer?

  init(clock: any ProgramClock, find: @escaping Find) {
    self.clock = clock
    self.find = find
  }

  /// Returns the cached result, or nil if a lookup is needed.
  func cached(_ query: UnixUser.Query) -> UnixUser.Lookup? {
    let now = clock.uptime
    return state.withLock { $0.fresh(query, at: now) }
  }

  /// Whether the last successful lookup has found the user, however long ago.
  func hasFound(_ query: UnixUser.Query) -> Bool { state.withLock { $0.found[query] != nil } }

  /// Returns a user. Concurrent calls for one user share a lookup.
  func user(_ query: UnixUser.Query) async -> UnixUser.Lookup {
    await withCheckedContinuation { continuation in
      let now = clock.uptime
      switch state.withLock({ $0.ask(query, continuation, at: now) }) {
      case .answered(let lookup): continuation.resume(returning: lookup)
      case .waits: break
      case .looks(let isKnown):
        (isKnown ? known : unknown).run { self.look(for: query) }
        Task { @MainActor [weak self] in self?.setTimer() }
      }
    }
  }

  private func look(for query: UnixUser.Query) {
    let lookup = find(query)
    let now = clock.uptime
    let waiting = state.withLock { $0.finish(query, lookup, at: now) }
    for waiter in waiting { waiter.resume(returning: lookup) }
  }

  @MainActor
  private func setTimer() {
    guard timer == nil, let start = state.withLock({ $0.oldestStart }) else { return }
    timer = clock.schedule(after: max(.zero, start + Self.patience - clock.uptime)) { [weak self] in self?.endWaits() }
  }

  @MainActor
  private func endWaits() {
    let now = clock.uptime
    let tired = state.withLock { $0.takeTired(at: now) }
    for waiter in tired { waiter.resume(returning: .failed) }
    timer = nil
    setTimer()
  }
}

private struct State {
  typealias Waiter = CheckedContinuation<UnixUser.Lookup, Never>

  enum Outcome {
    case answered(UnixUser.Lookup)
    /// The caller waits for a lookup that another caller has started.
    case waits
    case looks(isKnown: Bool)
  }

  struct Result {
    var lookup: UnixUser.Lookup
    var until: Duration
  }

  private struct Pending {
    var start: Duration
    var waiters: [Waiter]
  }

  /// At this number of results of a kind, all are removed.
  private static let mostCached = 10_000
  /// Maximum number of callers that wait for a lookup, as many as a user can have connections.
  private static let mostWaiters = 256

  /// The users that exist. Expired results stay, see ``UnixUserDirectory/hasFound(_:)``.
  private(set) var found: [UnixUser.Query: Result] = [:]
  private var missing: [UnixUser.Query: Result] = [:]
  private var pending: [UnixUser.Query: Pending] = [:]

  func fresh(_ query: UnixUser.Query, at now: Duration) -> UnixUser.Lookup? {
    for results in [found, missing] {
      if let result = results[query], now < result.until { return result.lookup }
    }
    return nil
  }

  mutating func ask(_ query: UnixUser.Query, _ waiter: Waiter, at now: Duration) -> Outcome {
    if let lookup = fresh(query, at: now) { return .answered(lookup) }
    if let running = pending[query] {
      guard now < running.start + UnixUserDirectory.patience, running.waiters.count < Self.mostWaiters else {
        return .answered(.failed)
      }
      pending[query]?.waiters.append(waiter)
      return .waits
    }
    let isKnown = found[query] != nil
    guard isKnown || pending.count < UnixUserDirectory.mostPending else { return .answered(.failed) }
    pending[query] = Pending(start: now, waiters: [waiter])
    return .looks(isKnown: isKnown)
  }

  /// The start of the oldest lookup that callers wait for, if any.
  var oldestStart: Duration? { pending.values.lazy.filter { !$0.waiters.isEmpty }.map(\.start).min() }

  /// Removes and returns the callers of lookups that take too long. The lookups continue.
  mutating func takeTired(at now: Duration) -> [Waiter] {
    var tired: [Waiter] = []
    for (query, lookup) in pending where !lookup.waiters.isEmpty && now >= lookup.start + UnixUserDirectory.patience {
      tired += lookup.waiters
      pending[query]?.waiters = []
    }
    return tired
  }

  /// Caches a result, and returns the callers that wait for it.
  mutating func finish(_ query: UnixUser.Query, _ lookup: UnixUser.Lookup, at now: Duration) -> [Waiter] {
    switch lookup {
    case .found:
      if found.count >= Self.mostCached { found = [:] }
      found[query] = Result(lookup: lookup, until: now + UnixUserDirectory.longest)
      missing[query] = nil
    case .absent, .failed:
      if missing.count >= Self.mostCached { missing = [:] }
      if case .absent = lookup { found[query] = nil }
      let isFailure = if case .failed = lookup { true } else { false }
      missing[query] = Result(
        lookup: lookup, until: now + (isFailure ? UnixUserDirectory.longestFailure : UnixUserDirectory.longest))
    }
    return pending.removeValue(forKey: query)?.waiters ?? []
  }
}
