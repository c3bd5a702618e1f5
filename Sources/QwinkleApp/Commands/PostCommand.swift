import ArgumentParser
import Foundation
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// `qwinkle post TEXT`: posts and ends.
struct PostCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "post", abstract: "Post a qwink.")

  @OptionGroup var given: GivenText
  @OptionGroup var audience: AudienceOption
  @OptionGroup var writing: WritingOptions

  @MainActor
  func start() throws {
    let text = try given.read()
    CommandRunner.run(given.options.choice, needingAccountFor: "Posting") { server, _ in
      let account = audience.isChosen ? nil : try? await server.answer(to: .ownAccount)
      let entry = Entry(
        text: text, visibility: try audience.visibility(for: account), idempotencyKey: UUID().uuidString)
      try await writing.post(entry, by: EntryRules(.new, me: nil), to: server)
    }
  }
}
