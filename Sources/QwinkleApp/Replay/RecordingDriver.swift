import QwinkleReplay
import Terminal
import TerminalCurses
import Timekeeping

/// Another driver, of which it notes on a tape what somebody does.
@MainActor
final class RecordingDriver: ProcessDriver, TerminalDriverDelegate {
  weak var delegate: (any TerminalDriverDelegate)?
  private let driver: any ProcessDriver
  private let clock: any ProgramClock
  private let file: GrowingFile?
  private var startTime = Duration.zero
  private var writer: TapeWriter?
  private var writtenLines = 0

  /// Writes the tape into `file`, where there is one.
  init(_ driver: any ProcessDriver, clock: any ProgramClock, file: GrowingFile?) {
    self.driver = driver
    self.clock = clock
    self.file = file
    driver.delegate = self
  }

  var onTerminationSignal: (@MainActor (Int32) -> Void)? {
    get { driver.onTerminationSignal }
    set { driver.onTerminationSignal = newValue }
  }
  var onSuspendSignal: (@MainActor () -> Void)? {
    get { driver.onSuspendSignal }
    set { driver.onSuspendSignal = newValue }
  }
  var size: Size { driver.size }
  var capabilities: TerminalCapabilities { driver.capabilities }
  var usesMouse: Bool {
    get { driver.usesMouse }
    set { driver.usesMouse = newValue }
  }
  var statistics: TerminalStatistics { driver.statistics }

  func start() throws {
    try driver.start()
    startTime = clock.uptime
    writer = TapeWriter(size: driver.size, start: clock.now)
  }

  /// Writes what is new on the tape, before anything comes of it: it may be what ends the program.
  private func write() {
    guard let writer, let file else { return }
    let part = writer.part(after: writtenLines)
    file.append(part.settled.utf8, tail: part.typed.utf8)
    writtenLines = writer.settledCount
  }

  func present(_ frame: Frame) { driver.present(frame) }
  func append(_ text: String) { driver.append(text) }
  func copy(_ text: String) -> Bool { driver.copy(text) }
  func setTitle(_ title: String) { driver.setTitle(title) }
  func use(_ form: TextForm) { driver.use(form) }
  func redrawAll() { driver.redrawAll() }
  func suspend() { driver.suspend() }
  func resume() { driver.resume() }
  func stop() { driver.stop() }

  func terminalDriver(_ driver: any TerminalDriver, didReceive events: [TerminalEvent]) {
    for event in events { writer?.add(event, at: clock.uptime - startTime) }
    write()
    delegate?.terminalDriver(self, didReceive: events)
  }
}
