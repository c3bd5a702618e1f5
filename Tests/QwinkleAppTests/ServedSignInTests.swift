import Foundation
import TerminalTesting
import Testing

/// Signing in to a real `qwinkle serve` with a minimal browser.
@Suite(.needsTmux, .bounded) struct ServedSignInTests {
  private static let password = "correct horse & battery"

  /// Runs `body` with a server that has these accounts, and a program in the same home.
  private func serving(_ names: String..., body: (Program, _ url: String) async throws -> Void) async throws {
    try await Program.inNewHome { program in
      for name in names {
        let made = try await program.run(
          "serve", "add-user", name, "--password-stdin", "--data", "\(program.home)/data",
          input: Self.password + "\n")
        #expect(made.status == 0, "\(made.errors)")
      }
      try await program.serving { try await body(program, $0) }
    }
  }

  private func signIn(_ name: String, _ program: Program, at url: String) async throws -> (token: String, file: String)
  {
    try await program.signIn(at: url) { page in
      try #require(try await Browser.code(at: page, name: name, password: Self.password))
    }
    let host = url.replacing("http://", with: "")
    let file = "\(Program.secrets)/\(name)@\(host).token"
    let bytes = try #require(program.files().first { $0.path == file }?.bytes, "\(program.files().map(\.path))")
    return (String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines), file)
  }

  /// Returns the output of a command that must succeed.
  private func text(_ program: Program, _ arguments: String...) async throws -> String {
    let outcome = try await program.run(arguments)
    #expect(outcome.status == 0 && outcome.errors == "", "\(arguments): \(outcome.errors)")
    return outcome.text
  }

  @Test func `two accounts post and one signs out without affecting the other`() async throws {
    try await serving("anna", "ben") { program, url in
      let annas = try await signIn("anna", program, at: url)
      let bens = try await signIn("ben", program, at: url)
      #expect(annas.token != bens.token)
      #expect(try await text(program, "post", "by anna").contains("Posted"))
      #expect(try await text(program, "post", "by ben", "--as", "ben").contains("Posted"))
      let timeline = try await text(program, "timeline", "public", "--limit", "2", "--as", "ben")
      #expect(timeline.contains("@anna") && timeline.contains("@ben"))

      try await program.onTerminal("--as", "ben", columns: 120) { terminal in
        try await terminal.wait(for: "by ben")
        let process = try await terminal.processID()
        for token in [annas.token, bens.token] {
          #expect(!ProcessList.visibleWords(of: process).contains(token))
        }
        try await terminal.signal(SIGTERM)
        try await terminal.waitForEnd()
      }
      // The server is in the same home, but stores only hashes.
      #expect(program.files(with: annas.token) == [annas.file])
      #expect(program.files(with: bens.token) == [bens.file])
      #expect(program.files(with: Self.password) == [])

      #expect(try await text(program, "logout").contains("has been revoked"))
      let refused = try await program.run(
        "timeline", "home", "--server", url, "--token-stdin", input: annas.token + "\n")
      #expect(
        refused.status == 1 && refused.errors.contains("Sign in again: qwinkle login \(url)"), "\(refused.errors)")
      #expect(program.files(with: annas.token) == [])
      // The other account is still signed in.
      #expect(try await text(program, "accounts").contains("* ben@"))
      #expect(try await text(program, "timeline", "home", "--limit", "1").contains("by ben"))
    }
  }

  @Test func `a code works once and a wrong password yields none`() async throws {
    try await serving("anna") { program, url in
      try await program.onTerminal("login", url, columns: 2000) { terminal in
        let screen = try await terminal.wait(for: "Code:")
        let page = try #require(screen.rows.first { $0.hasPrefix("http") })
        #expect(try await Browser.code(at: page, name: "anna", password: "wrong") == nil)
        try await terminal.type("123456")
        try await terminal.press("Enter")
        try await terminal.wait(for: "rejected the code")
        let code = try #require(try await Browser.code(at: page, name: "anna", password: Self.password))
        try await terminal.type(code)
        try await terminal.press("Enter")
        #expect(try await terminal.waitForEnd().status == 0)
        let again = try await program.run("login", url, input: code)
        #expect(again.status == 1 && again.errors.contains("rejected the code"))
      }
    }
  }
}
