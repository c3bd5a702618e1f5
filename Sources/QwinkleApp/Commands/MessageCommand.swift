import ArgumentParser
import QwinkleModel

/// `qwinkle message USER TEXT`: sends a direct message and exits.
struct MessageCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "message", abstract: "Send a direct message.",
    discussion: """
      Only you, the user and the people it mentions can see it.

      \(WritingOptions.discussion)
      """)

  @OptionGroup var subject: QwinkerArgument
  @OptionGroup var given: GivenText
  @OptionGroup var warning: WarningOption
  @OptionGroup var writing: WritingOptions

  func validate() throws { try given.checkQuotes(after: "message \(ShellWord.word(subject.user))", of: Self.self) }

  func start() throws {
    let text = try given.read(toBe: "sent")
    let entry = GivenEntry(
      target: .message(subject.user), text: text, visibility: .direct, warning: warning.line)
    CommandRunner.runWriting(
      given.options.choice, needingAccountFor: "Sending messages", saving: entry, isQueued: writing.queue
    ) { writer, draft in
      try await writing.write(draft, with: writer, done: "Sent")
    }
  }
}
