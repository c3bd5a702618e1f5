public import QwinkleModel
import Timekeeping

/// What can't be undone on the server, such as posts and deletions: it is held for some seconds, in which it can be
/// taken back, and done then.
@MainActor
public final class HeldActs {
  /// What is held.
  public enum Kind: Hashable, Sendable {
    /// A post or a thread, by the idempotency key of its entry.
    case post(key: String)
    case delete(Qwink.ID)
    case block(Qwinker)
    /// All users of a server, by its host.
    case blockServer(String)
    case vote(Qwink.ID)
    case dismiss([AccountNotification.ID])
    case clearNotifications
  }

  /// Something that is held.
  public struct Act: Identifiable {
    public let id: Int
    public let kind: Kind
    /// When it is done, by the clock's uptime.
    public let deadline: Duration
    /// Does it.
    let perform: @MainActor () -> Void
    /// Takes it back, beyond forgetting it here.
    let takeBack: @MainActor () -> Void
    /// Whether it still waits: an item of the outbox can be sent or discarded there.
    let isWaiting: @MainActor () -> Bool
  }

  /// How an attempt to take something back ended.
  enum Ending: Hashable {
    case takenBack(Kind)
    /// It was done a moment ago.
    case tooLate(Kind)
    /// It is long done.
    case gone
  }

  /// How long after an act `u` still means that act, and says that it is too late.
  private static let regret = Duration.seconds(3)

  /// How long acts are held, in seconds; 0: not at all.
  public var seconds = 0

  private let clock: any ProgramClock
  private let observers: AccountObservers
  private var all: [Act] = []
  private var timer: ProgramTimer?
  private var count = 0
  private var lastDone: (id: Int, kind: Kind, at: Duration)?

  init(clock: any ProgramClock, observers: AccountObservers) {
    self.clock = clock
    self.observers = observers
  }

  /// Whether acts are held at all.
  public var isOn: Bool { seconds > 0 }

  /// What is held, oldest first. Observers hear of changes, and each second while there is something.
  public var acts: [Act] { all.filter { $0.isWaiting() } }

  /// How many seconds an act is still held, rounded up; at least 1.
  public func secondsLeft(of act: Act) -> Int {
    let left = (act.deadline - clock.uptime).components
    return max(1, Int(left.seconds) + (left.attoseconds > 0 ? 1 : 0))
  }

  /// Holds an act, unless an equal one is held already. Returns its id; nil for an equal one.
  func hold(
    _ kind: Kind, isWaiting: @escaping @MainActor () -> Bool = { true },
    takeBack: @escaping @MainActor () -> Void = {}, perform: @escaping @MainActor () -> Void
  ) -> Int? {
    guard !acts.contains(where: { $0.kind == kind }) else { return nil }
    count += 1
    all.append(
      Act(
        id: count, kind: kind, deadline: clock.uptime + .seconds(seconds), perform: perform, takeBack: takeBack,
        isWaiting: isWaiting))
    tick()
    return count
  }

  /// Takes an act back.
  func takeBack(_ id: Int) -> Ending {
    if let act = acts.first(where: { $0.id == id }) {
      all.removeAll { $0.id == id }
      act.takeBack()
      tick()
      return .takenBack(act.kind)
    }
    guard let done = lastDone, done.id == id, clock.uptime - done.at <= Self.regret else { return .gone }
    return .tooLate(done.kind)
  }

  /// Does all that is held now.
  public func performAll() {
    let acts = acts
    all = []
    for act in acts { perform(act) }
    tick()
  }

  /// Sends held posts and takes back all else: the program ends.
  public func finish() {
    let acts = acts
    all = []
    for act in acts { if case .post = act.kind { perform(act) } else { act.takeBack() } }
    tick()
  }

  private func perform(_ act: Act) {
    lastDone = (act.id, act.kind, clock.uptime)
    act.perform()
  }

  /// Does what is due, and looks again when the number of seconds that are left changes.
  private func tick() {
    timer = nil
    let now = clock.uptime
    let due = all.filter { $0.deadline <= now }
    all.removeAll { $0.deadline <= now || !$0.isWaiting() }
    for act in due where act.isWaiting() { perform(act) }
    observers.forEach { $0.heldActsDidChange(self) }
    guard let next = all.last else { return }
    let left = (next.deadline - clock.uptime).components.attoseconds
    let wait = left > 0 ? Duration(secondsComponent: 0, attosecondsComponent: left) : .seconds(1)
    let first = all.map { $0.deadline - clock.uptime }.min() ?? wait
    timer = clock.schedule(after: min(wait, max(first, .zero))) { [weak self] in self?.tick() }
  }
}
