import ArgumentParser
import Foundation
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire

/// `qwinkle edit ID TEXT`: gives a qwink of the user's another text.
struct EditCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit your own qwink.",
    discussion: """
      A new text replaces the old one. Attachments, visibility and, without --warning, the content warning stay. \
      --source prints the text as you typed it, for editing.

      \(WritingOptions.discussion)
      """)

  @OptionGroup var subject: QwinkArgument
  @OptionGroup var given: GivenText
  @OptionGroup var writing: WritingOptions

  @Option(help: ArgumentHelp("Set the content warning; an empty one removes it.", valueName: "text"))
  var warning: String?

  @Flag(help: "Change nothing; print the present text as you typed it.")
  var source = false

  func validate() throws {
    try given.checkQuotes(after: "edit \(ShellWord.word(subject.id))", of: Self.self)
    guard source, given.text != nil || warning != nil || writing.json || writing.queue else { return }
    throw ValidationError("--source only prints: leave out the text, --warning, --queue and --json.")
  }

  @MainActor
  func start() throws {
    let text = source ? nil : try given.read(toBe: "edited")
    CommandRunner.runWriting(given.options.choice, needingAccountFor: "Editing") { writer in
      let server = writer.connection
      let qwink = try await subject.find(on: server)
      let me = try await server.answer(to: .ownAccount).qwinker
      guard qwink.author.id == me.id else { throw AppError.failed("You can only edit your own qwinks.") }
      let old = try await server.answer(to: .source(qwink.originalID))
      guard let text else { return StandardOutput.print(old.text, wraps: false) }
      guard qwink.poll == nil else {
        throw AppError.failed("A qwink with a poll cannot be edited here: its votes would be lost.")
      }
      let rules = EntryRules(.edit(qwink), me: me)
      var entry = rules.start(usual: qwink.visibility, idempotencyKey: UUID().uuidString)
      entry.text = text
      entry.contentWarning = old.contentWarning
      try await writing.edit(qwink, entry, warning: warning, by: rules, with: writer)
    }
  }
}
