import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// `qwinkle redraft ID`: deletes one of the user's qwinks and saves its content as a draft.
struct RedraftCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "redraft", abstract: "Delete your own post and save it as a draft, to write it again.",
    discussion: """
      The draft has its text, audience, content warning, language, poll and files. It is saved before the post is \
      deleted. If deleting fails, no draft remains. On the screen, :drafts lists it; qwinkle drafts NUMBER prints its \
      text.
      """)

  @OptionGroup var subject: QwinkArgument

  @Flag(help: "Print the deleted post as an API entity.")
  var json = false

  @OptionGroup var options: ServerOptions

  func start() throws {
    CommandRunner.runWriting(options.choice, needingAccountFor: "Deleting") { writer in
      let found = try await subject.findSourced(on: writer.connection)
      let qwink = found.answer.original
      let me = try await writer.connection.answer(to: .ownAccount).qwinker
      guard qwink.author.id == me.id else { throw AppError.failed("You can delete only your own posts.") }
      let result = await withCheckedContinuation { continuation in
        writer.account.redraft(qwink) { continuation.resume(returning: $0) }
      }
      switch result {
      case .success(let redraft):
        if json { return StandardOutput.print(json: SentJSON.original(of: found.json)) }
        StandardOutput.print("Deleted: \(qwink.url ?? qwink.id.rawValue)")
        guard let number = await writer.number(of: redraft.draft) else { return }
        StandardOutput.print("Draft \(number): qwinkle drafts \(number) prints it; in qwinkle, :drafts lists it.")
      case .failure(let error): throw AppError.failed(error.sentence)
      }
    }
  }
}
