public import FoundationEssentials

/// The items of an outbox in queue order, and the rules for when to send each. Pure: it has no access to a clock or a
/// server.
public struct OutboxQueue: Hashable, Sendable {
  /// The outcome of a failed attempt.
  public enum Failure: Hashable, Sendable {
    /// Not delivered, but can be retried. `wait` is the delay that the server asked for, if any.
    case later(reason: String, wait: Duration?)
    /// Possibly delivered.
    case doubtful(reason: String)
    /// Rejected by the server.
    case refused(reason: String)
  }

  /// The delay after the first failure. It doubles with each further failure, up to ``longestWait``.
  public static let firstWait: TimeInterval = 5
  public static let longestWait: TimeInterval = 600

  /// All items in queue order, including other processes' items.
  public private(set) var items: [OutboxItem] = []
  /// Ids of this process's items that have a request in progress.
  private var busy: Set<String> = []
  /// Ids of items that are waiting only because the server didn't respond.
  private var unanswered: Set<String> = []

  public init() {}

  public subscript(id: String) -> OutboxItem? { items.first { $0.id == id } }

  /// Whether this process has a request for an item in progress.
  public func isBusy(_ id: String) -> Bool { busy.contains(id) }

  // MARK: Merging

  /// Adds an item or replaces its previous state. An item without a position is added at the end.
  public mutating func put(_ item: OutboxItem) {
    items.removeAll { $0.id == item.id }
    let index = item.position == 0 ? nil : items.firstIndex { $0.position == 0 || $0.position > item.position }
    items.insert(item, at: index ?? items.endIndex)
  }

  /// Adopts an item of a process that has ended. An item that was being sent may have been delivered. If sending it
  /// again could create a duplicate, it becomes uncertain, and Qwinkle waits before it checks the server, because the
  /// request may still be in progress. Otherwise, it is queued again.
  public mutating func adopt(_ item: OutboxItem, at date: Date) {
    var item = item
    item.isElsewhere = false
    let wasSending = item.state == .sending
    if wasSending {
      item.state = item.isDoubtful ? .uncertain : .queued
      item.attemptCount = max(1, item.attemptCount)
    }
    if item.state == .queued || item.state == .uncertain { item.nextAttempt = nil }
    if item.state == .uncertain, var entry = item.entry {
      for index in entry.attempts.indices where entry.attempts[index].reason == nil {
        entry.attempts[index].reason = OutgoingEntry.Attempt.endedReason
        item.reason = OutgoingEntry.Attempt.endedReason
      }
      if wasSending { item.nextAttempt = date.addingTimeInterval(Self.firstWait) }
      item.entry = entry
    }
    put(item)
  }

  /// Replaces the items of other processes.
  public mutating func setElsewhere(_ others: [OutboxItem]) {
    items.removeAll { $0.isElsewhere }
    for item in others { put(item) }
  }

  /// Removes an item that was sent, discarded or turned into a draft.
  public mutating func remove(_ id: String) {
    items.removeAll { $0.id == id }
    busy.remove(id)
    unanswered.remove(id)
  }

  public mutating func change(_ id: String, _ body: (inout OutboxItem) -> Void) {
    guard let index = items.firstIndex(where: { $0.id == id }) else { return }
    body(&items[index])
  }

  // MARK: Sending

  /// Returns the items to attempt at `date`. An attempt sends the item, or checks whether the server already has it.
  public func ready(at date: Date) -> [OutboxItem] {
    items.filter { isWaiting($0) && ($0.nextAttempt ?? date) <= date && !mustWait($0) }
  }

  /// Returns the earliest time after `date` at which the delay of an item ends, or nil if no item is delayed.
  public func nextAttempt(after date: Date) -> Date? {
    items.filter { isWaiting($0) && !mustWait($0) }.compactMap(\.nextAttempt).filter { $0 > date }.min()
  }

  private func isWaiting(_ item: OutboxItem) -> Bool {
    !item.isElsewhere && !item.isHeld && !busy.contains(item.id) && (item.state == .queued || item.state == .uncertain)
  }

  /// Whether another item must be sent first: its parent, or an earlier item with the same ``OutboxItem/thread``. Items
  /// on hold and failed items block only the replies to them. A deletion doesn't wait for queued edits of the same
  /// qwink, which it makes unnecessary.
  private func mustWait(_ item: OutboxItem) -> Bool {
    if let first = item.waitsFor, items.contains(where: { $0.id == first }) { return true }
    guard let thread = item.thread else { return false }
    return items.contains { other in
      guard other.id != item.id, other.thread == thread else { return false }
      if other.state == .sending || busy.contains(other.id) { return true }
      if item.passesWaiting(other) { return false }
      guard !other.isHeld, other.state == .queued || other.state == .uncertain else { return false }
      return other.position == 0 ? isBefore(other, item) : item.position == 0 || other.position < item.position
    }
  }

  private func isBefore(_ one: OutboxItem, _ two: OutboxItem) -> Bool {
    guard let first = items.firstIndex(where: { $0.id == one.id }),
      let second = items.firstIndex(where: { $0.id == two.id })
    else { return false }
    return first < second
  }

  /// Marks an item as busy: Qwinkle is sending it or checking for it on the server.
  public mutating func begin(_ id: String) { busy.insert(id) }

  /// Marks a request as finished without recording a failure. The next attempt is at `date`, or immediately if `date`
  /// is nil.
  public mutating func pause(_ id: String, until date: Date?) {
    busy.remove(id)
    change(id) { $0.nextAttempt = date }
  }

  /// Records a failed attempt. `jitter` is between 0 and 1 and spreads the attempts of multiple processes.
  public mutating func end(_ id: String, _ failure: Failure, at date: Date, jitter: Double) {
    busy.remove(id)
    unanswered.remove(id)
    guard var item = self[id] else { return }
    item.attemptCount += 1
    let doubled = Self.firstWait * Double(1 << min(max(0, item.attemptCount - 1), 10))
    var wait = min(doubled, Self.longestWait) * (1 + jitter / 2)
    switch failure {
    case .later(let reason, let asked):
      item.state = item.isDoubtful ? .uncertain : .queued
      item.reason = reason
      if let asked {
        wait = max(wait, Double(asked.components.seconds))
      } else if item.state == .queued {
        unanswered.insert(id)
      }
      item.nextAttempt = date.addingTimeInterval(wait)
    case .doubtful(let reason):
      item.state = .uncertain
      item.reason = reason
      item.nextAttempt = date.addingTimeInterval(wait)
    case .refused(let reason):
      item.state = .failed
      item.reason = reason
      item.nextAttempt = nil
    }
    put(item)
  }

  /// Clears the delay of items that were waiting only for the server. Called when the server responds again.
  public mutating func hasten() {
    for index in items.indices where unanswered.contains(items[index].id) { items[index].nextAttempt = nil }
    unanswered.removeAll()
  }
}
