public import QwinkleModel
import Timekeeping

/// Pending actions. Actions that can't be undone on the server, such as posts and deletions, are delayed for a few
/// seconds, during which the user can cancel them.
@MainActor
public final class PendingActions {
  /// The kind of a pending action, and its target.
  public enum Kind: Hashable, Sendable {
    /// A post or thread, by the idempotency key of its entry.
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

  /// A pending action.
  public struct Act: Identifiable {
    public let id: Int
    public internal(set) var kind: Kind
    /// The time at which the action is performed, as the clock's uptime.
    public let deadline: Duration
    let perform: @MainActor () -> Void
    /// Called when the action is cancelled, for example to show dismissed notifications again.
    let onCancel: @MainActor () -> Void
    /// Returns whether the action is still pending. For example, the outbox may have sent or discarded the action's
    /// item already.
    let isWaiting: @MainActor () -> Bool
  }

  /// Delay of actions in seconds, or 0 for no delay.
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

  /// Whether actions are delayed.
  public var isOn: Bool { seconds > 0 }

  /// The pending actions, oldest first. Observers are notified of changes, and every second while any action is
  /// pending.
  public var acts: [Act] { all.filter { $0.isWaiting() } }

  /// Returns the number of seconds until an action is performed, rounded up; at least 1.
  public func secondsLeft(of act: Act) -> Int {
    (act.deadline - clock.uptime).secondsToWait
  }

  /// Returns the number of seconds until an action is performed, or nil if it isn't pending.
  public func secondsLeft(of kind: Kind) -> Int? {
    acts.first { $0.kind == kind }.map { secondsLeft(of: $0) }
  }

  /// Whether an action is pending.
  func holds(_ kind: Kind) -> Bool { acts.contains { $0.kind == kind } }

  /// Adds a pending action, unless an equal action is pending. If delays are off, performs the action at once.
  func hold(
    _ kind: Kind, isWaiting: @escaping @MainActor () -> Bool = { true },
    onCancel: @escaping @MainActor () -> Void = {}, perform: @escaping @MainActor () -> Void
  ) {
    guard !holds(kind) else { return }
    let entry = history.remember(.held(kind))
    let end: @MainActor () -> Void = { [history] in history.end(entry, as: .final(kind.name)) { perform() } }
    guard isOn else { return end() }
    count += 1
    all.append(
      Act(
        id: count, kind: kind, deadline: clock.uptime + .seconds(seconds), perform: end, onCancel: onCancel,
        isWaiting: isWaiting))
    tick()
  }

  /// Cancels a pending action.
  func cancelPending(_ kind: Kind) {
    guard let act = acts.first(where: { $0.kind == kind }) else { return }
    all.removeAll { $0.id == act.id }
    act.onCancel()
    tick()
  }

  /// Performs a pending action now. Returns false if it wasn't pending.
  func perform(_ kind: Kind) -> Bool {
    guard let act = acts.first(where: { $0.kind == kind }) else { return false }
    all.removeAll { $0.id == act.id }
    act.perform()
    tick()
    return true
  }

  /// Performs all pending actions now.
  public func performAll() {
    let acts = acts
    all = []
    for act in acts { act.perform() }
    tick()
  }

  /// Sends pending posts and messages and cancels all other pending actions, because the program exits.
  public func finish() {
    let acts = acts
    all = []
    for act in acts { if act.kind.isSending { act.perform() } else { act.onCancel() } }
    tick()
  }

  /// Performs actions that have reached their deadline. Schedules the next call for the next deadline, or for the next
  /// change of an action's remaining seconds if that is earlier.
  private func tick() {
    timer = nil
    let now = clock.uptime
    let due = all.filter { $0.deadline <= now }
    all.removeAll { $0.deadline <= now || !$0.isWaiting() }
    for act in due where act.isWaiting() { act.perform() }
    observers.forEach { $0.pendingActionsDidChange(self) }
    guard let next = all.last else { return }
    let left = (next.deadline - clock.uptime).components.attoseconds
    let wait = left > 0 ? Duration(secondsComponent: 0, attosecondsComponent: left) : .seconds(1)
    let first = all.map { $0.deadline - clock.uptime }.min() ?? wait
    timer = clock.schedule(after: min(wait, max(first, .zero))) { [weak self] in self?.tick() }
  }
}

extension PendingActions: AccountObserver {
  /// Updates the id of a qwink in pending actions.
  public func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink) {
    for index in all.indices { all[index].kind = all[index].kind.replacingID(id, by: qwink.originalID) }
  }
}

@MainActor
public protocol PendingActionsObserver: AnyObject {
  /// Called when the pending actions or their remaining times changed.
  func pendingActionsDidChange(_ held: PendingActions)
}

extension PendingActionsObserver {
  public func pendingActionsDidChange(_ held: PendingActions) {}
}
