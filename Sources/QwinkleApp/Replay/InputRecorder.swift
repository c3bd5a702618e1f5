import QwinkleReplay
import Terminal
import Timekeeping

/// Records the user's input as a tape (a script that can be replayed), and forwards it to the driver's previous
/// delegate.
@MainActor
final class InputRecorder: TerminalDriverDelegate {
  private weak var next: (any TerminalDriverDelegate)?
  private let clock: any ProgramClock
  private let file: GrowingFile
  private let startTime: Duration
  private var writer: TapeWriter
  private var writtenLines = 0

  /// Creates a recorder and sets it as the delegate of a started driver.
  init(_ driver: any TerminalDriver, clock: any ProgramClock, file: GrowingFile) {
    next = driver.delegate
    self.clock = clock
    self.file = file
    startTime = clock.uptime
    writer = TapeWriter(size: driver.size, start: clock.now)
    driver.delegate = self
  }

  func terminalDriver(_ driver: any TerminalDriver, didReceive events: [TerminalEvent]) {
    for event in events { writer.add(event, at: clock.uptime - startTime) }
    // Write before the program handles the input, because the input may end the program.
    let part = writer.part(after: writtenLines)
    file.append(part.settled.utf8, tail: part.typed.utf8)
    writtenLines = writer.settledCount
    next?.terminalDriver(driver, didReceive: events)
  }
}
