import ArgumentParser
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// `qwinkle edit ID TEXT`: replaces the text of one of the user's qwinks.
struct EditCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit your own post.",
    discussion: """
      A new text replaces the old one. Attachments and visibility don't change, nor does the warning without \
      --warning. --source prints the text as you typed it, for editing.

      \(WritingOptions.discussion)
      """)

  @OptionGroup var subject: QwinkArgument
  @OptionGroup var given: GivenText
  @OptionGroup var quotes: QuotePolicyOption
  @OptionGroup var writing: WritingOptions

  @Option(help: ArgumentHelp("Set the content warning; an empty one removes it.", valueName: "text"))
  var warning: String?

  @Flag(help: "Only print the current text, as you typed it.")
  var source = false

  func validate() throws {
    try given.checkQuotes(after: "edit \(ShellWord.word(subject.id))", of: Self.self)
    let hasMore =
      given.text != nil || warning != nil || quotes.quotePolicy != nil || writing.json || writing.queue
      || writing.retry != nil
    guard source, hasMore else { return }
    throw ValidationError(
      "--source only prints: leave out the text, --warning, --quote-policy, --queue, --retry and --json.")
  }

  func start() throws {
    guard !source else { return printSource() }
    let entry = GivenEntry(
      target: .edit(subject.id), text: try given.read(toBe: "edited"),
      warning: warning.map { OwnText.withoutControls($0, keepsNewlines: false) },
      quotePolicy: quotes.chosen)
    CommandRunner.runWriting(
      given.options.choice, needingAccountFor: "Editing", saving: entry, isQueued: writing.queue
    ) { writer, draft in
      try await writing.write(draft, with: writer, done: "Edited")
    }
  }

  @MainActor
  private func printSource() {
    CommandRunner.run(given.options.choice, needingAccountFor: "Editing") { server, _ in
      let qwink = try await subject.find(on: server)
      let me = try await server.answer(to: .ownAccount).qwinker
      guard qwink.author.id == me.id else { throw AppError.failed(ResolvingError.notMine.sentence) }
      StandardOutput.print(try await server.answer(to: .source(qwink.originalID)).text, wraps: false)
    }
  }
}
