import Foundation
import TerminalTesting
import Testing

/// Several people on one `qwinkle serve`.
@Suite struct ServedTests {
  /// Runs `body` with the address of a service in this home directory.
  private func serving<Result>(_ program: Program, _ body: (String) async throws -> Result) async throws -> Result {
    let service = try ChildProcess(
      [Program.path, "serve", "--bind", "127.0.0.1:0", "--data", "\(program.home)/data"],
      environment: program.environment, directory: program.home)
    do {
      let line = try await service.firstLine()
      let url = try #require(line.firstMatch(of: #/http://127\.0\.0\.1:[1-9][0-9]*/#))
      let result = try await body(String(url.output))
      let outcome = try await service.stop()
      #expect(outcome.status == 0)
      #expect(outcome.errors == "")
      return result
    } catch {
      _ = try? await service.stop()
      throw error
    }
  }

  /// Makes a qwinker and leaves the token in a file of that name.
  private func addQwinker(_ name: String, _ program: Program) async throws -> String {
    let made = try await program.run("serve", "add-user", name, "--data", "\(program.home)/data")
    #expect(made.status == 0)
    let token = made.text.trimmingCharacters(in: .newlines)
    #expect(made.errors == "" && token.count > 20 && !token.contains(where: \.isWhitespace))
    try program.write(token.utf8, to: "\(name).token")
    return token
  }

  @Test(.needsTmux) func `what one writes the other has at once on R`() async throws {
    try await Program.inNewHome { program in
      for name in ["anna", "ben"] { _ = try await addQwinker(name, program) }
      try await serving(program) { url in
        let anna = program.with(["QWINKLE_TOKEN_COMMAND": "cat \(program.home)/anna.token"])
        let ben = program.with([
          "QWINKLE_TOKEN_COMMAND": "cat \(program.home)/ben.token", "XDG_CACHE_HOME": "\(program.home)/ben-cache",
        ])
        try await anna.onTerminal("--server", url) { annas in
          try await ben.onTerminal("--server", url) { bens in
            try await Program.waitForTimeline(annas)
            try await Program.waitForTimeline(bens)
            try await annas.press("c")
            try await annas.wait(for: "new qwink")
            try await annas.type("Hello Ben, this is Anna")
            try await annas.wait(for: "Hello Ben, this is Anna")
            try await annas.press("C-d")
            try await annas.waitForEnd(of: "new qwink")
            #expect(try await !bens.screen().contains("Hello Ben"))
            try await bens.press("R")
            try await bens.wait(for: "Hello Ben, this is Anna")
            #expect(try await bens.screen().contains("@anna"))
          }
        }
      }
    }
  }

  @Test func `a served timeline is read, and written with a token only`() async throws {
    try await Program.inNewHome { program in
      let token = try await addQwinker("anna", program)
      try await serving(program) { url in
        let read = try await program.run("timeline", "public", "--server", url)
        #expect(read.status == 0 && read.text.contains("Welcome to Qwinkle!"))

        let refused = try await program.run("post", "from nobody", "--server", url)
        #expect(refused.status == 1 && refused.errorLines.count == 1 && refused.text == "")

        let posted = try await program.run("post", "from anna", "--server", url, "--token-stdin", input: token + "\n")
        #expect(posted.status == 0 && posted.errors == "")
        let after = try await program.run("timeline", "public", "--server", url, "--limit", "1")
        #expect(after.text.contains("@anna") && after.text.contains("from anna"))

        let wrong = try await program.run("timeline", "home", "--server", url, "--token-stdin", input: "wrong\n")
        #expect(wrong.status == 1 && wrong.errorLines.count == 1)
      }
    }
  }

  @Test func `a name that is taken or no name makes no qwinker`() async throws {
    try await Program.inNewHome { program in
      _ = try await addQwinker("anna", program)
      for name in ["anna", "An na", "../x", ""] {
        let refused = try await program.run("serve", "add-user", name, "--data", "\(program.home)/data")
        #expect([1, 2].contains(refused.status), "\(name)")
        #expect(refused.errorLines.count == 1 && refused.text == "", "\(name): \(refused.errors)")
      }
    }
  }

  @Test func `a port that is taken is said to be`() async throws {
    try await Program.inNewHome { program in
      try await serving(program) { url in
        let port = try #require(url.split(separator: ":").last)
        let second = try await program.run("serve", "--bind", "127.0.0.1:\(port)", "--data", "\(program.home)/other")
        #expect(second.status == 1 && second.text == "")
        #expect(second.errorLines.count == 1 && second.errors.contains(port), "\(second.errors)")
      }
    }
  }
}
