import ArgumentParser
import Foundation
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// `qwinkle message USER TEXT`: sends a direct message and ends.
struct MessageCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "message", abstract: "Send a direct message.",
    discussion: """
      Only you, the user and the people it mentions can see it.

      \(WritingOptions.discussion)
      """)

  @OptionGroup var subject: QwinkerArgument
  @OptionGroup var given: GivenText
  @OptionGroup var warning: WarningOption
  @OptionGroup var writing: WritingOptions

  func validate() throws { try given.checkQuotes(after: "message \(ShellWord.word(subject.user))", of: Self.self) }

  @MainActor
  func start() throws {
    let text = try given.read(toBe: "sent")
    CommandRunner.runWriting(given.options.choice, needingAccountFor: "Sending messages") { writer in
      let qwinker = try await subject.find(on: writer.connection)
      let rules = EntryRules(.message(to: qwinker), me: nil)
      var entry = rules.start(usual: .direct, idempotencyKey: UUID().uuidString)
      entry.text = rules.addressed(text)
      try await writing.post(entry, warning: warning.warning, by: rules, with: writer, done: "Sent")
    }
  }
}
