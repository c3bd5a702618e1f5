import QwinkleTesting
import TerminalTesting
import Testing

/// A slow server blocks nothing.
@Suite(.needsTmux, .bounded) struct SlowServerTests {
  @Test func `every key works while the server does not respond`() async throws {
    let gate = Gate()
    defer { gate.open() }
    try await withTimeline(Answers.threeQwinks.held(by: gate)) { server in
      try await Program.inNewHome { program in
        try await program.onTerminal("--server", server.url) { terminal in
          try await terminal.wait(for: "Fetching the public timeline")
          try await server.whenAsked()

          try await terminal.press("?")
          try await terminal.wait(for: "half a page down")
          try await terminal.press("Escape")
          try await terminal.waitForEnd(of: "half a page down")
          #expect(try await terminal.screen().contains("Fetching the public timeline"))

          try await terminal.press("q")
          try await terminal.wait(for: "Quit Qwinkle?")
          try await terminal.press("n")
          try await terminal.waitForEnd(of: "Quit Qwinkle?")

          try await terminal.press("2")
          try await terminal.wait(for: "needs an account")
          try await terminal.press("c")
          try await terminal.wait(for: "Writing needs an account")
          // These keys change nothing visible. The next keys show that they didn't block.
          try await terminal.press("j", "k", "1", "R")
          try await terminal.press("C-c")
          try await terminal.wait(for: "^C again quits")
        }
        // ^C has cancelled the download. Start again and let it finish.
        try await program.onTerminal("--server", server.url) { terminal in
          try await terminal.wait(for: "Fetching the public timeline")
          try await terminal.press("j", "q")
          try await terminal.wait(for: "Quit Qwinkle?")
          gate.open()
          try await terminal.press("Escape")
          let rows = try await terminal.wait(for: "first")
          #expect(rows.contains("third") && rows.contains("▌"))
          let asked = try #require(server.requests.first(where: Answers.isTimeline))
          #expect(asked.field("Authorization") == nil)
          #expect(asked.field("User-Agent")?.hasPrefix("Qwinkle/") == true)
        }
      }
    }
  }

  @Test func `quitting does not wait for the server`() async throws {
    try await withTimeline(.silence) { server in
      try await Program.inNewHome { program in
        try await program.onTerminal("--server", server.url) { terminal in
          try await terminal.wait(for: "Fetching")
          try await server.whenAsked()
          try await terminal.press("q", "y")
          let end = try await terminal.waitForEnd()
          #expect(end.status == 0)
        }
      }
    }
  }
}
