import Foundation
import QwinkleModel
import QwinkleStore
import TerminalTesting
import Testing

/// The built program with a separate home directory.
struct Program: Sendable {
  /// The executable, next to the tests.
  static let path: String = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let beside = URL(fileURLWithPath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
    let candidates = [beside, Bundle.main.bundleURL.deletingLastPathComponent(), root.appending(path: ".build/debug")]
    return candidates.map { $0.appending(path: "qwinkle").path }
      .first { FileManager.default.isExecutableFile(atPath: $0) } ?? "qwinkle"
  }()

  /// File that records that the tour of the first start was shown.
  private static let tourNote = ".local/state/qwinkle/toured"

  let home: String
  var environment: [String: String]

  /// Runs `body` with a program in a new home directory, which is deleted afterwards. Only four run at a time, even if
  /// `swift test` starts all tests at once: each needs several processes, and waits have deadlines.
  static func inNewHome<Result>(
    isFirstStart: Bool = false, _ body: (Program) async throws -> Result
  ) async throws -> Result {
    await Turnstile.shared.enter()
    let home = "/tmp/qw-\(UUID().uuidString.prefix(13))"
    do {
      try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
      // The tour of a first start has a separate test.
      if !isFirstStart {
        let note = URL(fileURLWithPath: "\(home)/\(tourNote)")
        try FileManager.default.createDirectory(
          at: note.deletingLastPathComponent(), withIntermediateDirectories: true,
          attributes: [.posixPermissions: 0o700])
        try Data().write(to: note)
      }
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      let program = Program(
        home: home,
        environment: [
          "HOME": home, "PATH": path, "LC_ALL": "C.UTF-8", "SHELL": "/bin/sh",
          // A shared timeline of this host must not change the result.
          "QWINKLE_SOCKET": "\(home)/run/qwinkle.sock",
        ])
      let result = try await body(program)
      try? FileManager.default.removeItem(atPath: home)
      await Turnstile.shared.leave()
      return result
    } catch {
      try? FileManager.default.removeItem(atPath: home)
      await Turnstile.shared.leave()
      throw error
    }
  }

  /// Returns the same program with additional variables.
  func with(_ variables: [String: String]) -> Program {
    var program = self
    program.environment.merge(variables) { $1 }
    return program
  }

  /// Runs the program without a terminal.
  func run(_ arguments: String..., input: String? = nil) async throws -> ChildProcess.Outcome {
    try await run(arguments, input: input)
  }

  func run(
    _ arguments: [String], input: String? = nil, patience: Duration = Deadline.patience
  ) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(
      [Self.path] + arguments, input: input, environment: environment, directory: home, patience: patience)
  }

  /// Runs `body` while the program runs on a terminal.
  func onTerminal<Result>(
    _ arguments: String..., rows: Int = 24, columns: Int = 80, terminal: String = "xterm-256color",
    isAlone: Bool = false, _ body: (TmuxHarness) async throws -> Result
  ) async throws -> Result {
    try await onTerminal(
      command: [Self.path] + arguments, rows: rows, columns: columns, terminal: terminal, isAlone: isAlone, body)
  }

  /// Runs `body` while a command, such as a shell that starts the program, runs on a terminal.
  func onTerminal<Result>(
    command: [String], rows: Int = 24, columns: Int = 80, terminal: String = "xterm-256color",
    isAlone: Bool = false, _ body: (TmuxHarness) async throws -> Result
  ) async throws -> Result {
    let terminal = try await TmuxHarness.start(
      command, rows: rows, columns: columns, terminal: terminal, isAlone: isAlone, environment: environment,
      directory: home)
    do {
      let result = try await body(terminal)
      await terminal.stop()
      return result
    } catch {
      await terminal.stop()
      throw error
    }
  }

  /// Waits until a timeline has been drawn.
  static func waitForTimeline(_ terminal: TmuxHarness) async throws {
    try await terminal.wait(for: "a timeline") { $0.contains("▌") }
  }

  /// Sets Public as the first section. The Home of a server's new user is empty.
  func beginInPublic() throws { try write(Array("start = \"public\"\n".utf8), to: ".config/qwinkle/config.toml") }

  /// Waits until the qwink that contains `text` is selected.
  @discardableResult
  static func waitForSelection(of text: String, on terminal: TmuxHarness) async throws -> TmuxHarness.Screen {
    try await terminal.wait(for: "“\(text)” selected") { screen in
      screen.row(with: text).map { screen.rows[$0].hasPrefix("▌") } == true
    }
  }

  /// Returns all files below the home directory, with their relative paths.
  func files() -> [(path: String, bytes: Data)] {
    let paths = FileManager.default.enumerator(atPath: home)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0 != Self.tourNote }.sorted().compactMap { path in
      var isDirectory: ObjCBool = false
      guard FileManager.default.fileExists(atPath: "\(home)/\(path)", isDirectory: &isDirectory),
        !isDirectory.boolValue,
        let bytes = FileManager.default.contents(atPath: "\(home)/\(path)")
      else { return nil }
      return (path, bytes)
    }
  }

  /// Returns the embedded account's unsent drafts on disk.
  func drafts() throws -> [OutgoingEntry] {
    try OutgoingStore.entries(in: "\(home)/.local/share/qwinkle/local")
  }

  /// Writes a file below the home directory and creates missing folders.
  func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
    let url = URL(fileURLWithPath: "\(home)/\(path)")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  /// The embedded server's database file.
  static let database = ".local/share/qwinkle/service.sqlite"
}

/// Admits a limited number of tasks at a time, in order of arrival.
actor Turnstile {
  static let shared = Turnstile(places: 4)

  private var places: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(places: Int) {
    self.places = places
  }

  func enter() async {
    if places > 0 {
      places -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func leave() {
    if waiting.isEmpty { places += 1 } else { waiting.removeFirst().resume() }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips terminal tests if tmux is missing, except in CI, where they fail.
  static var needsTmux: Self {
    .enabled(
      if: TmuxHarness.executable != nil || ProcessInfo.processInfo.environment["CI"] == "true",
      "tmux is missing: make deps-test installs it")
  }
}
