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
    /// A direct message, by its idempotency key.
    case message(key: String)
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
    public internal(set) var kind: Kind
    /// When it is done, by the clock's uptime.
    public let deadline: Duration
    /// Does it.
    let perform: @MainActor () -> Void
    /// Takes it back, beyond forgetting it here.
    let takeBack: @MainActor () -> Void
    /// Whether it still waits: an item of the outbox can be sent or discarded there.
    let isWaiting: @MainActor () -> Bool
  }

  /// How long acts are held, in seconds; 0: not at all.
  public var seconds = 0

  private let clock: any ProgramClock
  private let observers: AccountObservers
  private let history: UndoHistory
  private var all: [Act] = []
  private var timer: ProgramTimer?
  private var count = 0

  init(clock: any ProgramClock, observers: AccountObservers, history: UndoHistory) {
    self.clock = clock
    self.observers = observers
    self.history = history
  }

  /// Whether acts are held at all.
  public var isOn: Bool { seconds > 0 }

  /// What is held, oldest first. Observers hear of changes, and each second while there is something.
  public var acts: [Act] { all.filter { $0.isWaiting() } }

  /// How many seconds an act is still held, rounded up; at least 1.
  public func secondsLeft(of act: Act) -> Int {
    (act.deadline - clock.uptime).secondsToWait
  }

  /// The same of the act of a kind; nil if it isn't held.
  public func secondsLeft(of kind: Kind) -> Int? {
    acts.first { $0.kind == kind }.map { secondsLeft(of: $0) }
  }

  /// Whether an act is held.
  func holds(_ kind: Kind) -> Bool { acts.contains { $0.kind == kind } }

  /// Holds an act, unless an equal one is held already. If nothing is held, does it at once.
  func hold(
    _ kind: Kind, isWaiting: @escaping @MainActor () -> Bool = { true },
    takeBack: @escaping @MainActor () -> Void = {}, perform: @escaping @MainActor () -> Void
  ) {
    guard !holds(kind) else { return }
    let entry = history.remember(.held(kind))
    let end: @MainActor () -> Void = { [history] in history.end(entry, as: .final(kind.name)) { perform() } }
    guard isOn else { return end() }
    count += 1
    all.append(
      Act(
        id: count, kind: kind, deadline: clock.uptime + .seconds(seconds), perform: end, takeBack: takeBack,
        isWaiting: isWaiting))
    tick()
  }

  /// Cancels a pending action.
  func takeBack(_ kind: Kind) {
    guard let act = acts.first(where: { $0.kind == kind }) else { return }
    all.removeAll { $0.id == act.id }
    act.takeBack()
    tick()
  }

  /// Does an act now. Returns whether it was held.
  func perform(_ kind: Kind) -> Bool {
    guard let act = acts.first(where: { $0.kind == kind }) else { return false }
    all.removeAll { $0.id == act.id }
    act.perform()
    tick()
    return true
  }

  /// Does all that is held now.
  public func performAll() {
    let acts = acts
    all = []
    for act in acts { act.perform() }
    tick()
  }

  /// Sends held posts and messages and cancels all other held actions, because the program ends.
  public func finish() {
    let acts = acts
    all = []
    for act in acts { if act.kind.isSending { act.perform() } else { act.takeBack() } }
    tick()
  }

  /// Does what is due, and looks again when the number of seconds that are left changes.
  private func tick() {
    timer = nil
    let now = clock.uptime
    let due = all.filter { $0.deadline <= now }
    all.removeAll { $0.deadline <= now || !$0.isWaiting() }
    for act in due where act.isWaiting() { act.perform() }
    observers.forEach { $0.heldActsDidChange(self) }
    guard let next = all.last else { return }
    let left = (next.deadline - clock.uptime).components.attoseconds
    let wait = left > 0 ? Duration(secondsComponent: 0, attosecondsComponent: left) : .seconds(1)
    let first = all.map { $0.deadline - clock.uptime }.min() ?? wait
    timer = clock.schedule(after: min(wait, max(first, .zero))) { [weak self] in self?.tick() }
  }
}

extension HeldActs: AccountObserver {
  /// Changes actions on a qwink that has another id now.
  public func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink) {
    for index in all.indices { all[index].kind = all[index].kind.replacingID(id, by: qwink.originalID) }
  }
}
