import FoundationEssentials
import Terminal
import Timekeeping

/// Plays a tape on a stage, which is the program with its terminal and clock. A step ends when all its work is done,
/// never because of a timer.
@MainActor
public final class TapePlayer {
  /// The recorded output.
  public private(set) var cast: Cast
  /// The screens in order. Only recorded if ``recordsFrames`` is set.
  public private(set) var frames: [SVGAnimation.Frame] = []
  public var recordsFrames = false
  /// Number of completed steps.
  public private(set) var steps = 0
  public private(set) var failures: [TapeFailure] = []
  public private(set) var snapshots: [(name: String, snapshot: Snapshot)] = []
  /// Called after each step with the step's terminal output.
  public var didStep: (@MainActor (TapeCommand, [UInt8]) async throws -> Void)?
  /// Called after each advance of the virtual clock, with the length of the advance divided by the playback speed. Must
  /// wait that long in real time, so that a viewer can follow. If nil, the tape plays as fast as possible.
  public var pace: (@MainActor (Duration) async -> Void)?

  private let tape: Tape
  private let stage: any ReplayStage
  private let store: SnapshotStore
  private var setting: ReplaySetting
  private var clipboard = ""
  /// Number of `Write` steps skipped so far, because their lines were written before the program started.
  private var writtenLines = 0
  private var hidden: [UInt8]?
  private let start: Duration
  /// The statistics at the start of counting, and the line of the `Counters` step that started the count. The line is
  /// nil if counting started with the program.
  private var counted: (statistics: TerminalStatistics, line: Int?)

  /// Creates a player for `tape`. It compares the tape's snapshots with the expected snapshots in `store`.
  public init(_ tape: Tape, on stage: any ReplayStage, snapshots store: SnapshotStore) {
    self.tape = tape
    self.stage = stage
    self.store = store
    setting = ReplaySetting(of: tape)
    start = stage.clock.uptime
    counted = (TerminalStatistics(), nil)
    cast = Cast(
      size: stage.size, start: stage.clock.now, term: "xterm-256color",
      title: tape.name.split(separator: "/").last.map(String.init) ?? tape.name)
  }

  /// Plays the tape to its end or its first failure. A snapshot that differs or is missing counts as a failure but
  /// doesn't stop the tape. If the program ends, the tape stops unless a later step starts the program again.
  ///
  /// - Throws: The errors of ``didStep``, and any error of the stage except ``ReplayError``, which counts as a failure.
  public func play() async throws {
    do {
      try await stage.settle()
    } catch let error as ReplayError {
      return fail(startCommand, error.sentence)
    }
    try await finish(startCommand)
    for (index, command) in tape.commands.enumerated() {
      do {
        guard try await play(command.step, at: command.place) else { break }
      } catch let error as ReplayError {
        fail(command, error.sentence)
        break
      }
      steps += 1
      try await finish(command)
      if hasEnded, !tape.commands[(index + 1)...].contains(where: \.step.isStart) { break }
    }
  }

  /// The current screen.
  public func screen() -> Snapshot {
    if let shown { return shown }
    let screen = stage.snapshot()
    shown = screen
    return screen
  }

  /// Cached screen, cleared by steps that may change the screen.
  private var shown: Snapshot?

  private var hasEnded = false

  // MARK: Steps

  /// Performs one step. Returns false if the tape must end.
  private func play(_ step: TapeStep, at place: TapePlace) async throws -> Bool {
    switch step {
    case .expect, .refuse, .snapshot, .counters, .screenshot: break
    default: shown = nil
    }
    switch step {
    case .press(let press): try await type(step.keys, every: press.interval ?? setting.typingInterval)
    case .type(_, let interval): try await type(step.keys, every: interval ?? setting.typingInterval)
    case .scroll(let kind, let count, let interval):
      let middle = Point(row: stage.size.rows / 2, column: stage.size.columns / 2)
      for _ in 0..<count {
        try await send(KeyBytes.bytes(of: MouseEvent(kind, at: middle)), then: interval ?? setting.typingInterval)
      }
    case .sleep(let duration), .advance(let duration): try await pass(duration)
    case .wait(let wait): try await self.wait(wait)
    case .set(let setting): self.setting.take(setting)
    case .hide: hidden = hidden ?? []
    case .show: show()
    case .require(let name): try require(name)
    case .environment, .seed, .output: break
    case .screenshot(let path): try photograph(to: path)
    case .copy(let text): clipboard = text
    case .paste: try await send(KeyBytes.bytes(ofPaste: stage.copied ?? clipboard), then: .zero)
    case .resize(let size): try await resize(to: size)
    case .mouse(let event): try await send(KeyBytes.bytes(of: event), then: .zero)
    case .signal(let signal):
      stage.receive(signal)
      try await stage.settle()
    case .expect(let pattern, let line): return expect(pattern, line: line, at: place)
    case .refuse(let pattern): return refuse(pattern, at: place)
    case .snapshot(let name, let rows): try snapshot(name, rows, at: place)
    case .counters(let bounds): return count(bounds, at: place)
    case .net(let name):
      try stage.setNet(name)
      try await stage.settle()
    case .clock(let date): try await setClock(date)
    case .serve(let act):
      try await stage.serve(act)
      try await stage.settle()
    case .write(let file, let text):
      // The lines in `setting` were already written before the program started.
      if writtenLines < setting.lines.count { writtenLines += 1 } else { try stage.write(text, to: file) }
    case .kill: stage.kill()
    case .start(let start): try await self.start(start)
    }
    return true
  }

