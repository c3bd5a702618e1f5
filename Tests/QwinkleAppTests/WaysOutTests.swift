import Foundation
import TerminalTesting
import Testing

/// The terminal is restored however and whenever the program ends.
@Suite(.bounded) struct WaysOutTests {
  /// An event that ends or stops the program.
  enum Scenario: Hashable, Sendable, CustomTestStringConvertible {
    case quitting, failingToStart, signal(Int32), suspended, terminalGone, parentGone

    static let all: [Scenario] =
      [.quitting, .failingToStart, .suspended, .terminalGone, .parentGone]
      + [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP].map { .signal($0) }

    var testDescription: String {
      if case .signal(let number) = self { "signal \(number)" } else { "\(self)" }
    }
  }

  /// A time during the program's run.
  enum Moment: Sendable {
    /// This long after the start, in any state of the program.
    case early(milliseconds: Int)
    /// After this many bytes of output.
    case written(bytes: Int)
    case painted
    /// After typing this text, before the program handles it.
    case typing(String)
  }

  /// A scenario and the moment at which it happens.
  struct Trial: Sendable, CustomTestStringConvertible {
    let scenario: Scenario
    let moment: Moment
    let testDescription: String

    init(_ seed: UInt64) {
      var random = SplitMix(seed: seed)
      scenario = Scenario.all[Int(seed % UInt64(Scenario.all.count))]
      let needsProgram = [.quitting, .suspended, .parentGone].contains(scenario)
      let text = String(repeating: "frost 日本語 ", count: Int.random(in: 0...20, using: &random))
      switch Int.random(in: needsProgram ? 2...4 : 0...4, using: &random) {
      case 0: moment = .early(milliseconds: Int.random(in: 0...60, using: &random))
      case 1: moment = .written(bytes: Int.random(in: 1...3000, using: &random))
      case 2: moment = .painted
      default: moment = .typing(text)
      }
      testDescription = "seed \(seed): \(scenario.testDescription), \(moment)"
    }
  }

  private static let trials = Soak.seeds(30, times: 17).map(Trial.init)

  @Test(arguments: trials) func `the terminal is restored`(trial: Trial) async throws {
    try await Program.inNewHome { program in
      // Until the program handles crashes itself, Swift's backtracer would ask on the terminal whether to debug.
      let program = program.with(["SWIFT_BACKTRACE": "enable=no", "TERM": "xterm-256color"])
      switch trial.scenario {
      case .failingToStart: try await expectGivenBack(program.with(["XDG_DATA_HOME": "/dev/null/x"]), trial)
      case .suspended: try await expectGivenBackWhileSuspended(program, trial)
      case .parentGone: try await expectGivenBackWithoutParent(program, trial)
      default: try await expectGivenBack(program, trial)
      }
    }
  }

  /// Runs `body` while the program shows a timeline on a terminal. `before` are the terminal's settings before the
  /// start.
  private func withProgramOnTerminal(
    _ body: (PseudoTerminal, SpawnedProgram, _ before: [UInt8]) async throws -> Void
  ) async throws {
    try await Program.inNewHome { program in
      let terminal = try PseudoTerminal()
      defer { terminal.close() }
      let before = try terminal.settings()
      let spawned = try terminal.start(
        [Program.path],
        environment: program.with(["SWIFT_BACKTRACE": "enable=no", "TERM": "xterm-256color"]).environment,
        directory: program.home)
      do {
        try await terminal.waitForTimeline()
        try await body(terminal, spawned, before)
      } catch {
        await spawned.stop()
        throw error
      }
      await spawned.stop()
    }
  }

  @Test(arguments: [
    SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGIO, SIGPWR, SIGSYS, SIGXFSZ, SIGSTKFLT,
  ])
  func `a fatal signal restores the terminal`(number: Int32) async throws {
    try await withProgramOnTerminal { terminal, spawned, before in
      spawned.signal(number)
      let ending = try await spawned.waitForEnd()
      #expect([.signal(number), .exit(128 + number)].contains(ending), "\(ending)")
      expectAsBefore(terminal, before)
    }
  }

