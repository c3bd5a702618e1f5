import Dispatch
import TerminalTesting
import Timekeeping

/// Something with a virtual clock and a ledger of pending work.
@MainActor
protocol Paced: AnyObject {
  var clock: VirtualClock { get }
  var ledger: ActivityLedger { get }
}

extension Paced {
  /// Returns once no work is pending and the main queue is empty.
  func settle() async {
    repeat {
      await ledger.whenEmpty()
      await turn()
    } while !ledger.isEmpty
  }

  /// Returns once the main queue has done all that was queued.
  func turn() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }

  /// Returns once `isSo` holds, even if work is still pending.
  ///
  /// - Throws: ``HarnessError/timedOut(_:screen:)`` when the suite's time limit cancels the test.
  func wait(for what: String, until isSo: () -> Bool) async throws {
    while !isSo() {
      guard !Task.isCancelled else {
        throw HarnessError.timedOut(what, screen: (self as? any Played)?.driver.text ?? "")
      }
      await turn()
      // What it waits for, such as a process, needs the processor too.
      try? await Task.sleep(for: .milliseconds(1))
    }
  }

  /// Advances the clock and waits for what that triggers.
  func pass(_ duration: Duration) async {
    clock.advance(by: duration)
    await settle()
  }
}

/// Something on an in-memory terminal: a test presses keys and waits for their effects.
@MainActor
protocol Played: Paced {
  var driver: MemoryDriver { get }
}

extension Played {
  /// Presses keys one after another, waiting for each one's effects.
  func press(_ names: String...) async {
    for name in names {
      driver.press(name)
      await settle()
    }
  }
}
