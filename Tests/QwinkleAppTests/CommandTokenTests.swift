import QwinkleModel
import QwinkleStore
import QwinkleTesting
import TerminalTesting
import Testing

/// Commands that send a text, on an account whose token is unavailable.
@MainActor
@Suite(.bounded) struct CommandTokenTests {
  nonisolated private static let commands = CommandFailureTests.commands
  nonisolated private static let queued = commands.filter(\.canQueue)

  /// A token command that outputs no token, and the resulting message.
  struct TokenCommand: Sendable {
    let command: String
    let sentence: String
  }

  nonisolated static let tokenCommands = [
    TokenCommand(command: "exit 1", sentence: "failed with status 1."),
    TokenCommand(command: "kill -TERM $$", sentence: "failed by signal 15."),
    TokenCommand(command: "true", sentence: "Not a token from "),
    TokenCommand(command: "echo two words", sentence: "Not a token from "),
  ]

  /// Returns a harness whose account has a token command.
  private func makeHarness(tokenCommand: @MainActor (CommandHarness) -> String) throws -> CommandHarness {
    let harness = CommandHarness()
    harness.usesAccountsFile = true
    harness.sessionFolder = "mara@writing.example"
    let account = SavedAccount(
      name: harness.sessionFolder, serverURL: WritingServer.url, tokenOrigin: .command(tokenCommand(harness)))
    _ = try AccountsFile(directory: harness.data).change { $0.put(account) }
    return harness
  }

  /// Returns a token command that fails with status 3 if a text is on disk. The text must be saved first, because a
  /// token command that hangs can only be interrupted.
  private static func lookingCommand(_ harness: CommandHarness) -> String {
    "grep -aqr Words '\(harness.folder)' && exit 3; exit 4"
  }

  @Test(arguments: commands)
  func `a text is saved as a draft before the token is requested`(command: CommandFailureTests.Command) async throws {
    let harness = try makeHarness(tokenCommand: Self.lookingCommand)
    let outcome = try await harness.run(command.arguments)
    #expect(outcome.status == 1 && outcome.errors.contains("failed with status 3."), "\(outcome)")
    #expect(outcome.errors.contains("The text is a draft: in qwinkle, "), "\(outcome)")
    #expect(try harness.drafts().count == 1)
  }

  @Test(arguments: queued)
  func `a text to be queued is saved before the token is requested`(
    command: CommandFailureTests.Command
  ) async throws {
    let harness = try makeHarness(tokenCommand: Self.lookingCommand)
    let outcome = try await harness.run(command.arguments + ["--queue"])
    #expect(outcome.status == 0 && outcome.errors.contains("failed with status 3."), "\(outcome)")
    #expect(try harness.drafts().isEmpty && harness.items().count == 1)
  }

  @Test(arguments: queued, tokenCommands)
  func `a text queued without a token is sent complete and once`(
    command: CommandFailureTests.Command, token: TokenCommand
  ) async throws {
    let harness = try makeHarness { _ in token.command }
    let outcome = try await harness.run(command.arguments + ["--queue"])
    #expect(outcome.status == 0 && outcome.output.hasPrefix("Queued:"), "\(outcome)")
    #expect(outcome.errors.contains(token.sentence), "\(outcome)")
    await harness.sendOutbox()
    #expect(harness.server.written == [command.written])
    #expect(try harness.items().isEmpty && harness.drafts().isEmpty)
  }

  @Test func `a text with files to upload is not queued without a token`() async throws {
    let harness = try makeHarness { _ in "exit 1" }
    let outcome = try await harness.run(["post", "Words", "--attach", "/picture.png", "--queue"])
    #expect(outcome.status == 1 && outcome.errors.contains("The text is a draft: in qwinkle, "), "\(outcome)")
    #expect(try harness.drafts().count == 1 && harness.items().isEmpty)
  }

  @Test func `a deletion is queued without a token`() async throws {
    let harness = try makeHarness { _ in "exit 1" }
    let outcome = try await harness.run(["delete", "5", "--queue"])
    #expect(outcome.status == 0 && outcome.output.hasPrefix("Queued:") && outcome.errors.isEmpty, "\(outcome)")
    #expect(try harness.items().map(\.kind) == [.delete])
  }
}
