public import FoundationEssentials

/// The items of an outbox in the order in which they were queued, and the rules for when each is sent. Pure: it knows
/// neither a clock nor a server.
public struct OutboxQueue: Hashable, Sendable {
  /// How an attempt ended without success.
  public enum Failure: Hashable, Sendable {
    /// It did not arrive, and may later. `wait` is how long the server asks to wait.
    case later(reason: String, wait: Duration?)
    /// It may have arrived.
    case doubtful(reason: String)
    /// The server doesn't take it.
    case refused(reason: String)
  }

  /// The wait after the first failure. It doubles with each further one.
  public static let firstWait: TimeInterval = 5
  public static let longestWait: TimeInterval = 600

  /// All items, also of other programs, the one queued first first.
  public private(set) var items: [OutboxItem] = []
  /// Items of this program with a request under way.
  private var busy: Set<String> = []
  /// Items that wait only because the server didn't answer.
  private var unanswered: Set<String> = []

  public init() {}

  public subscript(id: String) -> OutboxItem? { items.first { $0.id == id } }

  /// Whether a request for an item is under way here.
  public func isBusy(_ id: String) -> Bool { busy.contains(id) }

  // MARK: Taking in

  /// Adds an item, or replaces it by its newer state. One without a position goes to the end.
  public mutating func put(_ item: OutboxItem) {
    items.removeAll { $0.id == item.id }
    let index = item.position == 0 ? nil : items.firstIndex { $0.position == 0 || $0.position > item.position }
    items.insert(item, at: index ?? items.endIndex)
  }

  /// Adds an item that a program which has ended left behind. What it was sending may have arrived, and its request may
  /// still be on its way.
  public mutating func takeOver(_ item: OutboxItem, at date: Date) {
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

  /// Replaces what is known of other programs' items.
  public mutating func setElsewhere(_ others: [OutboxItem]) {
    items.removeAll { $0.isElsewhere }
    for item in others { put(item) }
  }

  /// Removes an item that was sent, discarded or became a draft.
  public mutating func remove(_ id: String) {
    items.removeAll { $0.id == id }
    busy.remove(id)
    unanswered.remove(id)
  }

  /// Changes an item.
  public mutating func change(_ id: String, _ body: (inout OutboxItem) -> Void) {
    guard let index = items.firstIndex(where: { $0.id == id }) else { return }
    body(&items[index])
  }

  // MARK: Sending

  /// The items to send at `date`, or to look for.
  public func ready(at date: Date) -> [OutboxItem] {
    items.filter { isWaiting($0) && ($0.nextAttempt ?? date) <= date && !mustWait($0) }
  }

  /// When the next item becomes ready by time alone; nil if none does.
  public func nextAttempt(after date: Date) -> Date? {
    items.filter { isWaiting($0) && !mustWait($0) }.compactMap(\.nextAttempt).filter { $0 > date }.min()
  }

  private func isWaiting(_ item: OutboxItem) -> Bool {
    !item.isElsewhere && !item.isHeld && !busy.contains(item.id) && (item.state == .queued || item.state == .uncertain)
  }

  /// Whether another item must go first: the one it replies to, or an earlier one of the same thread. What is held or
  /// has failed lets others pass. A deletion passes edits that wait: it makes them needless.
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

  /// Notes that a request for an item begins: it is looked for, or about to be sent.
  public mutating func begin(_ id: String) { busy.insert(id) }

  /// Notes that a request ended with nothing to tell. The item waits for its next attempt.
  public mutating func pause(_ id: String, until date: Date?) {
    busy.remove(id)
    change(id) { $0.nextAttempt = date }
  }

  /// Notes that an attempt failed. `jitter` is between 0 and 1: it spreads the attempts of many programs.
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

  /// Notes that the server answers again: what waited for that alone need not wait longer.
  public mutating func hasten() {
    for index in items.indices where unanswered.contains(items[index].id) { items[index].nextAttempt = nil }
    unanswered.removeAll()
  }
}
