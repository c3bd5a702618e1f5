import TerminalTesting
import Testing
import Timekeeping

/// An object with a virtual clock and a ledger of pending work.
@MainActor
protocol Paced: AnyObject {
  var clock: VirtualClock { get }
  var ledger: ActivityLedger { get }
}

extension Paced {
  /// Returns once no work is pending and the main queue is empty. Records an issue if that takes too long.
  func settle(sourceLocation: SourceLocation = #_sourceLocation) async {
    await ledger.settleWithMainQueue(showing: { shownText }, sourceLocation: sourceLocation)
  }

  /// Waits until the main queue has run all queued work.
  func turn() async { await turnMainQueue() }

  /// Returns once `isSo` holds, even if work is still pending.
  ///
  /// - Throws: ``HarnessError/timedOut(_:screen:)`` after ``Deadline/patience``, or when the suite's time limit cancels
  ///   the test.
  func wait(for what: String, until isSo: () -> Bool) async throws {
    try await TerminalTesting.wait(for: what, showing: { shownText }, until: isSo)
  }

  /// Advances the clock and waits until the triggered work ends.
  func pass(_ duration: Duration, sourceLocation: SourceLocation = #_sourceLocation) async {
    clock.advance(by: duration)
    await settle(sourceLocation: sourceLocation)
  }

  private var shownText: String { (self as? any Played)?.driver.text ?? "" }
}

/// An object on an in-memory terminal: a test presses keys and waits for their effects.
@MainActor
protocol Played: Paced {
  var driver: MemoryDriver { get }
}

extension Played {
  /// Presses keys in turn, and settles after each key.
  func press(_ names: String..., sourceLocation: SourceLocation = #_sourceLocation) async {
    for name in names {
      driver.press(name)
      await settle(sourceLocation: sourceLocation)
    }
  }
}
