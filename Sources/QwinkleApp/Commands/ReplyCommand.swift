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

  @OptionGroup var arguments: ResponseArguments

  func validate() throws { try arguments.check(for: Self.self) }

  func start() throws {
    try arguments.send(as: GivenEntry.Target.reply, needingAccountFor: "Replying")
  }
}
