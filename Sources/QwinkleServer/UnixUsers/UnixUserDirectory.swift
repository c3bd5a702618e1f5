import Dispatch
import LibC
import Synchronization
import Timekeeping

/// Reads users from the host's user database on separate threads and caches them, because a lookup can block.
///
/// A change of a user's groups takes effect within a minute. Failed lookups aren't cached.
final class UnixUserDirectory: Sendable {
  typealias Find = @Sendable (uid_t) -> UnixUser.Lookup
  private typealias Waiter = CheckedContinuation<UnixUser.Lookup, Never>

  private struct State {
    var cached: [uid_t: (lookup: UnixUser.Lookup, until: Duration)] = [:]
    var waiting: [uid_t: [Waiter]] = [:]
  }

  /// Lifetime of a cached result.
  private static let longest = Duration.seconds(60)
  /// At this number of results, all are removed.
  private static let mostCached = 10_000

  private let find: Find
  private let clock: any ProgramClock
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "qwinkle.users", attributes: .concurrent)

  init(clock: any ProgramClock, find: @escaping Find) {
    self.clock = clock
    self.find = find
  }

  /// Returns the user with this id. Concurrent calls for one user share a lookup, so a user occupies one thread.
  func user(_ uid: uid_t) async -> UnixUser.Lookup {
    await withCheckedContinuation { continuation in
      let now = clock.uptime
      let (known, isFirst) = state.withLock { state -> (UnixUser.Lookup?, Bool) in
        if let cached = state.cached[uid], now < cached.until { return (cached.lookup, false) }
        state.waiting[uid, default: []].append(continuation)
        return (nil, state.waiting[uid]?.count == 1)
      }
      if let known { continuation.resume(returning: known) }
      if isFirst { queue.async { self.look(for: uid) } }
    }
  }

  private func look(for uid: uid_t) {
    let lookup = find(uid)
    let until = clock.uptime + Self.longest
    let waiting = state.withLock { state in
      if case .failed = lookup {
        state.cached[uid] = nil
      } else {
        if state.cached.count >= Self.mostCached { state.cached = [:] }
        state.cached[uid] = (lookup, until)
      }
      return state.waiting.removeValue(forKey: uid) ?? []
    }
    for continuation in waiting { continuation.resume(returning: lookup) }
  }
}
