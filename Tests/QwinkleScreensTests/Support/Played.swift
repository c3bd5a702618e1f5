import Dispatch
import TerminalTesting
import Timekeeping

/// Something with time that a test moves, and a ledger of what is under way.
@MainActor
protocol Paced: AnyObject {
  var clock: VirtualClock { get }
  var ledger: ActivityLedger { get }
}

extension Paced {
  /// Returns once nothing is under way and the main queue has done what came of it.
  func settle() async {
    repeat {
      await ledger.whenEmpty()
      await turn()
    } while !ledger.isEmpty
  }

  /// Returns once the main queue has done what was in it.
  func turn() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }

  /// Returns once `isSo` holds, though something is still under way.
  ///
  /// - Throws: ``HarnessError/timedOut(_:screen:)`` when the suite's time limit cancels the test.
  func wait(for what: String, until isSo: () -> Bool) async throws {
    while !isSo() {
      guard !Task.isCancelled else {
        throw HarnessError.timedOut(what, screen: (self as? any Played)?.driver.text ?? "")
      }
      await turn()
    }
  }

  /// Lets time pass, and then all that it set off.
  func pass(_ duration: Duration) async {
    clock.advance(by: duration)
    await settle()
  }
}

/// Something on a terminal in memory: a test presses keys, and waits for what they set off.
@MainActor
protocol Played: Paced {
  var driver: MemoryDriver { get }
}

extension Played {
  /// Presses keys one after another, waiting after each for what it sets off.
  func press(_ names: String...) async {
    for name in names {
      driver.press(name)
      await settle()
    }
  }
}
