import Foundation
import QwinkleTesting
import TerminalTesting
import Testing

/// A token is only in its own file, never in another file, an argument or an environment variable.
@Suite(.needsTmux, .bounded) struct CanaryTests {
  /// Prefix of every token and app secret.
  private static let canary = "canary-9d41e7"

  private let double = SignInDouble(prefix: CanaryTests.canary)

  /// Runs `body` with a server on which `anna` has signed in.
  private func withAnna(
    timeline: Script = Answers.threeQwinks, _ body: (Program, ScriptedServer, _ token: String) async throws -> Void
  ) async throws {
    try await withServer(double.script(timeline)) { server in
      try await Program.inNewHome { program in
        try await program.signIn(as: "anna", at: server, of: double)
        let token = try #require(double.tokens.first { $0.value == "anna" }?.key)
        try await body(program, server, token)
      }
    }
  }

  /// Checks all files, and the parts of processes that other users can see.
  private func expectNoTrace(
    _ program: Program, _ process: Int32? = nil, at location: SourceLocation = #_sourceLocation
  ) {
    let secrets = program.files(with: Self.canary)
    #expect(secrets.allSatisfy { $0.hasPrefix("\(Program.secrets)/") }, "\(secrets)", sourceLocation: location)
    guard let process else { return }
    for process in [process] + ProcessList.children(of: process) {
      let words = ProcessList.visibleWords(of: process)
      #expect(words.contains("HOME="), sourceLocation: location)
      #expect(!words.contains(Self.canary), "\(words)", sourceLocation: location)
    }
  }

