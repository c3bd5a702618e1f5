import Foundation
import TerminalTesting
import Testing

/// The program in linear mode, in a real terminal.
@Suite(.needsTmux, .bounded) struct LinearTests {
  /// Copies all terminal output to a file, and records the terminal's settings before and after.
  private static let script = #"""
    stty -a > before; tmux pipe-pane "cat > $HOME/written"; "$@"; echo "status $?"; stty -a > after; echo given back
    exec sleep 1000
    """#

  private func contents(of path: String, _ program: Program) -> [UInt8] {
    Array(FileManager.default.contents(atPath: "\(program.home)/\(path)") ?? Data())
  }

  /// Reads, posts and quits, and checks every byte of the output.
  private func readAndWrite(_ arguments: [String], terminal kind: String) async throws {
    try await Program.inNewHome { program in
      let command = ["/bin/sh", "-c", Self.script, "sh", Program.path] + arguments
      try await program.onTerminal(command: command, terminal: kind) { terminal in
        try await terminal.wait(for: "Qwinkle, 1 Public. j next")
        let start = try await terminal.wait(for: "Welcome to Qwinkle!")
        #expect(!start.isAlternate && start.isCursorVisible)
        try await terminal.press("j")
        try await terminal.wait(for: "Press c to write")
        try await terminal.press("Enter")
        try await terminal.wait(for: "Public, Thread")
        try await terminal.press("c")
        try await terminal.wait(for: "New post")
        try await terminal.type("Frost on the allotment, über Nacht")
        try await terminal.wait(for: "Frost on the allotment, über Nacht")
        try await terminal.wait(for: "Public, everyone")
        try await terminal.press("C-d")
        try await terminal.wait(for: "Posted")
        try await terminal.press("1")
        try await terminal.press("g", "g")
        try await terminal.wait(for: "the posted qwink") { screen in
          zip(screen.rows, screen.rows.dropFirst()).contains { head, text in
            head.hasSuffix(", now") && text == "Frost on the allotment, über Nacht"
          }
        }
        try await terminal.press("q")
        try await terminal.wait(for: "Quit Qwinkle?")
        try await terminal.press("y")
        let end = try await terminal.wait(for: "given back")
        #expect(end.contains("status 0"), "\(end)")
        let last = Array("given back".utf8)
        try await terminal.wait(for: "all that was written") { _ in
          contents(of: "written", program).suffix(40).contains(last)
        }
        let written = contents(of: "written", program)
        #expect(written.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x0D })
        #expect(String(validating: written, as: UTF8.self)?.contains("Welcome to Qwinkle!") == true)
        #expect(contents(of: "before", program) == contents(of: "after", program))
        #expect(!contents(of: "before", program).isEmpty)
      }
    }
  }

  @Test func `linear mode reads and posts with plain text output only`() async throws {
    try await readAndWrite(["--linear"], terminal: "xterm-256color")
  }

  @Test(arguments: ["dumb"])
  func `a dumb terminal uses linear mode by default`(kind: String) async throws {
    try await readAndWrite([], terminal: kind)
  }

  @Test func `linear mode prints ASCII in a locale without Unicode`() async throws {
    try await Program.inNewHome { program in
      let script = #"tmux pipe-pane "cat > $HOME/written"; exec env LC_ALL=C "$0" --linear"#
      try await program.onTerminal(command: ["/bin/sh", "-c", script, Program.path]) { terminal in
        try await terminal.wait(for: "Welcome to Qwinkle!")
        try await terminal.press("?")
        try await terminal.wait(for: "Always")
        try await terminal.press("q", "q", "y")
        try await terminal.waitForEnd()
        let written = contents(of: "written", program)
        #expect(!written.isEmpty && written.allSatisfy { $0 < 0x7F })
      }
    }
  }

  @Test func `^Z returns the terminal to the shell and fg reclaims it`() async throws {
    try await Program.inNewHome { program in
      let shell = program.with(["PS1": "prompt> ", "QWINKLE": Program.path])
      try await shell.onTerminal(
        command: ["/bin/bash", "--norc", "--noprofile", "--noediting", "-i"], terminal: "dumb"
      ) { terminal in
        try await terminal.wait(for: "prompt>")
        try await terminal.type("$QWINKLE\r")
        try await terminal.wait(for: "Welcome to Qwinkle!")
        try await terminal.press("C-z")
        try await terminal.wait(for: "Stopped")
        try await terminal.type("echo done-$((20+3))\r")
        try await terminal.wait(for: "done-23")
        try await terminal.type("fg\r")
        try await terminal.wait(for: "where one was") { screen in
          screen.rows.lastIndex { $0.contains("Welcome") } ?? 0 > screen.row(with: "done-23") ?? .max
        }
        try await terminal.press("q", "y")
        let end = try await terminal.wait(for: "the prompt") { $0.lastRow == "prompt>" }
        #expect(!end.isAlternate && end.isCursorVisible)
      }
    }
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGSEGV]) func `a signal or a crash restores the terminal`(
    signal: Int32
  ) async throws {
    try await Program.inNewHome { program in
      let command = ["/bin/sh", "-c", Self.script, "sh", Program.path, "--linear"]
      try await program.onTerminal(command: command) { terminal in
        try await terminal.wait(for: "Welcome to Qwinkle!")
        let child = try #require(ProcessList.children(of: try await terminal.processID()).first)
        kill(child, signal)
        let end = try await terminal.wait(for: "given back")
        #expect(end.contains("status \(128 + signal)"), "\(end)")
        #expect(contents(of: "before", program) == contents(of: "after", program))
      }
    }
  }
}
