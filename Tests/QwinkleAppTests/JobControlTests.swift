import Foundation
import QwinkleStore
import TerminalTesting
import Testing

/// While the program is in the background, the terminal belongs to the shell: the program stops and neither reads nor
/// writes. `fg` shows the screen and the draft again.
@Suite(.bounded) struct JobControlTests {
  private static let draft = "zyxdraft"
  /// Opens the entry and types the draft. ^L redraws the screen, so that one frame contains the whole word.
  private static let writing = "c\(draft)\u{C}"
  private static let writingOn = "more\u{C}"

  /// The event that puts the program into the background.
  enum Scenario: CaseIterable, Sendable {
    /// ^Z, then `bg` in the shell.
    case continuedByShell
    /// ^Z, then SIGCONT from another program.
    case continuedByOther
    /// SIGSTOP from another program, then `bg` in the shell.
    case stoppedByOther
    /// SIGTTIN or SIGTTOU from another program.
    case askedToRead, askedToWrite
    /// The shell takes the terminal while the program runs.
    case lostTerminal

    /// Starts the program under a shell with job control. For `lostTerminal` the program is a grandchild of the
    /// shell, which controls only its own children.
    var command: String {
      self == .lostTerminal ? #"sh -c '"$0" <&3 & wait' "$0" 3<&0"# : #""$0""#
    }

    /// Whether the shell gets the terminal before the program could restore it.
    var leavesTerminal: Bool { self == .stoppedByOther || self == .lostTerminal }
  }

