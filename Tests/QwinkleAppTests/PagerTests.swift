import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleApp

/// Commands show their output in the user's pager if it goes to a terminal.
@Suite(.needsTmux, .bounded) struct PagerTests {
  /// Runs `body` on a terminal after `qwinkle timeline public` with this configuration. Checks that piped output
  /// bypasses the pager.
  private func afterTimeline(_ config: String, _ body: (TmuxHarness) async throws -> Void) async throws {
    try await withTimeline(Answers.threeQwinks) { server in
      try await Program.inNewHome { program in
        try program.write(config.utf8, to: ".config/qwinkle/config.toml")
        let command = "\(Program.path) timeline public --server \(server.url); echo ended with $?; read line"
        try await program.onTerminal(command: ["/bin/sh", "-c", command], body)
        let piped = try await program.run("timeline", "public", "--server", server.url)
        #expect(piped.status == 0 && piped.text.contains("third") && !piped.text.contains("| "), "\(piped.text)")
      }
    }
  }

  @Test func `the pager receives all output and the command waits for it`() async throws {
    try await afterTimeline("pager = \"sed 's/^/| /'; echo read with $LESS\"\n") { terminal in
      try await terminal.wait(for: "ended with 0")
      let rows = try await terminal.screen().rows
      #expect(rows.contains { $0.hasPrefix("| ") && $0.contains("third") }, "\(rows)")
      let read = try #require(rows.firstIndex { $0.contains("read with FRX") })
      let ended = try #require(rows.firstIndex { $0.contains("ended with 0") })
      #expect(read < ended)
    }
  }

  @Test func `an account can have a separate pager`() async throws {
    try await Program.inNewHome { program in
      #expect(try await program.run("post", "From this machine").status == 0)
      let config = "pager = \"sed 's/^/all: /'\"\n[accounts.local]\npager = \"sed 's/^/local: /'\"\n"
      try program.write(config.utf8, to: ".config/qwinkle/config.toml")
      let command = "\(Program.path) timeline home; echo ended with $?; read line"
      try await program.onTerminal(command: ["/bin/sh", "-c", command]) { terminal in
        try await terminal.wait(for: "ended with 0")
        let rows = try await terminal.screen().rows
        #expect(rows.contains { $0.hasPrefix("local: ") } && !rows.contains { $0.hasPrefix("all: ") }, "\(rows)")
      }
    }
  }

  @Test func `the output is printed with a warning if the pager fails to start`() async throws {
    try await afterTimeline("pager = \"/no/such/pager\"\n") { terminal in
      try await terminal.wait(for: "ended with 0")
      let rows = try await terminal.screen().rows
      #expect(rows.contains { $0.contains("“/no/such/pager” did not start: check pager in config.toml.") }, "\(rows)")
      #expect(rows.contains { $0.contains("third") }, "\(rows)")
    }
  }
}
