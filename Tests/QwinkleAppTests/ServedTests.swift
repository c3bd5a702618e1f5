import Foundation
import TerminalTesting
import Testing

/// Several users on one `qwinkle serve`.
@Suite(.bounded) struct ServedTests {
  /// Adds an account and writes its token to NAME.token. Returns the token.
  private func addQwinker(_ name: String, _ program: Program) async throws -> String {
    let made = try await program.run("serve", "add-user", name, "--data", "\(program.home)/data")
    #expect(made.status == 0)
    let token = made.text.trimmingCharacters(in: .newlines)
    #expect(token.count > 20 && !token.contains(where: \.isWhitespace))
    // Without a terminal, the program can't prompt for a password.
    #expect(made.errorLines.count == 1 && made.errors.contains("has no password"))
    #expect(made.errors.hasSuffix("qwinkle serve set-password \(name) --data \(program.home)/data\n"))
    try program.write(token.utf8, to: "\(name).token")
    return token
  }

  @Test(.needsTmux) func `a post appears at once on another user's screen`() async throws {
    try await Program.inNewHome { program in
      for name in ["anna", "ben"] { _ = try await addQwinker(name, program) }
      try program.beginInPublic()
      try await program.serving { url in
        let anna = program.with(["QWINKLE_TOKEN_COMMAND": "cat \(program.home)/anna.token"])
        let ben = program.with([
          "QWINKLE_TOKEN_COMMAND": "cat \(program.home)/ben.token", "XDG_CACHE_HOME": "\(program.home)/ben-cache",
        ])
        try await anna.onTerminal("--server", url) { annas in
          try await ben.onTerminal("--server", url) { bens in
            try await Program.waitForTimeline(annas)
            try await Program.waitForTimeline(bens)
            try await annas.press("c")
            try await annas.wait(for: "New post")
            try await annas.type("Hello Ben, this is Anna")
            try await annas.wait(for: "Hello Ben, this is Anna")
            // Until the server has identified her, there is no default visibility and nothing is posted.
            try await annas.wait(for: "Public, everyone")
            try await annas.press("C-d")
            try await annas.waitForEnd(of: "New post")
            try await bens.wait(for: "Hello Ben, this is Anna")
            #expect(try await bens.screen().contains("@anna"))
          }
        }
      }
    }
  }

  @Test func `a served timeline is public but posting requires a token`() async throws {
    try await Program.inNewHome { program in
      let token = try await addQwinker("anna", program)
      try await program.serving { url in
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

  @Test func `a taken or invalid name creates no account`() async throws {
    try await Program.inNewHome { program in
      _ = try await addQwinker("anna", program)
      for name in ["anna", "An na", "../x", ""] {
        let refused = try await program.run("serve", "add-user", name, "--data", "\(program.home)/data")
        #expect([1, 2].contains(refused.status), "\(name)")
        #expect(refused.errorLines.count == 1 && refused.text == "", "\(name): \(refused.errors)")
      }
    }
  }

  @Test func `a password from standard input is in no output or file`() async throws {
    try await Program.inNewHome { program in
      let data = ["--data", "\(program.home)/data"]
      func run(_ arguments: [String], input: String?) async throws -> ChildProcess.Outcome {
        try await ChildProcess.run(
          [Program.path, "serve"] + arguments + data, input: input, environment: program.environment,
          directory: program.home)
      }
      let made = try await run(["add-user", "anna", "--password-stdin"], input: "canary password\n")
      #expect(made.status == 0 && made.errors == "" && !made.text.contains("canary"))
      let empty = try await run(["add-user", "ben", "--password-stdin"], input: "\n")
      #expect(empty.status == 0 && empty.errors == "")
      let short = try await run(["add-user", "carl", "--password-stdin"], input: "short\n")
      #expect(short.status == 1 && short.text == "" && short.errorLines.count == 1)
      #expect(short.errors.contains("too short") && !short.errors.contains("add-user"))

      let changed = try await run(["set-password", "anna", "--password-stdin"], input: "canary password 2\r\n")
      #expect(changed.status == 0 && changed.text == "anna has a new password.\n")
      let none = try await run(["set-password", "anna", "--password-stdin", "--end-tokens"], input: "")
      #expect(none.status == 0 && none.text == "Password of anna removed; signing in is off.\n")
      let unknown = try await run(["set-password", "dora", "--password-stdin"], input: "canary password\n")
      #expect(unknown.status == 1 && unknown.errorLines.count == 1)
      let unasked = try await run(["set-password", "anna"], input: nil)
      #expect(unasked.status == 2 && unasked.errors.contains("--password-stdin"))
      for file in program.files() {
        #expect(file.bytes.range(of: Data("canary".utf8)) == nil, "\(file.path)")
      }
    }
  }

  @Test(.needsTmux) func `the terminal prompts twice for a password without echoing it`() async throws {
    try await Program.inNewHome { program in
      let script = #"""
        "$0" serve add-user anna --data data > token; echo "status $?"
        "$0" serve set-password anna --data data; echo "then $?"; stty -a | grep -o ' echo '; cat
        """#
      try await program.onTerminal(command: ["/bin/sh", "-c", script, Program.path]) { terminal in
        try await terminal.wait(for: "Password for anna (8–1000 characters, empty = none):")
        try await terminal.type("canary passwörx")
        try await terminal.press("BSpace", "d", "Enter")
        try await terminal.wait(for: "Again:")
        try await terminal.type("canary passwörd")
        try await terminal.press("Enter")
        let made = try await terminal.wait(for: "status 0")
        #expect(!made.contains("canary"))
        #expect(made.contains("Token of anna, shown only now.") && made.contains("qwinkle login URL --token-stdin"))

        try await terminal.wait(for: "another question") { $0.rows.count { $0.contains("Password for anna") } == 2 }
        try await terminal.type("canary")
        try await terminal.press("C-c")
        let cancelled = try await terminal.wait(for: "then 1")
        #expect(cancelled.contains("Nothing was changed") && !cancelled.contains("canary"))
        // The terminal echoes input again.
        try await terminal.wait(for: "echo") { $0.rows.contains { $0.hasPrefix(" echo") } }
      }
      let token = try #require(program.files().first { $0.path == "token" })
      #expect(token.bytes.count > 20 && token.bytes.range(of: Data("canary".utf8)) == nil)
    }
  }

  @Test func `a port in use is reported`() async throws {
    try await Program.inNewHome { program in
      try await program.serving { url in
        let port = try #require(url.split(separator: ":").last)
        let second = try await program.run("serve", "--bind", "127.0.0.1:\(port)", "--data", "\(program.home)/other")
        #expect(second.status == 1 && second.text == "")
        #expect(second.errorLines.count == 1 && second.errors.contains(port), "\(second.errors)")
      }
    }
  }
}
