import Foundation
import QwinkleTesting
import TerminalTesting
import Testing

/// After a crash, the next launch names the report, which contains neither the user's texts nor secrets.
@Suite(.needsTmux, .bounded) struct CrashReportTests {
  /// Returns the text of all crash files with this prefix, if any.
  private func report(of program: Program, named name: String = "crash") -> String? {
    let files = program.files().filter { $0.path.hasPrefix(".local/state/qwinkle/\(name)") }
    return files.isEmpty ? nil : files.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "\n")
  }

  @Test(arguments: [SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE])
  func `the next launch shows the path of the crash report`(signal: Int32) async throws {
    try await Program.inNewHome { program in
      try await program.onTerminal { terminal in
        try await terminal.wait(for: "Welcome to Qwinkle!")
        try await terminal.press("c")
        try await terminal.wait(for: "New post")
        try await terminal.type("sesame opens")
        try await terminal.wait(for: "sesame opens")
        try await terminal.signal(signal)
        #expect(try await terminal.waitForEnd().status == 128 + Int(signal))
      }
      let text = try #require(report(of: program), "\(program.files().map(\.path))")
      #expect(!text.isEmpty && !text.contains("sesame") && !text.contains("Welcome"))
      try await program.onTerminal(columns: 200) { terminal in
        try await terminal.wait(for: "crashed last time")
        try await terminal.wait(for: "crash-report.txt")
        try await terminal.wait(for: "Welcome to Qwinkle!")
      }
      let told = try #require(report(of: program, named: "crash-report.txt"))
      #expect(!told.isEmpty && !told.contains("sesame") && !told.contains("Welcome"))
    }
  }

  @Test func `a crash report contains no tokens and no posts`() async throws {
    try await withTimeline(Answers.threeQwinks) { server in
      try await Program.inNewHome { program in
        let trusting = program.with(["QWINKLE_TOKEN_COMMAND": "echo canary-token"])
        try await trusting.onTerminal("--server", server.url) { terminal in
          try await terminal.wait(for: "third")
          try await terminal.signal(SIGSEGV)
          try await terminal.waitForEnd()
        }
        let text = try #require(report(of: program), "\(program.files().map(\.path))")
        #expect(!text.isEmpty && !text.contains("canary") && !text.contains("third") && !text.contains("Alice"))
      }
    }
  }

  @Test func `a normal exit by signal is not reported as a crash`() async throws {
    try await Program.inNewHome { program in
      for signal in [SIGTERM, SIGHUP] {
        try await program.onTerminal { terminal in
          try await Program.waitForTimeline(terminal)
          try await terminal.signal(signal)
          try await terminal.waitForEnd()
        }
      }
      #expect(report(of: program) == nil)
      try await program.onTerminal(columns: 200) { terminal in
        try await Program.waitForTimeline(terminal)
        #expect(try await !terminal.screen().contains("crashed last time"))
      }
    }
  }
}