  /// SIGSTOP can't be handled, so the terminal isn't restored. Setting it up again must not have any effect twice.
  @Test func `resuming after SIGSTOP sets up the terminal only once`() async throws {
    try await withProgramOnTerminal { terminal, spawned, before in
      for _ in 1...2 {
        let count = terminal.output.count
        spawned.signal(SIGSTOP)
        spawned.signal(SIGCONT)
        try await terminal.wait(for: "▌", after: count)
      }
      #expect(terminal.state().titleStack.count == 1)
      terminal.type("qy")
      #expect(try await spawned.waitForEnd() == .exit(0))
      expectAsBefore(terminal, before)
    }
  }

  @Test(arguments: [SIGSEGV, SIGQUIT]) func `a crash ends the program even while terminal output is paused`(
    number: Int32
  ) async throws {
    try await withProgramOnTerminal { terminal, spawned, before in
      // Like ^S.
      tcflow(terminal.slave, TCOOFF)
      spawned.signal(number)
      let ending = try await spawned.waitForEnd()
      #expect(ending == .signal(number))
      tcflow(terminal.slave, TCOON)
      #expect(try terminal.settings() == before)
    }
  }

  /// If all threads share one busy processor, the system may not stop the drawing thread first.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/taskset"), "taskset is missing"))
  func `suspending on a busy machine restores the terminal until the program resumes`() async throws {
    try await Program.inNewHome { program in
      let terminal = try PseudoTerminal()
      defer { terminal.close() }
      let before = try terminal.settings()
      let script = #"""
        for loop in 1 2 3 4 5 6; do (while :; do :; done) & done; loops=$(jobs -p); set -m
        "$0"; echo "left $?"; read line
        fg >/dev/null; echo "left again $?"; read line
        fg >/dev/null; echo "left again $?"; read line
        fg >/dev/null; echo "left again $?"; read line
        kill $loops
        """#
      let shell = try terminal.start(
        ["/usr/bin/taskset", "-c", "0", "/bin/bash", "--norc", "--noprofile", "-c", script, Program.path],
        environment: program.with(["TERM": "xterm-256color"]).environment, directory: program.home)
      try await terminal.waitForTimeline()
      for round in 1...3 {
        let count = terminal.output.count
        terminal.type("\u{1A}")
        try await terminal.wait(for: "left \(round == 1 ? "" : "again ")\(128 + SIGTSTP)", after: count)
        expectAsBefore(terminal, before)
        let stopped = terminal.output.count
        terminal.type("\n")
        try await terminal.wait(for: "\u{1B}[?1049h", after: stopped)
        try await terminal.wait(for: "▌", after: stopped)
      }
      await shell.stop()
    }
  }

  @Test(arguments: [8_000, 65_535]) func `a huge terminal takes less than 500 MB of memory`(
    size: Int
  ) async throws {
    try await Program.inNewHome { program in
      try await program.onPseudoTerminal(rows: size, columns: size) { terminal, spawned in
        try await terminal.waitForTimeline()
        let status = try String(contentsOfFile: "/proc/\(spawned.processID)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        let kilobytes = Int(line.filter(\.isNumber)) ?? .max
        print("\(size)x\(size) took \(kilobytes / 1024) MB")
        #expect(kilobytes < 500 * 1024)
        terminal.type("qy")
        #expect(try await spawned.waitForEnd() == .exit(0))
      }
    }
  }

  /// A library that keeps writing to standard error must not fill the memory.
  @Test func `captured standard error is limited to 1 MB`() async throws {
    try await Program.inNewHome { program in
      try await program.onPseudoTerminal { terminal, spawned in
        try await terminal.waitForTimeline()
        let file = open("/proc/\(spawned.processID)/fd/2", O_WRONLY)
        try #require(file >= 0)
        defer { close(file) }
        let remark = [UInt8](repeating: 0x78, count: 64 * 1024)
        for _ in 0..<256 { _ = write(file, remark, remark.count) }
        var status = stat()
        fstat(file, &status)
        #expect(status.st_size <= 1 << 20)
        terminal.type("qy")
        #expect(try await spawned.waitForEnd() == .exit(0))
      }
    }
  }

  /// Runs the program without a shell, ends it, and checks that the terminal is restored.
  private func expectGivenBack(_ program: Program, _ trial: Trial) async throws {
    let terminal = try PseudoTerminal()
    defer { terminal.close() }
    let before = try terminal.settings()
    let spawned = try terminal.start(
      [Program.path], environment: program.environment, directory: program.home)
    if trial.scenario != .failingToStart { try await reach(trial.moment, terminal, spawned) }
    switch trial.scenario {
    case .quitting: terminal.type(trial.moment.isTyping ? "\u{3}\u{3}" : "qy")
    case .signal(let number): spawned.signal(number)
    case .terminalGone: terminal.hangUp()
    default: break
    }
    let ending = try await spawned.waitForEnd()
    switch trial.scenario {
    case .quitting: #expect(ending == .exit(0))
    case .failingToStart: #expect(ending == .exit(1))
    case .signal(let number): #expect([.signal(number), .exit(128 + number)].contains(ending), "\(ending)")
    default: return
    }
    expectAsBefore(terminal, before)
  }

  /// Stops the program from outside, like ^Z, under a shell with job control; then resumes and quits it.
  private func expectGivenBackWhileSuspended(_ program: Program, _ trial: Trial) async throws {
    let terminal = try PseudoTerminal()
    defer { terminal.close() }
    let before = try terminal.settings()
    let script = #"set -m; "$0"; echo "left $?"; read line; fg >/dev/null; echo "ended $?"; read line"#
    let shell = try terminal.start(
      ["/bin/bash", "--norc", "--noprofile", "-c", script, Program.path],
      environment: program.environment, directory: program.home)
    try await reach(trial.moment, terminal, shell)
    let child = try await ProcessList.waitForChild(of: shell.processID)
    kill(child, SIGTSTP)
    try await terminal.wait(for: "left \(128 + SIGTSTP)")
    expectAsBefore(terminal, before)
    let count = terminal.output.count
    terminal.type("\n")
    try await terminal.wait(for: "the alternate screen") { output in
      TerminalState(rows: 24, after: Array(output.dropFirst(count))).isAlternate
    }
    terminal.type(trial.moment.isTyping ? "\u{3}\u{3}" : "qy")
    try await terminal.wait(for: "ended 0")
    expectAsBefore(terminal, before)
    await shell.stop()
  }

  /// Kills the shell that started the program; the system then signals the terminal's processes.
  private func expectGivenBackWithoutParent(_ program: Program, _ trial: Trial) async throws {
    let terminal = try PseudoTerminal()
    defer { terminal.close() }
    let before = try terminal.settings()
    let shell = try terminal.start(
      ["/bin/sh", "-c", #""$0"; true"#, Program.path],
      environment: program.environment, directory: program.home)
    try await reach(trial.moment, terminal, shell)
    let child = try await ProcessList.waitForChild(of: shell.processID)
    shell.signal(SIGKILL)
    try await shell.waitForEnd()
    try await ProcessList.waitForEnd(of: child)
    expectAsBefore(terminal, before)
    await shell.stop()
  }

  private func reach(_ moment: Moment, _ terminal: PseudoTerminal, _ program: SpawnedProgram) async throws {
    switch moment {
    case .early(let milliseconds): await Pace.rest(milliseconds: milliseconds)
    case .written(let bytes):
      // If the program writes fewer bytes, wait until it reads keys.
      try await terminal.wait(for: "\(bytes) bytes") { output in
        output.count >= bytes || output.firstRange(of: Array("Welcome".utf8)) != nil || program.ending != nil
      }
    case .painted: try await terminal.waitForTimeline()
    case .typing(let text):
      try await terminal.waitForTimeline()
      terminal.type("c" + text)
    }
  }

  private func expectAsBefore(
    _ terminal: PseudoTerminal, _ settings: [UInt8], at location: SourceLocation = #_sourceLocation
  ) {
    #expect((try? terminal.settings()) == settings, sourceLocation: location)
    let state = terminal.state()
    #expect(state == TerminalState(rows: 24), "\(state)", sourceLocation: location)
  }
}

extension WaysOutTests.Moment {
  fileprivate var isTyping: Bool { if case .typing = self { true } else { false } }
}
