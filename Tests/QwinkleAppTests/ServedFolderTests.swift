import ArgumentParser
import Foundation
import TerminalTesting
import Testing

@testable import QwinkleApp

/// The data folder of `qwinkle serve`: its permissions, and the posts in a new folder.
@Suite(.bounded) struct ServedFolderTests {
  /// `qwinkle serve` and each of its commands.
  private static let commands = [
    ["--bind", "127.0.0.1:0"], ["add-user", "ben"], ["set-password", "anna", "--password-stdin"], ["users", "list"],
    ["users", "suspend", "anna"], ["users", "unsuspend", "anna"], ["users", "remove", "anna", "--yes"],
    ["users", "release", "anna"], ["users", "tokens", "anna"], ["users", "revoke", "anna", "--all"],
    ["users", "role", "anna", "moderator"], ["users", "limit", "anna"], ["users", "unlimit", "anna"],
    ["reports", "list"], ["reports", "show", "1"], ["reports", "resolve", "1"], ["reports", "reopen", "1"],
    ["delete-post", "1"], ["rules", "list"], ["rules", "add", "Be kind."], ["rules", "edit", "1", "Be calm."],
    ["rules", "remove", "1"], ["log"], ["stats"],
    ["backup", "second.sqlite"], ["check"], ["restore", "copy.sqlite"],
  ]

  private func run(_ program: Program, _ arguments: [String]) async throws -> ChildProcess.Outcome {
    try await program.run(["serve"] + arguments + ["--data", "\(program.home)/data"], input: "a good password\n")
  }

  private static func names(below command: any ParsableCommand.Type) -> [[String]] {
    command.configuration.subcommands.flatMap { command in
      let name = [command.configuration.commandName ?? ""]
      let below = names(below: command)
      return below.isEmpty ? [name] : below.map { name + $0 }
    }
  }

  @Test func `the table has every command of serve`() {
    let names = Self.names(below: ServeCommand.self)
    #expect(names.count == Self.commands.count - 1)
    for name in names { #expect(Self.commands.contains { $0.starts(with: name) }, "\(name)") }
  }

  @Test(arguments: commands)
  func `a folder that other users can access is refused and left unchanged`(_ arguments: [String]) async throws {
    try await Program.inNewHome { program in
      #expect(try await run(program, ["add-user", "anna", "--password-stdin"]).status == 0)
      #expect(try await run(program, ["backup", "copy.sqlite"]).status == 0)
      let folder = "\(program.home)/data"
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
      let refused = try await run(program, arguments)
      #expect(refused.status == 1 && refused.text == "" && refused.errorLines.count == 1)
      #expect(refused.errors.contains("Run: chmod 700 \(folder)"), "\(refused.errors)")
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
      let users = try await run(program, ["users", "list"])
      #expect(users.status == 0 && users.text.contains("@anna") && users.text.contains("1 token"))
      #expect(!users.text.contains("suspended") && !users.text.contains("limited") && !users.text.contains("@ben"))
      #expect(!program.files().contains { $0.path.hasPrefix("second.sqlite") })
    }
  }

  @Test func `welcome posts about this machine are not served to clients`() async throws {
    try await Program.inNewHome { program in
      let own = try await program.run("timeline", "public")
      #expect(own.text.contains("#welcome") && own.text.contains("#yours") && own.text.contains("#sharing"))
      try await program.serving { url in
        let read = try await program.run("timeline", "public", "--server", url)
        #expect(read.text.contains("#welcome") && read.text.contains("#neighbours"))
        #expect(!read.text.contains("machine") && !read.text.contains(".local"), "\(read.text)")
      }
    }
  }
}