  @Test func `signing in saves the token only in its own file`() async throws {
    try await withServer(double.script()) { server in
      try await Program.inNewHome { program in
        try await program.signIn(
          at: server.url,
          while: { terminal in
            // The program has registered its app by now and has a secret.
            #expect(server.requests.contains { $0.path == "/api/v1/apps" })
            expectNoTrace(program, try await terminal.processID())
          }, allow: { try #require(double.allow($0, as: "anna")) })
        let token = try #require(double.tokens.first?.key)
        let name = "anna@\(server.host)"
        #expect(program.files(with: token) == ["\(Program.secrets)/\(name).token"])
        #expect(
          program.files(with: "\(Self.canary)-client-secret") == ["\(Program.secrets)/\(name).client-secret"])
        expectNoTrace(program)
        #expect(server.requests.allSatisfy { !$0.path.contains(Self.canary) })
      }
    }
  }

  @Test func `the screen and commands leave the token only in its own file`() async throws {
    try await withAnna { program, server, token in
      try await program.onTerminal(columns: 120) { terminal in
        try await terminal.wait(for: "third")
        #expect(try await terminal.screen().contains("anna@127.0.0.1"))
        #expect(server.requests.last?.field("Authorization") == "Bearer \(token)")
        let process = try await terminal.processID()
        expectNoTrace(program, process)
        try await terminal.press("2", "j", "Enter", "c")
        try await terminal.wait(for: "New post")
        try await terminal.type("a draft")
        try await terminal.wait(for: "a draft")
        expectNoTrace(program, process)
        let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
        #expect(limits.contains(#/Max core file size +0 /#))
        try await terminal.signal(SIGTERM)
        try await terminal.waitForEnd()
      }
      #expect(try await program.run("timeline", "home").text.contains("third"))
      #expect(try await program.run("post", "hello").status == 0)
      let listed = try await program.run("accounts", "--json")
      #expect(listed.status == 0 && listed.text.contains("anna@") && !listed.text.contains(Self.canary))
      expectNoTrace(program)
      #expect(program.files().contains { $0.path.hasPrefix(".cache/qwinkle/anna@127.0.0.1:") })
    }
  }

  @Test func `errors and crashes write no token to disk`() async throws {
    try await withAnna { program, _, token in
      double.forget(token)
      try await program.onTerminal(columns: 120) { terminal in
        try await terminal.wait(for: "no longer accepts your sign-in")
        expectNoTrace(program, try await terminal.processID())
        try await terminal.signal(SIGSEGV)
        try await terminal.waitForEnd()
      }
      #expect(program.files().contains { $0.path == ".local/state/qwinkle/log" && !$0.bytes.isEmpty })
      expectNoTrace(program)
      let refused = try await program.run("timeline", "home")
      #expect(refused.status == 1 && refused.errors.contains("Sign in again: qwinkle login"))
      #expect(!refused.errors.contains(Self.canary))
    }
  }

  @Test func `the token is in no file if there is a keyring`() async throws {
    let keyring = ScriptedKeyring()
    try await withServer(double.script()) { server in
      try await Program.inNewHome { program in
        try await keyring.serving(program) { program in
          try await program.signIn(as: "anna", at: server, of: double)
          let token = try #require(double.tokens.first { $0.value == "anna" }?.key)
          #expect(program.files(with: Self.canary) == [])
          #expect(keyring.secrets.contains(token) && keyring.secrets.count == 2)
          try await program.onTerminal(columns: 120) { terminal in
            try await terminal.wait(for: "third")
            #expect(server.requests.last?.field("Authorization") == "Bearer \(token)")
            expectNoTrace(program, try await terminal.processID())
          }
          #expect(try await program.run("accounts", "--json").text.contains(#""token":"keyring""#))
          #expect(try await program.run("doctor").text.contains("in the keyring, by secret-tool"))
          try keyring.setLocked(true)
          let locked = try await program.run("timeline", "home")
          #expect(locked.status == 1 && locked.errors.contains("Cannot read the token of anna@"))
          try keyring.setLocked(false)
          #expect(try await program.run("logout").text.contains("Its token has been revoked."))
          #expect(keyring.secrets.isEmpty && double.tokens.isEmpty)
          #expect(!keyring.arguments.contains(Self.canary))
        }
      }
    }
  }

  @Test func `the token is in its file if the keyring is locked or --token-file is given`() async throws {
    let keyring = ScriptedKeyring()
    try await withServer(double.script()) { server in
      try await Program.inNewHome { program in
        try await keyring.serving(program) { program in
          let file = "\(Program.secrets)/ben@\(server.host).token"
          let token = double.makeToken(for: "ben")
          func signIn(_ options: String...) async throws {
            let outcome = try await program.run(["login", server.url, "--token-stdin"] + options, input: token)
            #expect(outcome.status == 0, "\(outcome.errors)")
          }
          try keyring.setLocked(true)
          try await signIn()
          #expect(program.files(with: token) == [file] && keyring.secrets.isEmpty)
          try keyring.setLocked(false)
          // Saving the token in one place removes it from the other.
          try await signIn()
          #expect(program.files(with: token) == [] && keyring.secrets == [token])
          try await signIn("--token-file")
          #expect(program.files(with: token) == [file] && keyring.secrets.isEmpty)
          #expect(try await program.run("timeline", "home").status == 0)
          expectNoTrace(program)
        }
      }
    }
  }

  @Test func `a token command runs at each launch and its token is never saved`() async throws {
    try await withServer(double.script()) { server in
      try await Program.inNewHome { program in
        // Outside the searched folder.
        let token = double.makeToken(for: "ben")
        let safe = "\(program.home)-safe"
        try Data("\(token)\n".utf8).write(to: URL(fileURLWithPath: safe))
        defer { try? FileManager.default.removeItem(atPath: safe) }
        let signedIn = try await program.run("login", server.url, "--token-command", "cat \(safe)")
        #expect(signedIn.status == 0 && signedIn.text.contains("ben@\(server.host)"), "\(signedIn.errors)")
        #expect(program.files(with: Self.canary) == [])
        try await program.onTerminal(columns: 120) { terminal in
          try await terminal.wait(for: "third")
          expectNoTrace(program, try await terminal.processID())
        }
        #expect(program.files(with: Self.canary) == [])
        try FileManager.default.removeItem(atPath: safe)
        let without = try await program.run("timeline", "home")
        #expect(without.status == 1 && without.errors.contains("token command of ben@"), "\(without.errors)")
      }
    }
  }

  @Test func `a token command that contains the token is refused`() async throws {
    try await withServer(double.script()) { server in
      try await Program.inNewHome { program in
        let token = double.makeToken(for: "ben")
        let refused = try await program.run("login", server.url, "--token-command", "echo \(token)")
        #expect(refused.status == 2 && refused.errorLines.count == 1 && !refused.errors.contains(token))
        expectNoTrace(program)
        #expect(!program.files().contains { $0.path == Program.accounts })
      }
    }
  }

  @Test func `logging out revokes the token and deletes it`() async throws {
    try await withAnna { program, server, token in
      try await program.onTerminal { try await Program.waitForTimeline($0) }
      let folder = ".local/share/qwinkle/anna@\(server.host)"
      let draft = #"{"new":{"idempotencyKey":"k","text":"half a thou","visibility":"public"}}"#
      try program.write(Data(draft.utf8), to: "\(folder)/draft.json")
      let out = try await program.run("logout")
      #expect(out.text.contains("1 draft stays in \(program.home)/\(folder). Sign in again to restore it."))
      #expect(out.status == 0 && out.errors == "" && out.text.contains("Signed out of anna@\(server.host)"))
      #expect(double.tokens.isEmpty)
      #expect(program.files(with: Self.canary) == [])
      #expect(!program.files().contains { $0.path.contains("cache") && $0.path.contains("anna@") })
      let refused = try await program.run("timeline", "home", "--server", server.url, "--token-stdin", input: token)
      #expect(refused.status == 1 && refused.errors.contains("no longer accepts your sign-in"), "\(refused.errors)")
      #expect(try await program.run("timeline", "public").text.contains("Welcome to Qwinkle!"))
    }
  }
}
