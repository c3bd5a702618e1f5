import Foundation
import TerminalTesting
import Testing

/// Backup, check and restore of the data of `qwinkle serve`.
@Suite(.bounded) struct ServeDataCommandTests {
  private func run(_ program: Program, _ arguments: String...) async throws -> ChildProcess.Outcome {
    try await program.run(["serve"] + arguments + ["--data", "\(program.home)/data"])
  }

  @Test func `a corrupt database is not served until a backup is restored`() async throws {
    try await Program.inNewHome { program in
      try await program.serving { url in
        let backup = try await run(program, "backup", "backup.sqlite")
        #expect(backup.status == 0 && backup.errors == "" && backup.text.hasPrefix("Saved backup.sqlite: 1 account, "))
        let again = try await run(program, "backup", "backup.sqlite")
        #expect(again.status == 1 && again.text == "" && again.errors.contains("exists already"))
        let restored = try await run(program, "restore", "backup.sqlite")
        #expect(restored.status == 1 && restored.errorLines.count == 1)
        #expect(restored.errors.contains(#/process [0-9]+/#), "\(restored.errors)")
        let second = try await run(program, "--bind", "127.0.0.1:0")
        #expect(second.status == 1 && second.text == "" && second.errors.contains(#/process [0-9]+/#))
      }
      #expect(try await run(program, "check").text.contains("data/service.sqlite is sound: 1 account, "))
      #expect(try await run(program, "check", "backup.sqlite").text.hasPrefix("backup.sqlite is sound: 1 account, "))

      let path = "\(program.home)/data/service.sqlite"
      var bytes = try Data(contentsOf: URL(filePath: path))
      bytes.replaceSubrange(4096 * 3..<4096 * 4, with: Data(repeating: 0xFF, count: 4096))
      try bytes.write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      #expect(try await run(program, "check").status == 1)
      let refused = try await run(program, "--bind", "127.0.0.1:0")
      #expect(refused.status == 1 && refused.text == "" && refused.errorLines.count == 1)
      #expect(refused.errors.contains("qwinkle serve restore FILE"), "\(refused.errors)")
      #expect(try Data(contentsOf: URL(filePath: path)) == bytes)

      let restored = try await run(program, "restore", "backup.sqlite")
      #expect(restored.status == 0 && restored.text.contains("The previous database is now "), "\(restored.errors)")
      try await program.serving { url in
        let read = try await program.run("timeline", "public", "--server", url)
        #expect(read.status == 0 && read.text.contains("Welcome to Qwinkle!"))
      }
    }
  }
}
