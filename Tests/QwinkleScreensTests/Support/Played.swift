import Dispatch
import TerminalTesting
import Timekeeping

/// Something on a terminal in memory that a test plays: it presses keys, and waits for what they set off.
@MainActor
protocol Played: AnyObject {
  var driver: MemoryDriver { get }
  var clock: VirtualClock { get }
  var ledger: ActivityLedger { get }
}

extension Played {
  /// Returns once nothing is under way and what came is on the screen.
  func settle() async {
    repeat {
      await ledger.whenEmpty()
      await turn()
    } while !ledger.isEmpty
  }

  /// Returns once the main queue has done what it had to do.
  func turn() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }

  /// Lets time pass, and then all that it set off.
  func pass(_ duration: Duration) async {
    clock.advance(by: duration)
    await settle()
  }

  /// Presses keys one after another, waiting after each for what it sets off.
  func press(_ names: String...) async {
    for name in names {
      driver.press(name)
      await settle()
    }
  }
}
