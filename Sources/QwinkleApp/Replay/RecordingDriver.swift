import QwinkleReplay
import Terminal
import TerminalCurses
import Timekeeping

/// Wraps a driver and records the user's input on a tape.
@MainActor
final class RecordingDriver: ProcessDriver, TerminalDriverDelegate {
  weak var delegate: (any TerminalDriverDelegate)?
  private let driver: any ProcessDriver
  private let clock: any ProgramClock
  private let file: GrowingFile?
  private var startTime = Duration.zero
  private var writer: TapeWriter?
  private var writtenLines = 0

  /// Creates a driver that writes the tape to `file`, if any.
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
  var onReloadSignal: (@MainActor () -> Void)? {
    get { driver.onReloadSignal }
    set { driver.onReloadSignal = newValue }
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

  /// Writes new input to the tape. Called before the program handles the input, because the input may end the program.
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
  func callAttention(_ text: String?) { driver.callAttention(text) }
  func place(_ picture: PixelPicture) -> PicturePlacement? { driver.place(picture) }
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
