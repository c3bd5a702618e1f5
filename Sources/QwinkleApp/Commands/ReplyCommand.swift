import ArgumentParser
import QwinkleModel

/// `qwinkle reply ID TEXT`: replies to a qwink and exits.
struct ReplyCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "reply", abstract: "Reply to a post.",
    discussion: """
      The reply mentions the author and everyone the post mentions. It is never more visible than the post: a reply \
      to a direct message is direct.

      \(WritingOptions.discussion)
      """)

  @OptionGroup var subject: QwinkArgument
  @OptionGroup var given: GivenText
  @OptionGroup var audience: AudienceOption
  @OptionGroup var quotes: QuotePolicyOption
  @OptionGroup var warning: WarningOption
  @OptionGroup var extras: ExtrasOptions
  @OptionGroup var thread: ThreadOptions
  @OptionGroup var writing: WritingOptions

  func validate() throws {
    try given.checkQuotes(after: "reply \(ShellWord.word(subject.id))", of: Self.self)
    if writing.retry != nil, thread.thread {
      throw ValidationError("--retry sends one post: leave out --thread.")
    }
  }

  func start() throws {
    let text = try given.read(toBe: "sent")
    let entry = GivenEntry(
      target: .reply(subject.id), text: text, visibility: audience.chosen, warning: warning.line,
      language: extras.language, isSensitive: extras.sensitive, quotePolicy: quotes.chosen,
      poll: try extras.entryPoll(), options: extras.given + thread.given)
    CommandRunner.runWriting(
      given.options.choice, needingAccountFor: "Replying", saving: entry, isQueued: writing.queue
    ) { writer, draft in
      try await writing.write(draft, extras: extras, as: thread, with: writer)
    }
  }
}
