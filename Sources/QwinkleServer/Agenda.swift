import Synchronization

/// When the next scheduled qwink or poll end is due. The first request after that time does the work, or an ``Alarm``
/// where there is a front, so an idle program sleeps on.
final class Agenda: Sendable {
  private struct Times {
    /// In milliseconds since 1970; nil if nothing is planned.
    var next: Int64?
    /// When to look again for what another process planned.
    var lookAgain: Int64 = 0
  }

  /// How often it is looked for what another process planned, in milliseconds.
  static let looksEvery: Int64 = 60_000
  private let times = Mutex(Times())
  /// The work under way.
  private let work = Mutex<Task<Void, Never>?>(nil)
  private let listener = Mutex<(@Sendable () -> Void)?>(nil)

  /// The time that is planned next, in milliseconds since 1970; nil if nothing is.
  var next: Int64? { times.withLock { $0.next } }

  /// Calls `action` whenever something is planned that comes before all else. nil ends that.
  func whenPlanned(_ action: (@Sendable () -> Void)?) {
    listener.withLock { $0 = action }
  }

  /// Notes that something is due at a time, in milliseconds since 1970.
  func note(_ time: Int64) {
    let isNext = times.withLock { times in
      let isNext = times.next.map { time < $0 } ?? true
      if isNext { times.next = time }
      return isNext
    }
    if isNext { listener.withLock { $0 }?() }
  }

  /// Whether there may be something to do, or is being done.
  func isDue(at now: Int64) -> Bool {
    work.withLock { $0 != nil } || hasCome(now)
  }

  /// Forgets what is planned and has `action` do it, if something may be due. It notes what comes next. Returns when
  /// that is done, also if another caller began it: nobody reads the state before.
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
