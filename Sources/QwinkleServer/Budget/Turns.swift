import Synchronization
import Timekeeping

/// Limits concurrent reads, writes, password checks and large requests, for which clients take turns. When a place is
/// free, the waiting client with the lowest recent use is next. Waiting reduces a client's use, so that no client waits
/// forever. While both are waiting, writes of account clients (``Client/account(_:)``) alternate with writes of other
/// clients.
///
/// A read starts as a quick read. If it takes longer than ``quickRead``, it becomes a long one. If too many long reads
/// are running, it restarts as a long one after one of them has ended. Long reads never occupy all places.
final class Turns: Sendable {
  enum Kind: Int, CaseIterable, Sendable { case read, longRead, write, passwordCheck, largeRequest }

  /// The time after which a read is a long one.
  static let quickRead = Duration.milliseconds(5)
  /// Use is added up in periods of this length. The previous period's sum counts less as time passes.
  private static let period = Duration.seconds(10)

  private struct Use {
    private var period = 0
    private var current = 0.0
    private var former = 0.0

    /// Returns the seconds of recent use.
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
    var starts: [@Sendable () -> Void] = []
    /// The time at which the client's first call started to wait, or the time of the client's last turn if that is
    /// later.
    var since: Duration
    /// A sequence number that decides between clients with equal use.
    var number: Int
  }

  private struct State {
    var running: [Kind: Int] = [:]
    var waiting: [Kind: [Client: Waiting]] = [:]
    var uses: [Client: Use] = [:]
    var mostUses = 1000
    var last = 0
    /// Whether the last write was an account's.
    var wasAccount = false

    func isFree(_ kind: Kind) -> Bool {
      let count = running[kind, default: 0]
      switch kind {
      case .read: return count + running[.longRead, default: 0] < Turns.places(for: .reads)
      case .longRead: return count < Turns.places(for: .longReads) && isFree(.read)
      case .write: return count < Turns.places(for: .writes)
      case .passwordCheck: return count < Turns.places(for: .passwordTurns)
      case .largeRequest: return count < Turns.places(for: .largeRequests)
      }
    }

    func isWaiting(_ kind: Kind) -> Bool { waiting[kind]?.isEmpty == false }

    mutating func begin(_ kind: Kind, _ client: Client) {
      running[kind, default: 0] += 1
      if kind == .write { wasAccount = client.isAccount }
    }
  }

  private static func places(for resource: Resource) -> Int {
    if case .turns(let count) = resource.limit { count } else { 1 }
  }

  private let clock: any ProgramClock
  private let state = Mutex(State())

  init(clock: any ProgramClock) {
    self.clock = clock
  }

  /// Waits for a place. The caller must call ``leave(_:_:used:)`` afterwards.
  func enter(_ kind: Kind, _ client: Client) async {
    if state.withLock({ Self.take(kind, client, &$0) }) { return }
    await withCheckedContinuation { continuation in
      enter(kind, client) { continuation.resume() }
    }
  }

  /// Calls `start` once a place is free, on this thread or on the thread that releases the place. `start` must not
  /// block. The caller must call ``leave(_:_:used:)`` afterwards.
  func enter(_ kind: Kind, _ client: Client, _ start: @escaping @Sendable () -> Void) {
    let now = clock.uptime
    let isIn = state.withLock { state in
      if Self.take(kind, client, &state) { return true }
      state.last += 1
      let new = Waiting(since: now, number: state.last)
      state.waiting[kind, default: [:]][client, default: new].starts.append(start)
      return false
    }
    if isIn { start() }
  }

  /// Releases a place after its client used it for `time`.
  func leave(_ kind: Kind, _ client: Client, used time: Duration) {
    let now = clock.uptime
    let next = state.withLock { state in
      state.running[kind, default: 1] -= 1
      Self.charge(client, time, at: now, &state)
      // Quick and long reads compete with each other.
      return Self.next(kind == .read || kind == .longRead ? [.read, .longRead] : [kind], at: now, &state)
    }
    for start in next { start() }
  }

  /// Turns a running quick read into a long one. Returns false if too many long reads are running; the read must
  /// restart then.
  func lengthen() -> Bool {
    state.withLock { state in
      guard state.running[.longRead, default: 0] < Self.places(for: .longReads) else { return false }
      state.running[.read, default: 1] -= 1
      state.running[.longRead, default: 0] += 1
      return true
    }
  }

  /// Returns the number of a client's waiting calls.
  func waitingCount(_ kind: Kind, _ client: Client) -> Int {
    state.withLock { $0.waiting[kind]?[client]?.starts.count ?? 0 }
  }

  /// The number of waiting calls of all clients.
  var waitingCounts: [Kind: Int] {
    state.withLock { state in
      state.waiting.mapValues { calls in calls.values.reduce(0) { $0 + $1.starts.count } }
    }
  }

  private static func take(_ kind: Kind, _ client: Client, _ state: inout State) -> Bool {
    guard state.isFree(kind), !state.isWaiting(kind) else { return false }
    // Quick reads must not overtake a waiting long read forever.
    if kind == .read, state.isFree(.longRead), state.isWaiting(.longRead) { return false }
    state.begin(kind, client)
    return true
  }

  private static func charge(_ client: Client, _ time: Duration, at now: Duration, _ state: inout State) {
    // The server's own work is for all clients, so it is charged to none of them.
    guard client != .process else { return }
    state.uses[client, default: Use()].add(time, at: now)
    guard state.uses.count > state.mostUses else { return }
    state.uses = state.uses.filter { $0.value.seconds(at: now) > 0.001 }
    state.mostUses = max(1000, 2 * state.uses.count)
  }

  /// Removes the calls whose turn it is from the queue and returns them.
  private static func next(_ kinds: [Kind], at now: Duration, _ state: inout State) -> [@Sendable () -> Void] {
    var next: [@Sendable () -> Void] = []
    while let (kind, client) = leastUser(among: kinds, at: now, state) {
      guard var waiting = state.waiting[kind]?.removeValue(forKey: client), !waiting.starts.isEmpty else { continue }
      next.append(waiting.starts.removeFirst())
      state.last += 1
      (waiting.since, waiting.number) = (now, state.last)
      if !waiting.starts.isEmpty { state.waiting[kind]?[client] = waiting }
      state.begin(kind, client)
    }
    return next
  }

  /// Returns the waiting client with the least use, if a place is free for it. Among clients with equal use, returns
  /// the one that has waited longest.
  private static func leastUser(among kinds: [Kind], at now: Duration, _ state: State) -> (Kind, Client)? {
    var least: (use: Double, number: Int, kind: Kind, client: Client)?
    for kind in kinds where state.isFree(kind) {
      let waiting = state.waiting[kind] ?? [:]
      // Otherwise the sign-ins of many addresses, each with little use, would delay all posts.
      let alternates = kind == .write && waiting.keys.contains { $0.isAccount != state.wasAccount }
      for (client, entry) in waiting where !alternates || client.isAccount != state.wasAccount {
        // A second of waiting offsets half a second of use.
        let use = (state.uses[client]?.seconds(at: now) ?? 0) - (now - entry.since) / .seconds(2)
        if let known = least, (known.use, known.number) <= (use, entry.number) { continue }
        least = (use, entry.number, kind, client)
      }
    }
    return least.map { ($0.kind, $0.client) }
  }
}
