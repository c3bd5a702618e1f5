import Foundation
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleApp

/// Shell completion in bash, zsh and fish.
@Suite(.bounded) struct CompletionTests {
  private static let script: String = {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return tests.appending(path: "Shell/completions").path
  }()

  @Test func `each shell completes accounts, users, hashtags and words`() async throws {
    try await Program.inNewHome { program in
      let outcome = try await ChildProcess.run(
        ["/usr/bin/env", "python3", Self.script, Program.path], environment: program.environment,
        directory: program.home, patience: .seconds(240))
      #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.text)\(outcome.errors)")
      #expect(outcome.text.hasPrefix("completions: 16 lines in bash"), "\(outcome.text)")
      print(outcome.text)
    }
  }

  @Test(arguments: [
    (["qwinkle", "follow", "@be"], nil), (["qwinkle", "--as", "anna", "follow"], "anna"),
    (["qwinkle", "follow", "--as=anna@tilde.example"], "anna@tilde.example"), (["qwinkle", "--as"], nil),
    (["qwinkle", "--as", ""], nil), (["qwinkle", "--as", "'anna'"], "anna"),
  ])
  func `completion uses the account that the command line names`(words: [String], account: String?) {
    #expect(KnownCompletions.account(in: words) == account)
  }

  @Test func `completion creates no files`() async throws {
    try await Program.inNewHome { program in
      let before = program.files().map(\.path)
      let words = ["qwinkle", "follow", "@"]
      let outcome = try await program.run(["---completion", "follow", "--", "positional@0", "2", "1"] + words)
      #expect(outcome.status == 0 && outcome.text == "\n" && outcome.errors == "", "\(outcome.text)\(outcome.errors)")
      let accounts = try await program.run(["---completion", "follow", "--", "--as", "2", "0", "qwinkle", "--as", ""])
      #expect(accounts.status == 0 && accounts.text == "local\n", "\(accounts.text)\(accounts.errors)")
      #expect(program.files().map(\.path) == before)
    }
  }
}
