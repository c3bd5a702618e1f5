import Foundation
import TerminalTesting
import Testing

/// The terminal is restored after every kind of exit, and set up again after a stop.
@Suite(.needsTmux, .bounded) struct LifeTests {
  /// A shell script that records the terminal's settings before and after.
  private static let script = #"""
    stty -a > before; "$0"; echo "status $?"; stty -a > after; echo given back; exec sleep 1000
    """#

  /// Starts the program from a shell, ends it with `end`, and checks that the terminal is restored.
  private func expectGivenBack(
    _ words: String, saying ending: String? = nil, _ end: (TmuxHarness, _ program: pid_t) async throws -> Void
  ) async throws {
    try await Program.inNewHome { program in
      try await program.onTerminal(command: ["/bin/sh", "-c", Self.script, Program.path]) { terminal in
        let running = try await terminal.wait(for: "a timeline") { $0.contains("▌") }
        #expect(running.isAlternate && !running.isCursorVisible)
        let children = ProcessList.children(of: try await terminal.processID())
        try #require(children.count == 1)
        try await end(terminal, children[0])
        let back = try await terminal.wait(for: "given back")
        #expect(back.contains(words), "\(back)")
        #expect(!back.isAlternate && back.isCursorVisible)
        let files = program.files()
        let before = files.first { $0.path == "before" }?.bytes
        #expect(before?.isEmpty == false)
        #expect(before == files.first { $0.path == "after" }?.bytes)
      }
    }
  }

  @Test func `quitting restores the terminal`() async throws {
    try await expectGivenBack("status 0") { terminal, _ in try await terminal.press("q", "y") }
  }

  @Test func `pressing ^C twice restores the terminal`() async throws {
    try await expectGivenBack("status 0") { terminal, _ in
      try await terminal.press("C-c")
      try await terminal.wait(for: "again quits")
      try await terminal.press("C-c")
    }
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT]) func `a termination signal restores the terminal`(signal: Int32)
    async throws
  {
    try await expectGivenBack("status \(128 + signal)") { _, program in kill(program, signal) }
  }

  @Test(arguments: [SIGSEGV, SIGABRT, SIGILL]) func `a crash restores the terminal`(signal: Int32) async throws {
    try await expectGivenBack("status \(128 + signal)") { _, program in kill(program, signal) }
  }

  @Test func `^Z returns the terminal to the shell and fg reclaims it`() async throws {
    try await Program.inNewHome { program in
      let shell = program.with(["PS1": "prompt> ", "ENV": "", "QWINKLE": Program.path])
      try await shell.onTerminal(command: ["/bin/bash", "--norc", "--noprofile", "-i"]) { terminal in
        try await terminal.wait(for: "prompt>")
        try await terminal.type("stty -g > before; $QWINKLE\r")
        try await Program.waitForTimeline(terminal)
        // Keys work after each return: the selection moves.
        for round in 1...2 {
          let next = round == 1 ? "Press c to write" : "1 is the public timeline"
          try await terminal.press("C-z")
          let shell = try await terminal.wait(for: "the prompt") {
            !$0.isAlternate && $0.contains("Stopped") && $0.lastRow == "prompt>"
          }
          #expect(shell.isCursorVisible)
          try await terminal.type("stty -g > after\(round); echo done-$((\(round)+40))\r")
          try await terminal.wait(for: "done-\(round + 40)")
          let files = program.files()
          let before = files.first { $0.path == "before" }?.bytes
          #expect(before?.isEmpty == false && before == files.first { $0.path == "after\(round)" }?.bytes)
          try await terminal.resize(rows: 24 + round, columns: 80 + round)
          try await terminal.type("clear; fg\r")
          try await terminal.wait(for: "the timeline again") { $0.isAlternate && $0.contains("Welcome to Qwinkle!") }
          try await terminal.press("j")
          try await Program.waitForSelection(of: next, on: terminal)
        }
        try await terminal.press("q", "y")
        try await terminal.wait(for: "the prompt") { !$0.isAlternate && $0.isCursorVisible }
      }
    }
  }

  @Test func `SIGTSTP from another process stops the program like ^Z`() async throws {
    try await Program.inNewHome { program in
      let shell = program.with(["PS1": "prompt> ", "QWINKLE": Program.path])
      try await shell.onTerminal(command: ["/bin/bash", "--norc", "--noprofile", "-i"]) { terminal in
        try await terminal.wait(for: "prompt>")
        try await terminal.type("$QWINKLE\r")
        try await Program.waitForTimeline(terminal)
        let shell = try await terminal.processID()
        let child = try #require(ProcessList.children(of: shell).first)
        kill(child, SIGTSTP)
        try await terminal.wait(for: "the prompt") { !$0.isAlternate && $0.contains("Stopped") }
        try await terminal.type("fg\r")
        try await terminal.wait(for: "the timeline again") { $0.isAlternate && $0.contains("Welcome to Qwinkle!") }
      }
    }
  }

  /// As the terminal's only program, and in a script.
  @Test(arguments: [true, false]) func `^Z does nothing if no shell can continue the program`(isAlone: Bool)
    async throws
  {
    try await Program.inNewHome { program in
      try await program.onTerminal(isAlone: isAlone) { terminal in
        try await Program.waitForTimeline(terminal)
        try await terminal.press("C-z")
        try await terminal.press("?")
        let help = try await terminal.wait(for: "half a page")
        #expect(help.isAlternate && !help.hasEnded)
      }
    }
  }

  @Test func `the program ends when its terminal is closed`() async throws {
    try await Program.inNewHome { program in
      let process = try await program.onTerminal { terminal in
        try await Program.waitForTimeline(terminal)
        let process = try await terminal.processID()
        #expect(ProcessList.isRunning(process))
        return process
      }
      #expect(!ProcessList.isRunning(process))
    }
  }
}
