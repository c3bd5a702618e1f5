import ArgumentParser
import Foundation
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// `qwinkle post TEXT`: posts and ends.
struct PostCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "post", abstract: "Post a qwink.", discussion: WritingOptions.discussion)

  @OptionGroup var given: GivenText
  @OptionGroup var audience: AudienceOption
  @OptionGroup var warning: WarningOption
  @OptionGroup var writing: WritingOptions

  func validate() throws { try given.checkQuotes(after: "post", of: Self.self) }

  @MainActor
  func start() throws {
    let text = try given.read(toBe: "posted")
    CommandRunner.runWriting(given.options.choice, needingAccountFor: "Posting") { writer in
      let account = audience.isChosen ? nil : try? await writer.connection.answer(to: .ownAccount)
      let entry = Entry(
        text: text, visibility: try audience.visibility(for: account), idempotencyKey: UUID().uuidString)
      try await writing.post(entry, warning: warning.warning, by: EntryRules(.new, me: nil), with: writer)
    }
  }
}
