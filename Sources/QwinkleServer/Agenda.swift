import Synchronization

/// Stores the time of the next due work, such as a scheduled qwink to publish or a poll to close. If the server accepts
/// network connections, an ``Alarm`` starts the work on time. Otherwise, the first request after that time starts it,
/// so that an idle program isn't woken.
final class Agenda: Sendable {
  private struct Times {
    /// Time of the next scheduled work, if any, in milliseconds since 1970.
    var next: Int64?
    /// Time of the next check for work scheduled by another process.
    var lookAgain: Int64 = 0
  }

  /// Milliseconds between checks for work scheduled by another process.
  static let looksEvery: Int64 = 60_000
  private let times = Mutex(Times())
  /// The work in progress.
  private let work = Mutex<Task<Void, Never>?>(nil)
  private let listener = Mutex<(@Sendable () -> Void)?>(nil)

  /// The next scheduled time in milliseconds since 1970, if any.
  var next: Int64? { times.withLock { $0.next } }

  /// Calls `action` whenever work is scheduled for an earlier time than all other work. Nil removes the action.
  func whenPlanned(_ action: (@Sendable () -> Void)?) {
    listener.withLock { $0 = action }
  }

  /// Schedules work at a time in milliseconds since 1970. Only the earliest time is stored. The work at that time then
  /// determines the next one.
  func note(_ time: Int64) {
    let isNext = times.withLock { times in
      let isNext = times.next.map { time < $0 } ?? true
      if isNext { times.next = time }
      return isNext
    }
    if isNext { listener.withLock { $0 }?() }
  }

  /// Whether work may be due or is in progress.
  func isDue(at now: Int64) -> Bool {
    work.withLock { $0 != nil } || hasCome(now)
  }

  /// Runs `action` if work may be due and isn't in progress already. `action` must call ``note(_:)`` with the time of
  /// the next work, if any. Returns when the work is done, even if another caller started it, so that no caller reads
  /// state from before the work.
  func settle(at now: Int64, _ action: @escaping @Sendable () async -> Void) async {
    let task = work.withLock { work -> Task<Void, Never>? in
      if let work { return work }
      guard hasCome(now) else { return nil }
      times.withLock { $0 = Times(next: nil, lookAgain: now + Self.looksEvery) }
      let task = Task {
        await action()
        self.work.withLock { $0 = nil }
      }
      work = task
      return task
    }
    await task?.value
  }

  private func hasCome(_ now: Int64) -> Bool {
    times.withLock { ($0.next ?? .max) <= now || $0.lookAgain <= now }
  }
}