  private func start(_ start: TapeStart) async throws {
    collect()
    if let size = start.size, size != stage.size { cast.resize(to: size, at: time) }
    try stage.start(start)
    counted = (TerminalStatistics(), nil)
    try await stage.settle()
  }

  private func type(_ keys: [Key], every interval: Duration) async throws {
    for key in keys where !checkEnd() { try await send(KeyBytes.bytes(of: key), then: interval) }
  }

  private func send(_ bytes: [UInt8], then interval: Duration) async throws {
    stage.type(bytes)
    try await stage.settle()
    if interval > .zero, !checkEnd() { try await pass(interval) }
  }

  @discardableResult
  private func checkEnd() -> Bool {
    hasEnded = stage.status != nil
    return hasEnded
  }

  /// Advances the clock by `duration`. After each timer that fires, waits until the program has done the resulting
  /// work. While the program is stopped, no timers fire.
  private func pass(_ duration: Duration) async throws {
    checkEnd()
    collect()
    if stage.isStopped {
      stage.clock.jump(by: duration)
    } else {
      try await stage.clock.advance(by: duration) { [stage] in try await stage.settle() }
    }
    await pace?(duration / setting.playbackSpeed)
  }

  private func resize(to size: Size) async throws {
    guard size != stage.size else { return }
    collect()
    cast.resize(to: size, at: time)
    stage.resize(to: size)
    try await stage.settle()
  }

  private func setClock(_ date: Date) async throws {
    let difference = date.timeIntervalSince(stage.clock.now)
    guard difference >= 0 else { throw ReplayError("Time can't go back: it is already \(stage.clock.now).") }
    if difference > 0 { try await pass(.milliseconds(Int64(difference * 1000))) }
  }

  private func wait(_ wait: TapeWait) async throws {
    let pattern = try wait.pattern ?? setting.waitPattern ?? TapePattern(">$")
    let end = stage.clock.uptime + (wait.timeout ?? setting.waitTimeout)
    while !isThere(pattern, in: wait.scope) {
      guard stage.clock.uptime < end, !checkEnd() else {
        throw ReplayError("“\(pattern.source)” did not appear.")
      }
      shown = nil
      let next = min(stage.clock.nextDue ?? end, end)
      try await pass(max(next - stage.clock.uptime, .milliseconds(1)))
    }
  }

  private func isThere(_ pattern: TapePattern, in scope: TapeWait.Scope) -> Bool {
    let snapshot = screen()
    guard scope == .line else { return pattern.isFound(onScreen: rows(of: snapshot)) }
    let row = snapshot.cursor?.row ?? snapshot.size.rows - 1
    return pattern.isFound(in: snapshot.text(ofRow: row))
  }

