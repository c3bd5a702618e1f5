import Foundation
import QwinkleTesting
import TerminalTesting
import Testing

/// `qwinkle doctor` finds problems and reveals no secrets.
@Suite(.bounded) struct DoctorTests {
  private let double = SignInDouble(prefix: "canary")

  @Test func `a new home has no problems and is left unchanged`() async throws {
    try await Program.inNewHome { program in
      let outcome = try await program.run("doctor")
      #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
      #expect(outcome.text.contains("No problems found."), "\(outcome.text)")
      #expect(outcome.text.contains("timeline on this machine") && outcome.text.contains("doesn't exist yet"))
      #expect(program.files().isEmpty)
    }
  }

  @Test(arguments: [
    (["TERM": "xterm-256color"], "", "256, because TERM is xterm-256color"),
    (["TERM": "xterm-256color", "COLORTERM": "truecolor"], "", "24-bit, because COLORTERM is truecolor"),
    (["TERM": "xterm-256color", "NO_COLOR": "1"], "", "none, because NO_COLOR is set"),
    (["TERM": "xterm", "COLORTERM": "truecolor"], "colours = \"none\"\n", "none, because the option colours is none"),
    (["TERM": "xterm-256color"], "colours = \"16\"\n", "16, because the option colours is 16"),
    (["TERM": "vt100"], "", "none, because TERM is vt100"),
  ])
  func `the number of colours has a reason`(variables: [String: String], config: String, words: String) async throws {
    try await Program.inNewHome { program in
      try program.write(config.utf8, to: ".config/qwinkle/config.toml")
      var program = program
      program.environment["COLORTERM"] = nil
      let outcome = try await program.with(variables).run("doctor", "--offline")
      #expect(outcome.text.contains("colours  ") && outcome.text.contains("  \(words)\n"), "\(outcome.text)")
    }
  }

  @Test func `a corrupt database is found and left unchanged`() async throws {
    try await Program.inNewHome { program in
      #expect(try await program.run("post", "a canary in the text").status == 0)
      let before = try await program.run("doctor")
      #expect(before.status == 0 && before.text.contains("service.sqlite"), "\(before.text)")
      #expect(!before.text.contains("canary"))
      let path = try #require(program.files().first { $0.path.hasSuffix("service.sqlite") }?.path)
      var bytes = try Data(contentsOf: URL(fileURLWithPath: "\(program.home)/\(path)"))
      let page = 4096..<min(bytes.count, 8192)
      bytes.replaceSubrange(page, with: Data(repeating: 0x5A, count: page.count))
      try bytes.write(to: URL(fileURLWithPath: "\(program.home)/\(path)"))
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: "\(program.home)/\(path)")
      let after = try await program.run("doctor")
      #expect(after.status == 1 && after.text.contains("1 problem found"), "\(after.text)")
      #expect(after.text.contains("SQLite reports"))
      #expect(try Data(contentsOf: URL(fileURLWithPath: "\(program.home)/\(path)")) == bytes)
    }
  }

  @Test func `files readable by other users are found`() async throws {
    try await Program.inNewHome { program in
      #expect(try await program.run("post", "hello").status == 0)
      let path = try #require(program.files().first { $0.path.hasSuffix("service.sqlite") }?.path)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: "\(program.home)/\(path)")
      let outcome = try await program.run("doctor")
      #expect(outcome.status == 1 && outcome.text.contains("chmod 600"), "\(outcome.text)")
    }
  }

  @Test func `the server is contacted unless offline and no token is shown`() async throws {
    try await withServer(double.script()) { server in
      try await Program.inNewHome { program in
        let token = double.makeToken(for: "anna")
        _ = try await program.run("login", server.url, "--token-stdin", input: token + "\n")
        let outcome = try await program.run("doctor")
        #expect(outcome.text.contains("anna@\(server.host)"), "\(outcome.text)")
        #expect(outcome.text.contains("signed in") && !outcome.text.contains(token))
        let count = server.requests.count
        let offline = try await program.run("doctor", "--offline")
        #expect(offline.status == 0 && server.requests.count == count, "\(offline.text)")
      }
    }
  }

  @Test func `an unreachable server is reported as a problem`() async throws {
    try await Program.inNewHome { program in
      let outcome = try await program.run("doctor", "--server", "http://127.0.0.1:9")
      #expect(outcome.status == 1 && outcome.text.contains("! "), "\(outcome.text)")
      #expect(outcome.errors == "")
    }
  }

  @Test func `only the errors in the log are shown`() async throws {
    try await Program.inNewHome { program in
      try FileManager.default.createDirectory(
        atPath: program.home + "/state/qwinkle", withIntermediateDirectories: true)
      try program.write(
        "2026-01-01T00:00:00Z info fine\n2026-01-01T00:00:01Z error it broke\n".utf8, to: "state/qwinkle/log")
      let outcome = try await program.with(["XDG_STATE_HOME": program.home + "/state"]).run("doctor")
      #expect(outcome.text.contains("it broke") && !outcome.text.contains("fine"), "\(outcome.text)")
    }
  }
}
