import ArgumentParser
import Foundation
import QwinkleReplay
import QwinkleWire
import Synchronization
import TerminalCurses
import Timekeeping

/// `qwinkle record`: opens the screen and records all requests, responses and input.
struct RecordCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Record a session for qwinkle replay.",
    discussion: """
      The cassette records requests and responses, without tokens and cookies. --private also replaces all \
      text that users wrote. The tape records the keys you press, and so everything you type.
      """)

  @Option(help: ArgumentHelp("Record requests and responses as HAR.", valueName: "file"))
  var cassette: String

  @Option(help: ArgumentHelp("Record the keys as a tape.", valueName: "file"))
  var tape: String?

  @Flag(name: .customLong("private"), help: "Replace all text that users wrote.")
  var isPrivate = false

  @Flag(help: "Overwrite existing files.")
  var force = false

  @OptionGroup var options: ServerOptions
  @OptionGroup(title: "Terminal") var screen: ScreenOptions

  func validate() throws {
    if isPrivate, tape != nil {
      throw ValidationError("--private can't be combined with --tape: a tape records what you type.")
    }
    if cassette == tape { throw ValidationError("--cassette and --tape need two different files.") }
  }

  func start() throws {
    guard isatty(1) != 0 else { throw AppError.failed("record needs a terminal.") }
    let recording = try Recording(cassette: cassette, tape: tape, isPrivate: isPrivate, overwriting: force)
    do {
      try ScreenCommand.start(options.choice, screen.form, recording: recording)
    } catch {
      recording.discardIfEmpty()
      throw error
    }
  }
}

/// Records a session. Everything is written as it happens, so that the recording is complete even if the program
/// crashes.
final class Recording: Sendable {
  /// The tape of the user's input. Nil if input isn't recorded.
  let tape: GrowingFile?
  private let exchanges: GrowingFile
  private let cassette: CassetteFileWriter
  private let isPrivate: Bool
  /// The first recorded transport. All others, such as the transport for pictures, share its cassette.
  private let transport = Mutex<RecordingTransport?>(nil)
  /// The screen's home directory. It is new and empty, so that a recording doesn't depend on earlier data.
  let home = NSTemporaryDirectory() + "/qwinkle-record-\(UUID().uuidString)"

  /// - Throws: ``AppError`` if a file exists and `overwriting` is false, or if a file can't be written.
  init(cassette: String, tape: String?, isPrivate: Bool, overwriting: Bool) throws(AppError) {
    let exchanges = try Self.file(cassette, overwriting)
    do throws(AppError) {
      self.tape = if let tape { try Self.file(tape, overwriting) } else { nil }
    } catch {
      exchanges.discardIfEmpty()
      throw error
    }
    self.exchanges = exchanges
    self.cassette = CassetteFileWriter(exchanges, isPrivate: isPrivate)
    self.isPrivate = isPrivate
  }

  private static func file(_ path: String, _ overwriting: Bool) throws(AppError) -> GrowingFile {
    do {
      return try GrowingFile(path: path, overwriting: overwriting)
    } catch {
      throw failure(error)
    }
  }

  private static func failure(_ error: GrowingFileError) -> AppError {
    switch error {
    case .exists(let path): .usage("“\(path)” already exists. Choose another file, or overwrite it with --force.")
    case .unwritable(let path, let reason): .failed("Cannot write “\(path)”: \(reason).")
    }
  }

  /// Returns a function that wraps a transport to record its exchanges.
  func recorder(_ clock: any ProgramClock) -> @Sendable (any Transport) -> any Transport {
    { [self] other in
      transport.withLock { first in
        let new =
          first.map { RecordingTransport(other, sharing: $0) }
          ?? RecordingTransport(other, clock: clock, isPrivate: isPrivate, file: cassette)
        if first == nil { first = new }
        return new
      }
    }
  }

  /// Removes the home directory. Call it after the screen has closed.
  func removeHome() {
    try? FileManager.default.removeItem(atPath: home)
  }

  /// Removes new files that are still empty.
  func discardIfEmpty() {
    exchanges.discardIfEmpty()
    tape?.discardIfEmpty()
  }

  /// Writes the final cassette: the exchanges of all transports. Throws an error if that fails, or
  /// if an earlier write to a file has failed. Call this after the last exchange.
  func finish() throws {
    let noted = transport.withLock { $0?.cassette } ?? Cassette(isPrivate: isPrivate)
    try cassette.finish(with: noted)
    if let failure = exchanges.failure ?? tape?.failure { throw Self.failure(failure) }
  }
}