  private func require(_ name: String) throws {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let isThere = path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
    }
    if !isThere { throw ReplayError("This tape needs the program “\(name)”, which is not installed.") }
  }

  /// Writes the screen to a file as SVG or text. Does nothing for other formats; the parser has added a note about them
  /// to the tape.
  private func photograph(to path: String) throws {
    let snapshot = screen()
    if path.hasSuffix(".svg") {
      try write(SVGPicture(snapshot).text, to: path)
    } else if path.hasSuffix(".txt") || path.hasSuffix(".ascii") {
      try write(rows(of: snapshot).map { $0 + "\n" }.joined(), to: path)
    }
  }

  private func write(_ text: String, to path: String) throws {
    do {
      try TapeFolder(ofTape: tape.name).write(text, to: path)
    } catch {
      throw ReplayError(error.sentence)
    }
  }

  // MARK: Checks

  private func rows(of snapshot: Snapshot) -> [String] {
    (0..<snapshot.size.rows).map(snapshot.text(ofRow:))
  }

  private func expect(_ pattern: TapePattern, line: Int?, at place: TapePlace) -> Bool {
    let rows = rows(of: screen())
    if let line {
      let text = rows.indices.contains(line - 1) ? rows[line - 1] : ""
      if pattern.isFound(in: text) { return true }
      failures.append(TapeFailure(place, "“\(pattern.source)” is not in line \(line).", screen: rows))
    } else {
      if pattern.isFound(onScreen: rows) { return true }
      failures.append(TapeFailure(place, "“\(pattern.source)” is not on the screen.", screen: rows))
    }
    return false
  }

  private func refuse(_ pattern: TapePattern, at place: TapePlace) -> Bool {
    let rows = rows(of: screen())
    guard pattern.isFound(onScreen: rows) else { return true }
    failures.append(TapeFailure(place, "“\(pattern.source)” is on the screen.", screen: rows))
    return false
  }

  /// Compares the output since counting began with `bounds`, and restarts counting.
  private func count(_ bounds: TapeBounds, at place: TapePlace) -> Bool {
    let (begin, now) = (counted.statistics, stage.statistics)
    let since = counted.line.map { "line \($0)" } ?? "the start"
    counted = (now, place.line)
    let excesses = bounds.excesses(of: [
      .bytes: now.bytes - begin.bytes, .writes: now.writes - begin.writes, .cells: now.cells - begin.cells,
      .rows: now.rows - begin.rows,
    ])
    guard !excesses.isEmpty else { return true }
    failures.append(
      TapeFailure(
        place, "Over the limit since \(since): \(excesses.joined(separator: ", ")).",
        screen: rows(of: screen())))
    return false
  }

  private func snapshot(_ name: String, _ compared: TapeRows, at place: TapePlace) throws {
    let screen = screen()
    let snapshot = screen.rows(try compared.indices(ofRows: screen.size.rows))
    snapshots.append((name, snapshot))
    collect()
    cast.marker(name, at: time)
    do {
      switch try store.check(name, snapshot) {
      case .same, .written: break
      case .differs(let report):
        failures.append(TapeFailure(place, "The screen differs from “\(name)”.", screen: [report]))
      case .missing(let path):
        failures.append(
          TapeFailure(place, "\(path) does not exist. --update writes it.", screen: rows(of: screen)))
      }
    } catch {
      throw ReplayError(error.sentence)
    }
  }

  private func fail(_ command: TapeCommand, _ sentence: String) {
    failures.append(TapeFailure(command.place, sentence, screen: rows(of: screen())))
  }

  // MARK: Output

  private var time: Duration { stage.clock.uptime - start }
  /// Output of the current step.
  private var sent: [UInt8] = []

  /// Records new output at the current time, or buffers it while the recording is hidden.
  private func collect() {
    let bytes = stage.takeOutput()
    guard !bytes.isEmpty else { return }
    sent += bytes
    if hidden == nil {
      cast.output(bytes, at: time)
      recordFrame()
    } else {
      hidden?.append(contentsOf: bytes)
    }
  }

  /// Records the current screen. Replaces a screen of the same time, which no viewer would see.
  private func recordFrame() {
    guard recordsFrames else { return }
    if frames.last?.time == time { frames.removeLast() }
    frames.append(SVGAnimation.Frame(time: time, snapshot: stage.snapshot()))
  }

  private func show() {
    collect()
    if let hidden, !hidden.isEmpty {
      cast.output(hidden, at: time)
      recordFrame()
    }
    hidden = nil
  }

  /// A placeholder command for the program's start, which precedes the tape's first step.
  private var startCommand: TapeCommand {
    TapeCommand(place: TapePlace(file: tape.name, line: 1, column: 1), step: .show, text: "start")
  }

  private func finish(_ command: TapeCommand) async throws {
    collect()
    checkEnd()
    defer { sent = [] }
    try await didStep?(command, sent)
  }
}

extension TapeStep {
  fileprivate var isStart: Bool { if case .start = self { true } else { false } }
}

/// A failed step or check of a tape.
public struct TapeFailure: Hashable, Sendable, CustomStringConvertible {
  public let place: TapePlace
  public let sentence: String
  /// Rows to show to the user: the screen, or its differences from the snapshot.
  public let screen: [String]

  init(_ place: TapePlace, _ sentence: String, screen: [String]) {
    self.place = place
    self.sentence = sentence
    self.screen = screen
  }

  /// The place and the error in one line, then the screen.
  public var description: String { (["\(place): \(sentence)"] + screen).joined(separator: "\n") }
}
