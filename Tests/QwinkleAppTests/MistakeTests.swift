import Foundation
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleApp

/// Mistakes of users and scripts: the message names the mistake, and nothing is changed by it.
@Suite(.bounded) struct MistakeTests {
  private func write(_ text: String, to name: String, of program: Program) throws {
    let folder = "\(program.home)/.config/qwinkle"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
  }

  @Test func `a command names the first problem in the configuration and runs`() async throws {
    try await Program.inNewHome { program in
      try write("density = 3\ntheme = \n", to: "config.toml", of: program)
      for arguments in [["post", "Frost."], ["timeline", "public"], ["config", "--diff"]] {
        let outcome = try await program.run(arguments)
        #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
        for words in ["Ignored: config.toml:1:11: density must be", "(1 more: qwinkle config --check)"] {
          #expect(outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
        }
      }
    }
  }

  @Test(arguments: ["socket = /run/q.sock", "socket = 7", "socket = \"q.sock\""])
  func `a post goes to no other timeline if the option socket is invalid`(line: String) async throws {
    try await Program.inNewHome { program in
      try write("\(line)\n", to: "config.toml", of: program)
      let outcome = try await program.run("post", "Frost.")
      #expect(outcome.status == 1 && outcome.text.isEmpty, "\(outcome.text)")
      #expect(outcome.errors.contains("the socket decides which timeline is used"), "\(outcome.errors)")
      #expect(!outcome.errors.contains("Ignored"), "\(outcome.errors)")
      try write("", to: "config.toml", of: program)
      #expect(try await !program.run("timeline", "public").text.contains("Frost."))
    }
  }

  @Test func `every file of the configuration is checked`() async throws {
    try await Program.inNewHome { program in
      try write("xx = zz\n", to: "theme.txt", of: program)
      let outcome = try await program.run("config", "--check")
      #expect(outcome.status == 1 && outcome.text.contains("theme.txt:1:"), "\(outcome.text)\(outcome.errors)")
    }
  }

  @Test(arguments: ["thread", "boost", "delete", "pin", "history", "scheduled", "translate"])
  func `an empty id is refused`(command: String) async throws {
    try await Program.inNewHome { program in
      let outcome = try await program.run(command, " ")
      #expect(outcome.status == 2 && outcome.errors.contains("The id is empty."), "\(outcome.errors)")
    }
  }

  @Test func `a message names what was not found`() async throws {
    try await Program.inNewHome { program in
      for (arguments, name) in [(["thread", "abc"], "“abc”"), (["profile", "@nobody9"], "“@nobody9”")] {
        let outcome = try await program.run(arguments)
        #expect(outcome.status == 1 && outcome.errors.contains(name), "\(outcome.errors)")
      }
    }
  }

  @Test(arguments: ["users", "rules", "reports", "log", "stats", "users tokens anna", "rules add Kind"])
  func `a command for operators creates no timeline in a mistyped folder`(line: String) async throws {
    try await Program.inNewHome { program in
      let words = line.split(separator: " ").map(String.init)
      let outcome = try await program.run(["serve"] + words + ["--data", "\(program.home)/none"])
      #expect(outcome.status == 1 && outcome.errors.contains("There is no timeline in"), "\(outcome.errors)")
      #expect(!FileManager.default.fileExists(atPath: "\(program.home)/none"))
    }
  }

  @Test func `an operator's change succeeds even if its output is lost`() async throws {
    try await Program.inNewHome { program in
      for (line, done) in [
        ("add-user kim", "User added"), ("rules add Kind", "Done"), ("users limit kim --reason x", "Done"),
        ("users revoke kim --all", "Done"), ("users remove kim --yes", "Done"),
      ] {
        let outcome = try await ChildProcess.run(
          ["/bin/sh", "-c", "\"$0\" serve \(line) < /dev/null > /dev/full", Program.path],
          environment: program.environment, directory: program.home)
        #expect(outcome.status == 0, "\(line): \(outcome.errors)")
        #expect(outcome.errors.contains("\(done), but cannot write"), "\(line): \(outcome.errors)")
      }
      let failed = try await program.run("serve", "users", "limit", "kim", "--reason", "x")
      #expect(failed.status == 1 && failed.errors.contains("List them: qwinkle serve users"), "\(failed.errors)")
    }
  }

  @Test func `a relative home is ignored`() {
    #expect(Paths(environment: ["HOME": "rel"]).home.hasPrefix("/"))
  }
}
