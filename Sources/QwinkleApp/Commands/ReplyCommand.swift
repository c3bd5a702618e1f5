import ArgumentParser
import Foundation
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// `qwinkle reply ID TEXT`: replies to a qwink and ends.
struct ReplyCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "reply", abstract: "Answer a qwink: TEXT, or standard input where it is - or left out.",
    discussion: """
      It names the author and all whom the qwink names, and is never read by more people than the qwink is: an answer to a \
      private message is private.
      """)

  @Argument(help: "The id of the qwink to answer, the last word of its first line in a timeline, or its address.")
  var id: String

  @OptionGroup var given: GivenText

  @MainActor
  func start() throws {
    let text = try given.read()
    CommandRunner.run(given.options.choice, needingAccountFor: "Answering") { server, _ in
      let parent = try await QwinkArgument.qwink(id, from: server)
      let account = try? await server.answer(to: .ownAccount)
      let rules = EntryRules(.reply(to: parent), me: account?.qwinker)
      let visibility = try given.writing.visibility(for: account)
      var entry = rules.start(usual: visibility, idempotencyKey: UUID().uuidString)
      // Only people who are mentioned hear of a reply.
      entry.text = rules.addressed(text)
      try await given.writing.post(entry, by: rules, to: server)
    }
  }
}
