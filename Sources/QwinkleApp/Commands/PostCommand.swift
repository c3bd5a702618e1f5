import ArgumentParser
import Foundation
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// `qwinkle post TEXT`: posts and ends.
struct PostCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "post", abstract: "Post a qwink: TEXT, or standard input where it is - or left out.")

  @OptionGroup var given: GivenText

  @MainActor
  func start() throws {
    let text = try given.read()
    CommandRunner.run(given.options.choice, needingAccountFor: "Posting") { server, _ in
      let account = given.writing.isVisibilityChosen ? nil : try? await server.answer(to: .ownAccount)
      let entry = Entry(
        text: text, visibility: try given.writing.visibility(for: account), idempotencyKey: UUID().uuidString)
      try await given.writing.post(entry, by: EntryRules(.new, me: nil), to: server)
    }
  }
}
