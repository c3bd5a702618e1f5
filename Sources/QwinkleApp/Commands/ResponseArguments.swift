import ArgumentParser
import QwinkleModel

/// Arguments of the commands that respond to a post with a new one.
struct ResponseArguments: ParsableArguments {
  @OptionGroup var subject: QwinkArgument
  @OptionGroup var given: GivenText
  @OptionGroup var audience: AudienceOption
  @OptionGroup var quotes: QuotePolicyOption
  @OptionGroup var warning: WarningOption
  @OptionGroup var extras: ExtrasOptions
  @OptionGroup var thread: ThreadOptions
  @OptionGroup var writing: WritingOptions

  /// Rejects a text without quotes and options that exclude each other.
  func check(for command: any ParsableCommand.Type) throws {
    let name = command.configuration.commandName ?? ""
    try given.checkQuotes(after: "\(name) \(ShellWord.word(subject.id))", of: command)
    if writing.retry != nil, thread.thread {
      throw ValidationError("--retry sends one post: leave out --thread.")
    }
  }

  /// Sends the new post. `purpose` is a sentence's subject for the error without an account.
  @MainActor
  func send(as target: (String) -> GivenEntry.Target, needingAccountFor purpose: String) throws {
    let text = try given.read(toBe: "sent")
    let entry = GivenEntry(
      target: target(subject.id), text: text, visibility: audience.chosen, warning: warning.line,
      language: extras.language, isSensitive: extras.sensitive, quotePolicy: quotes.chosen,
      poll: try extras.entryPoll(), options: extras.given + thread.given)
    CommandRunner.runWriting(
      given.options.choice, needingAccountFor: purpose, saving: entry, isQueued: writing.queue
    ) { writer, draft in
      try await writing.write(draft, extras: extras, as: thread, with: writer)
    }
  }
}
