import ArgumentParser
import Foundation
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// `qwinkle post TEXT`: posts and ends.
struct PostCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "post", abstract: "Post a qwink: TEXT, or standard input where it is - or left out.")

  @Argument(help: "What to say; - reads it from standard input.")
  var text: String?

  @OptionGroup var writing: WritingOptions
  @OptionGroup var options: ServerOptions

  func validate() throws {
    try GivenText.check(text, options)
  }

  @MainActor
  func start() throws {
    let text = try GivenText.read(text)
    CommandRunner.run(options.choice, needingAccountFor: "Posting") { server, _ in
      let account = writing.isVisibilityChosen ? nil : try? await server.answer(to: .ownAccount)
      let entry = Entry(
        text: text, visibility: try writing.visibility(for: account), idempotencyKey: UUID().uuidString)
      try await writing.post(entry, by: EntryRules(.new, me: nil), to: server)
    }
  }
}
