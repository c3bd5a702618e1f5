import Synchronization
import Timekeeping

/// Shares places among clients: in the database, where passwords are checked, and where large requests are processed.
/// When a place is free, the waiting client that used least time lately is next. So a client with a thousand reads
/// delays another by one at most, and fifty such clients do too.
///
/// A read begins as a quick one. If it takes longer than ``quickRead`` it becomes a long one, or begins again as one
/// once another long read has ended. Long reads never have all places: quick reads wait for quick reads alone.
final class Turns: Sendable {
  enum Kind: Int, CaseIterable, Sendable { case read, longRead, write, passwordCheck, largeRequest }

  /// The time after which a read is a long one.
  static let quickRead = Duration.milliseconds(5)
  /// Use is summed in periods of this length. The sum of the period before counts less and less.
  private static let period = Duration.seconds(10)

  private struct Use {
    private var period = 0
    private var current = 0.0
    private var former = 0.0

    /// Seconds used lately.
    func seconds(at now: Duration) -> Double {
      let periods = now / Turns.period
      switch Int(periods) - period {
      case 0: return current + former * (1 - (periods - periods.rounded(.down)))
      case 1: return current * (1 - (periods - periods.rounded(.down)))
      default: return 0
      }
    }

    mutating func add(_ time: Duration, at now: Duration) {
      let index = Int(now / Turns.period)
      if index != period {
        former = index == period + 1 ? current : 0
        (current, period) = (0, index)
      }
      current += time / .seconds(1)
    }
  }

  private struct Waiting {
    var continuations: [CheckedContinuation<Void, Never>] = []
    /// The number of the first one, which grows with each that waits.
    var since: Int
  }

  private struct State {
    var running: [Kind: Int] = [:]
    var waiting: [Kind: [Client: Waiting]] = [:]
    var uses: [Client: Use] = [:]
    var mostUses = 1000
    var last = 0

    func isFree(_ kind: Kind) -> Bool {
      switch kind {
      case .read: running[.read, default: 0] + running[.longRead, default: 0] < Readers.places
      case .longRead: running[.longRead, default: 0] < Readers.places - 1 && isFree(.read)
      case .write, .passwordCheck, .largeRequest: running[kind, default: 0] < 1
      }
    }

    func isWaiting(_ kind: Kind) -> Bool { waiting[kind]?.isEmpty == false }
  }

  private let clock: any ProgramClock
  private let state = Mutex(State())

  init(clock: any ProgramClock) {
    self.clock = clock
  }

  /// Waits for a place. Each call is followed by one of ``leave(_:_:used:)``.
  func enter(_ kind: Kind, _ client: Client) async {
    if state.withLock({ Self.take(kind, &$0) }) { return }
    await withCheckedContinuation { continuation in
      let isIn = state.withLock { state in
        if Self.take(kind, &state) { return true }
        state.last += 1
        state.waiting[kind, default: [:]][client, default: Waiting(since: state.last)].continuations
          .append(continuation)
        return false
      }
      if isIn { continuation.resume() }
    }
  }

  /// Releases a place, after its client used it for `time`.
  func leave(_ kind: Kind, _ client: Client, used time: Duration) {
    let now = clock.uptime
    let next = state.withLock { state in
      state.running[kind, default: 1] -= 1
      Self.charge(client, time, at: now, &state)
      return Self.next(at: now, &state)
    }
    for continuation in next { continuation.resume() }
  }

  /// Makes a running quick read a long one. Returns false if there are enough of these: then it has to begin again.
  func lengthen() -> Bool {
    state.withLock { state in
      guard state.running[.longRead, default: 0] < Readers.places - 1 else { return false }
      state.running[.read, default: 1] -= 1
      state.running[.longRead, default: 0] += 1
      return true
    }
  }

  /// The number of a client's calls that wait.
  func waitingCount(_ kind: Kind, _ client: Client) -> Int {
    state.withLock { $0.waiting[kind]?[client]?.continuations.count ?? 0 }
  }

  private static func take(_ kind: Kind, _ state: inout State) -> Bool {
    guard state.isFree(kind), !state.isWaiting(kind) else { return false }
    state.running[kind, default: 0] += 1
    return true
  }

  private static func charge(_ client: Client, _ time: Duration, at now: Duration, _ state: inout State) {
    // The service's own work is for all clients.
    guard client != .process else { return }
    state.uses[client, default: Use()].add(time, at: now)
    guard state.uses.count > state.mostUses else { return }
    state.uses = state.uses.filter { $0.value.seconds(at: now) > 0.001 }
    state.mostUses = max(1000, 2 * state.uses.count)
  }

  /// Removes those whose turn has come.
  private static func next(at now: Duration, _ state: inout State) -> [CheckedContinuation<Void, Never>] {
    var next: [CheckedContinuation<Void, Never>] = []
    // A long read waits in each case until no quick one does.
    for kind in Kind.allCases {
      while state.isFree(kind), let client = leastUser(state.waiting[kind] ?? [:], at: now, state.uses) {
        guard var waiting = state.waiting[kind]?.removeValue(forKey: client), !waiting.continuations.isEmpty else {
          continue
        }
        next.append(waiting.continuations.removeFirst())
        state.last += 1
        waiting.since = state.last
        if !waiting.continuations.isEmpty { state.waiting[kind]?[client] = waiting }
        state.running[kind, default: 0] += 1
      }
    }
    return next
  }

  /// The client that used least; of several, the one that waits longest.
  private static func leastUser(
    _ waiting: [Client: Waiting], at now: Duration, _ uses: [Client: Use]
  ) -> Client? {
    var least: (use: Double, since: Int, client: Client)?
    for (client, entry) in waiting {
      let use = uses[client]?.seconds(at: now) ?? 0
      if let known = least, (known.use, known.since) <= (use, entry.since) { continue }
      least = (use, entry.since, client)
    }
    return least?.client
  }
}
