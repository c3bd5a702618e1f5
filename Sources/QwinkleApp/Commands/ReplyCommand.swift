import ArgumentParser
import Foundation
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// `qwinkle reply ID TEXT`: replies to a qwink and ends.
struct ReplyCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "reply", abstract: "Reply to a qwink.",
    discussion: """
      The reply mentions the author and everyone the qwink mentions. Never more people can see it than the qwink: a reply to \
      a direct message is direct.

      \(WritingOptions.discussion)
      """)

  @OptionGroup var subject: QwinkArgument
  @OptionGroup var given: GivenText
  @OptionGroup var audience: AudienceOption
  @OptionGroup var warning: WarningOption
  @OptionGroup var extras: ExtrasOptions
  @OptionGroup var thread: ThreadOptions
  @OptionGroup var writing: WritingOptions

  func validate() throws { try given.checkQuotes(after: "reply \(ShellWord.word(subject.id))", of: Self.self) }

  @MainActor
  func start() throws {
    let text = try given.read(toBe: "sent")
    CommandRunner.runWriting(given.options.choice, needingAccountFor: "Replying") { writer in
      let server = writer.connection
      let parent = try await subject.find(on: server)
      let account = try? await server.answer(to: .ownAccount)
      let rules = EntryRules(.reply(to: parent), me: account?.qwinker)
      let visibility = try audience.visibility(for: account)
      var entry = rules.start(usual: visibility, idempotencyKey: UUID().uuidString)
      // Only people who are mentioned hear of a reply.
      entry.text = rules.addressed(text)
      try await extras.add(to: &entry, for: rules.purpose, with: writer)
      try await writing.post(entry, warning: warning.warning, by: rules, as: thread, with: writer)
    }
  }
}