  /// Starts `command` as a job, then executes the typed lines.
  private static func script(_ command: String) -> String {
    #"""
    set -m
    \#(command)
    echo "left $?"
    while read line; do case $line in
    bg) bg > /dev/null; echo "continued";;
    fg) fg > /dev/null; echo "left again $?";;
    kill) kill %1; echo "killed";;
    *) echo "heard $line";;
    esac; done
    """#
  }

  /// Runs `body` with a terminal on which a shell runs `command`.
  private func withShell(
    running command: String, _ body: (PseudoTerminal, _ shell: SpawnedProgram) async throws -> Void
  ) async throws {
    try await Program.inNewHome { try await withShell(of: $0, running: command, body) }
  }

  private func withShell(
    of program: Program, running command: String,
    _ body: (PseudoTerminal, _ shell: SpawnedProgram) async throws -> Void
  ) async throws {
    try await program.onPseudoTerminal(
      Self.script(command), Program.path, command: ["/bin/bash", "--norc", "--noprofile", "-c"], body)
  }

  private static func offset(of text: String, in output: [UInt8]) -> Int {
    let bytes = Array(text.utf8)
    return output.indices.last { output[$0...].starts(with: bytes) } ?? 0
  }

  /// Types a line to the shell and expects that the program neither reads nor writes.
  private func expectShell(
    on terminal: PseudoTerminal, since count: Int, at location: SourceLocation = #_sourceLocation
  ) async throws {
    let start = terminal.output.count
    terminal.type("hello\n")
    try await terminal.wait(for: "heard hello", after: start)
    let output = String(decoding: terminal.output.dropFirst(count), as: UTF8.self)
    #expect(!output.contains("\u{1B}[") && !output.contains("▌"), "\(output)", sourceLocation: location)
  }

  /// Types `fg` until `text` is shown: once, or up to `attempts` times if the program ran without the shell's
  /// knowledge. bash can receive the report of that run's stop late, and take it for the result of `fg`.
  private func bringToForeground(
    _ terminal: PseudoTerminal, showing text: String = draft, attempts: Int
  ) async throws {
    let stopped = Array("left again \(128 + SIGTTOU)".utf8)
    let shown = Array(text.utf8)
    for attempt in 1...attempts {
      let count = terminal.output.count
      terminal.type("fg\n")
      try await terminal.wait(for: text) { output in
        let new = output.dropFirst(count)
        return new.firstRange(of: shown) != nil || (attempt < attempts && new.firstRange(of: stopped) != nil)
      }
      if terminal.output.dropFirst(count).firstRange(of: shown) != nil { return }
    }
  }

  @Test(arguments: Scenario.allCases) func `the terminal belongs to the shell until fg`(
    scenario: Scenario
  ) async throws {
    try await withShell(running: scenario.command) { terminal, shell in
      try await terminal.waitForTimeline()
      let job = try await ProcessList.waitForChild(of: shell.processID)
      let child = scenario == .lostTerminal ? try await ProcessList.waitForChild(of: job) : job
      terminal.type(Self.writing)
      try await terminal.wait(for: Self.draft)
      // A write interrupted by SIGSTOP resumes when the program continues, so wait for the complete frame.
      try await terminal.wait(for: "\u{1B}[?25h", after: Self.offset(of: Self.draft, in: terminal.output))
      var count = terminal.output.count

      switch scenario {
      case .continuedByShell, .continuedByOther: terminal.type("\u{1A}")
      case .stoppedByOther: kill(child, SIGSTOP)
      case .askedToRead: kill(child, SIGTTIN)
      case .askedToWrite: kill(child, SIGTTOU)
      case .lostTerminal: kill(job, SIGSTOP)
      }
      try await terminal.wait(for: "left 14", after: count)
      let settings = try terminal.settings()
      if !scenario.leavesTerminal { #expect(!terminal.state().isAlternate) }

      count = terminal.output.count
      switch scenario {
      case .continuedByShell, .stoppedByOther:
        terminal.type("bg\n")
        try await terminal.wait(for: "continued", after: count)
      // Once `kill` returns, the program is running again.
      case .continuedByOther: kill(child, SIGCONT)
      // Typed input reaches both the shell and the program.
      case .askedToRead, .askedToWrite, .lostTerminal: break
      }
      try await expectShell(on: terminal, since: count)
      try await ProcessList.waitForStop(of: child)
      try await expectShell(on: terminal, since: count)
      #expect(try terminal.settings() == settings)

      try await bringToForeground(terminal, attempts: scenario == .continuedByOther ? 2 : 1)
      count = terminal.output.count
      terminal.type(Self.writingOn)
      try await terminal.wait(for: Self.draft + "more", after: count)
      terminal.type("\u{3}\u{3}")
      try await terminal.wait(for: "left again 0", after: count)
      let state = terminal.state()
      #expect(!state.isAlternate && state.titleStack.isEmpty, "\(state)")
    }
  }

  @Test func `SIGCONT in the background saves the screen before the program stops again`() async throws {
    try await Program.inNewHome { program in
      let screen = RestorationFile(directory: "\(program.home)/.local/state/qwinkle", account: "local")
      try await withShell(of: program, running: #""$0""#) { terminal, shell in
        try await terminal.waitForTimeline()
        let child = try await ProcessList.waitForChild(of: shell.processID)
        // Saves the screen, so that no later save is pending.
        terminal.type("\u{1A}")
        try await terminal.wait(for: "left \(128 + SIGTSTP)")
        try #require(screen.load() != .none)
        var count = terminal.output.count
        terminal.type("fg\n")
        // A write interrupted by SIGSTOP would resume in the background. The title ends the first frame. Only a few
        // bytes can follow, when the sign of a refresh disappears.
        try await terminal.wait(for: "the whole frame") { output in
          let frame = output.dropFirst(count)
          return frame.firstRange(of: Array("▌".utf8)) != nil && frame.firstRange(of: [0x1B, 0x5C]) != nil
        }

        count = terminal.output.count
        kill(child, SIGSTOP)
        try await terminal.wait(for: "left again \(128 + SIGSTOP)", after: count)
        screen.forget()
        count = terminal.output.count
        kill(child, SIGCONT)
        try await ProcessList.waitForStop(of: child)
        #expect(screen.load() != .none)
        try await expectShell(on: terminal, since: count)

        try await bringToForeground(terminal, showing: "▌", attempts: 2)
        count = terminal.output.count
        terminal.type("qy")
        try await terminal.wait(for: "left again 0", after: count)
      }
    }
  }

  @Test func `a program started in the background waits for fg`() async throws {
    try await withShell(running: #""$0" &"#) { terminal, shell in
      let child = try await ProcessList.waitForChild(of: shell.processID)
      try await ProcessList.waitForStop(of: child)
      try await expectShell(on: terminal, since: 0)
      terminal.type("fg\n")
      try await terminal.waitForTimeline()
      let count = terminal.output.count
      terminal.type("qy")
      try await terminal.wait(for: "left again 0", after: count)
      #expect(terminal.state() == TerminalState(rows: 24))
    }
  }

  @Test(arguments: [false, true])
  func `the shell can kill a stopped program`(isContinued: Bool) async throws {
    try await withShell(running: #""$0""#) { terminal, shell in
      try await terminal.waitForTimeline()
      let child = try await ProcessList.waitForChild(of: shell.processID)
      terminal.type("\u{1A}")
      try await terminal.wait(for: "left \(128 + SIGTSTP)")
      let count = terminal.output.count
      if isContinued {
        kill(child, SIGCONT)
        try await ProcessList.waitForStop(of: child)
        // The shell notices at its next line that the job has stopped again. `kill` continues only a stopped job.
        try await expectShell(on: terminal, since: count)
        try await ProcessList.waitForStop(of: child)
      }
      terminal.type("kill\n")
      try await terminal.wait(for: "killed", after: count)
      try await ProcessList.waitForEnd(of: child)
      try await expectShell(on: terminal, since: count)
    }
  }

  @Test func `the program ends if no shell can continue it`() async throws {
    try await withShell(running: Scenario.lostTerminal.command) { terminal, shell in
      try await terminal.waitForTimeline()
      let job = try await ProcessList.waitForChild(of: shell.processID)
      let child = try await ProcessList.waitForChild(of: job)
      let count = terminal.output.count
      kill(job, SIGKILL)
      try await terminal.wait(for: "left \(128 + SIGKILL)", after: count)
      try await expectShell(on: terminal, since: count)
      // The program notices the loss when it reads. The shell may have read all earlier input.
      try await ProcessList.waitForEnd(of: child) { terminal.type("again\n") }
      try await expectShell(on: terminal, since: count)
    }
  }

  @Test func `SIGCONT in the foreground only redraws the screen`() async throws {
    try await withShell(running: #""$0""#) { terminal, shell in
      try await terminal.waitForTimeline()
      let child = try await ProcessList.waitForChild(of: shell.processID)
      terminal.type(Self.writing)
      try await terminal.wait(for: Self.draft)
      let settings = try terminal.settings()
      for _ in 1...2 {
        let count = terminal.output.count
        kill(child, SIGCONT)
        try await terminal.wait(for: Self.draft, after: count)
      }
      #expect(try terminal.settings() == settings)
      #expect(terminal.state().isAlternate && terminal.state().titleStack.count == 1)
      let count = terminal.output.count
      terminal.type(Self.writingOn)
      try await terminal.wait(for: Self.draft + "more", after: count)
      terminal.type("\u{3}\u{3}")
      try await terminal.wait(for: "left 0", after: count)
    }
  }
}
