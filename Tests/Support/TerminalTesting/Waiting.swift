public import Dispatch
import Synchronization
public import Testing
public import Timekeeping

/// The time limit of a wait in a test, by the wall clock.
public struct Deadline: Sendable {
  /// Default time limit of a wait in seconds.
  public static let seconds = 30
  /// ``seconds`` as a duration.
  public static let patience = Duration.seconds(seconds)

  private let end: ContinuousClock.Instant

  public init(after patience: Duration = Self.patience) {
    end = ContinuousClock.now + patience
  }

  /// Time left; negative once the deadline has passed.
  public var timeLeft: Duration { ContinuousClock.now.duration(to: end) }

  /// Throws if the deadline has passed or the task is cancelled. Loops that wait for `what` call it in each round.
  ///
  /// - Throws: ``HarnessError/timedOut(_:screen:)`` with the result of `screen`.
  public func check(_ what: String, showing screen: () -> String = { "" }) throws {
    guard !Task.isCancelled else { throw HarnessError.timedOut("\(what) (the test was cancelled)", screen: screen()) }
    guard timeLeft > .zero else { throw HarnessError.timedOut(what, screen: screen()) }
  }
}

/// Waits until `isSo` returns true.
///
/// - Parameters:
///   - what: The condition, for the error.
///   - pause: Time between two checks. If nil, almost none for the first 2 ms, and 2 ms afterwards.
///   - screen: The screen or log that the error shows.
///
/// - Throws: ``HarnessError/timedOut(_:screen:)`` after `patience`, or when the task is cancelled.
public func wait(
  for what: String, within patience: Duration = Deadline.patience, every pause: Duration? = nil,
  showing screen: () -> String = { "" }, until isSo: () throws -> Bool
) async throws {
  let deadline = Deadline(after: patience)
  let start = ContinuousClock.now
  while try !isSo() {
    try deadline.check(what, showing: screen)
    if pause == nil, start.duration(to: .now) < .milliseconds(2) {
      await Task.yield()
    } else {
      try? await Task.sleep(for: pause ?? .milliseconds(2))
    }
  }
}

/// Waits for the value that `start` passes to its callback.
///
/// - Throws: ``HarnessError/timedOut(_:screen:)`` after ``Deadline/patience``, or when the task is cancelled.
public func callbackValue<Value: Sendable>(
  of what: String, _ start: (@escaping @Sendable (Value) -> Void) -> Void
) async throws -> Value {
  let received = Mutex<[Value]>([])
  start { value in received.withLock { $0.append(value) } }
  try await wait(for: what) { received.withLock { !$0.isEmpty } }
  return received.withLock { $0[0] }
}

/// Waits until the main queue has run everything queued so far.
public func turnMainQueue() async {
  await withCheckedContinuation { continuation in
    DispatchQueue.main.async { continuation.resume() }
  }
}

extension DispatchSemaphore {
  /// Blocks the thread until a signal or a deadline, so that a failed test does not block it forever.
  public func waitUntilDeadline() { _ = wait(timeout: .now() + .seconds(Deadline.seconds)) }
}

extension ActivityLedger {
  /// Ledgers that reached a deadline. Retained, so that no other ledger gets the same identity.
  private static let stuck = Mutex<[ActivityLedger]>([])

  /// Waits until nothing is running; parked work does not count. After ``Deadline/patience`` it records an issue with
  /// the names of the running work and the result of `screen`.
  public func settle(
    showing screen: () -> String = { "" }, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    _ = await isSettled(before: nextDeadline, screen, sourceLocation)
  }

  /// Waits until nothing is running and the main queue has run everything queued so far. Otherwise like
  /// ``settle(showing:sourceLocation:)``.
  public func settleWithMainQueue(
    showing screen: () -> String = { "" }, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let deadline = nextDeadline
    repeat {
      guard await isSettled(before: deadline, screen, sourceLocation) else { return }
      await turnMainQueue()
    } while !isEmpty
  }

  private var isStuck: Bool { Self.stuck.withLock { $0.contains { $0 === self } } }

  /// A short deadline after the first failure: later waits for the same work would only take time.
  private var nextDeadline: Deadline { Deadline(after: isStuck ? .milliseconds(100) : Deadline.patience) }

  private func isSettled(
    before deadline: Deadline, _ screen: () -> String, _ sourceLocation: SourceLocation
  ) async -> Bool {
    if deadline.timeLeft > .zero, await whenEmpty(within: deadline.timeLeft) { return true }
    // One issue is enough.
    if !isStuck {
      Self.stuck.withLock { $0.append(self) }
      let names = inProgress.joined(separator: ", ")
      Issue.record(
        "Work did not end within \(Deadline.seconds) s: \(names). The screen:\n\(screen())",
        sourceLocation: sourceLocation)
    }
    return false
  }
}
