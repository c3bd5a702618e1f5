import ArgumentParser
import CProcess
import Foundation
import QwinkleReplay
import QwinkleWire
import Terminal
import TerminalCurses
import Timekeeping

/// `qwinkle replay TAPE`: plays scripted sessions and compares their screens with snapshots.
struct ReplayCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Play tapes: scripted, repeatable sessions.",
    discussion: """
      Each tape gets its own service, an in-memory terminal and a clock that only the tape moves. It can use the \
      commands of VHS, and more: Expect, Refuse and Snapshot check the screen, Counters limits the output. Snapshot \
      records the rows between header and footer, or a range of rows: Snapshot list rows 3-9. The timeline is empty \
      unless the tape starts with Set Welcome on. --update rewrites the snapshots next to the tape.
      """)

  @Argument(help: "The tapes to play.", completion: .file(extensions: ["tape"]))
  var tapes: [String]

  @Flag(help: "Rewrite snapshots that differ or are missing.")
  var update = false

  @Option(
    help: ArgumentHelp(
      "Record the terminal output as asciicast v2; a folder for several tapes.", valueName: "file"))
  var cast: String?

  @Option(help: ArgumentHelp("Save the last screen as SVG.", valueName: "file"))
  var svg: String?

  @Option(help: ArgumentHelp("Save the session as an animated SVG, for web pages.", valueName: "file"))
  var animation: String?

  @Flag(help: "Draw pictures on a light background.")
  var light = false

  @Option(
    help: ArgumentHelp("Save each step's output and screen.", valueName: "folder"))
  var steps: String?

  @Option(
    help: ArgumentHelp(
      "Take responses from this recording. Default: NAME.har next to NAME.tape, if it exists.",
      valueName: "file"))
  var cassette: String?

  @Option(help: ArgumentHelp("Order background work by this seed.", valueName: "seed"))
  var shuffle: UInt64?

  @Flag(help: "Show the tape on this terminal, at its own speed.")
  var interactive = false

  func validate() throws {
    if tapes.count > 1, svg != nil || animation != nil {
      throw ValidationError("--svg and --animation take one tape.")
    }
  }

  func start() throws {
    // Report errors in any tape before playing the first.
    let read = try tapes.map { try TapeFile.read($0) }
    for tape in read { try checkPlaces(of: tape) }
    let recorded = try read.map { tape in try cassettePath(of: tape).map { try CassetteFile.read($0) } }
    for note in read.flatMap(\.notes) { StandardOutput.remark(note.description) }
    let part = ReplayShares.part(read.count, together: !interactive)
    // The executor must be installed before the first task starts.
    if let shuffle { qw_install_shuffling_executor(shuffle) }
    CommandRunner.run {
      var failed = 0
      do {
        for index in part.range where try await !play(read[index], recorded[index]) { failed += 1 }
      } catch {
        try part.breakOff(error)
      }
      try part.end(failed: failed, of: read.count)
    }
  }

  @MainActor
  private func play(_ tape: Tape, _ cassette: Cassette?) async throws -> Bool {
    let setting = ReplaySetting(of: tape)
    if let place = setting.terminalPlace, !MemoryTerminal.isDescribed(setting.terminal) {
      let missing = """
        \(place): “\(setting.terminal)” has no usable description, neither built in nor on this machine. Install \
        ncurses-term, or use another TERM.
        """
      return report(tape, failures: [missing])
    }
    let stage = try AppStage(setting, below: Self.folder, recorded: cassette.map { try CassetteFile.server($0) })
    defer { stage.close() }
    let player = TapePlayer(tape, on: stage, snapshots: SnapshotStore(tape: tape.name, updates: update))
    player.recordsFrames = animation != nil
    let notes = try steps.map { try StepNotes(folder: "\($0)/\(Self.name(of: tape))") }
    player.didStep = { [interactive, unowned player] _, bytes in
      if interactive { StandardOutput.show(bytes) }
      try notes?.add(sent: bytes, screen: player.screen())
    }
    if interactive {
      player.pace = { duration in try? await Task.sleep(for: duration) }
    }
    try await player.play()
    try write(player, of: tape)
    return report(
      tape, failures: player.failures.map(\.description), steps: player.steps, snapshots: player.snapshots.count)
  }

  /// Prints a tape's result. Returns whether it has no failures.
  private func report(_ tape: Tape, failures: [String], steps: Int = 0, snapshots: Int = 0) -> Bool {
    for failure in failures { StandardOutput.complain(failure) }
    let result = failures.isEmpty ? "ok" : "failed"
    StandardOutput.print("\(result)  \(tape.name)  \(steps) steps, \(snapshots) snapshots")
    return failures.isEmpty
  }

  /// Parent folder of the home directories, one for each tape. In memory if possible, because a home is removed when
  /// its tape ends.
  private static let folder: String = {
    let memory = "/dev/shm"
    return access(memory, W_OK) == 0 ? memory : NSTemporaryDirectory()
  }()

  /// Returns the path of the cassette, whose recorded responses answer a tape's requests: `--cassette`, or else a file
  /// next to the tape. Returns nil if neither exists; then the embedded service answers.
  private func cassettePath(of tape: Tape) -> String? {
    if let cassette { return cassette }
    let path = (tape.name as NSString).deletingPathExtension + ".har"
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  private static func name(of tape: Tape) -> String {
    ((tape.name as NSString).lastPathComponent as NSString).deletingPathExtension
  }

  /// Throws an error if the tape would write outside its folder. Called before any tape is played.
  private func checkPlaces(of tape: Tape) throws(AppError) {
    let folder = TapeFolder(ofTape: tape.name)
    for command in tape.commands {
      guard let path = command.step.writtenPath, !path.hasSuffix("/") else { continue }
      do {
        _ = try folder.place(of: path)
      } catch {
        throw .usage("\(command.place): \(error.sentence)")
      }
    }
  }

  @MainActor
  private func write(_ player: TapePlayer, of tape: Tape) throws {
    let folder = TapeFolder(ofTape: tape.name)
    for case .output(let path) in tape.commands.map(\.step) {
      guard let text = text(of: player, for: path) else { continue }
      try folder.write(text, to: path)
    }
    var cast = cast
    if let folder = cast, tapes.count > 1 {
      try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      cast = "\(folder)/\(Self.name(of: tape)).cast"
    }
    if let cast { try TapeFile.write(player.cast.text, to: cast) }
    if let svg { try TapeFile.write(picture(player), to: svg) }
    if let animation {
      try TapeFile.write(SVGAnimation(player.frames, title: "Qwinkle", theme: theme).text, to: animation)
    }
  }

  /// The content of an output file. Nil if its format isn't supported.
  @MainActor
  private func text(of player: TapePlayer, for path: String) -> String? {
    if path.hasSuffix(".cast") { return player.cast.text }
    if path.hasSuffix(".svg") { return picture(player) }
    guard path.hasSuffix(".txt") || path.hasSuffix(".ascii") else { return nil }
    let screen = player.screen()
    return (0..<screen.size.rows).map { screen.text(ofRow: $0) + "\n" }.joined()
  }

  @MainActor
  private func picture(_ player: TapePlayer) -> String {
    SVGPicture(player.screen(), title: "Qwinkle", theme: theme).text
  }

  private var theme: SVGTheme { light ? .light : .dark }
}

/// Reads tapes and writes their results.
enum TapeFile {
  /// Reads a tape and the tapes that it includes with `Source`.
  ///
  /// - Throws: ``AppError`` with all errors, each with its line and column.
  static func read(_ path: String) throws(AppError) -> Tape {
    let text = try contents(of: path)
    let folder = (path as NSString).deletingLastPathComponent
    do {
      return try TapeParser.parse(
        text, name: path, faults: LinkCondition.allCases.map(\.rawValue),
        source: { try contents(of: $0.hasPrefix("/") || folder.isEmpty ? $0 : "\(folder)/\($0)") })
    } catch {
      throw .usage(error.description)
    }
  }

  static func contents(of path: String) throws(AppError) -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .usage("Cannot read “\(path)”. Check that it exists and its permissions.")
    }
    return String(decoding: data, as: UTF8.self)
  }

  static func write(_ text: String, to path: String) throws(AppError) {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw .failed("Cannot write “\(path)”: \(error.localizedDescription)")
    }
  }
}
