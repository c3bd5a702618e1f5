import ArgumentParser
import Foundation
import QwinkleReplay
import QwinkleWire
import Synchronization
import TerminalCurses
import Timekeeping

/// `qwinkle record`: the screen, with everything that is asked, answered and typed written down.
struct RecordCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Use the screen, and write down what happens for qwinkle replay.",
    discussion: """
      The cassette has what was asked of the server and what it answered, without tokens and cookies. With --private the \
      texts that people wrote are replaced too; a tape has the keys that were pressed, and so what you wrote yourself.
      """)

  @Option(help: ArgumentHelp("Write the exchanges with the server there, as HAR.", valueName: "file"))
  var cassette: String

  @Option(help: ArgumentHelp("Write what was typed there, as a tape.", valueName: "file"))
  var tape: String?

  @Flag(name: .customLong("private"), help: "Replace what people wrote.")
  var isPrivate = false

  @OptionGroup var options: ServerOptions
  @OptionGroup(title: "The terminal") var screen: ScreenOptions

  func validate() throws {
    if isPrivate, tape != nil {
      throw ValidationError("A tape has what you type: --private goes without --tape.")
    }
  }

  @MainActor
  func start() throws {
    guard isatty(1) != 0 else { throw AppError.failed("A recording is made on a terminal.") }
    try ScreenCommand.start(
      options.choice, screen.form, recording: Recording(cassette: cassette, tape: tape, isPrivate: isPrivate))
  }
}

/// What is written down while the screen is used.
final class Recording: Sendable {
  private let cassettePath: String
  private let tapePath: String?
  private let isPrivate: Bool
  private let transport = Mutex<RecordingTransport?>(nil)
  /// Where the screen keeps what it would else find there from earlier: a recording begins with nothing.
  let home = NSTemporaryDirectory() + "/qwinkle-record-\(UUID().uuidString)"

  init(cassette: String, tape: String?, isPrivate: Bool) {
    cassettePath = cassette
    tapePath = tape
    self.isPrivate = isPrivate
  }

  /// Notes what goes over a way to a server.
  func way(_ clock: any ProgramClock) -> AccountSession.Way {
    { [self] other in
      let noting = RecordingTransport(other, clock: clock, isPrivate: isPrivate)
      transport.withLock { $0 = noting }
      return noting
    }
  }

  /// Removes what the screen kept. To be called when that is gone.
  func removeHome() {
    try? FileManager.default.removeItem(atPath: home)
  }

  /// Writes all that was noted.
  @MainActor
  func write(tape: String) throws(AppError) {
    try CassetteFile.write(transport.withLock { $0?.cassette } ?? Cassette(), to: cassettePath)
    if let tapePath { try TapeFile.write(tape, to: tapePath) }
  }
}
