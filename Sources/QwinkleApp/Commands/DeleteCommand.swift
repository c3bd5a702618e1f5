import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// `qwinkle delete ID`: deletes one of the user's qwinks.
struct DeleteCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete your own post.",
    discussion: """
      It doesn't ask first and can't be undone. A failed command never retries. With --queue the next Qwinkle that \
      runs on the account deletes it.
      """)

  @OptionGroup var subject: QwinkArgument

  @Flag(help: "Print the deleted post as an API entity.")
  var json = false

  @Flag(help: "Queue it; the next Qwinkle that runs on the account deletes it.")
  var queue = false

  @OptionGroup var options: ServerOptions

  func validate() throws {
    if queue, json { throw ValidationError("--json prints the deleted post: leave it out with --queue.") }
  }

  func start() throws {
    if queue { return enqueue() }
    CommandRunner.run(options.choice, needingAccountFor: "Deleting") { server, _ in
      let found = try await subject.findSourced(on: server)
      let qwink = found.answer.original
      do throws(DownloadError) {
        try await server.answer(to: .delete(qwink.id))
      } catch {
        if error.mayHaveArrived { throw AppError.failed("\(error.summary) It may have been deleted.") }
        guard case .notFound = error else { throw error }
        // The server has just returned this qwink. If it can't be found now, the server doesn't support deletion, or
        // the user isn't the author.
        throw AppError.failed("Not deleted: it is not yours, or this server cannot delete.")
      }
      if json { return StandardOutput.print(json: SentJSON.original(of: found.json)) }
      StandardOutput.print("Deleted: \(qwink.url ?? qwink.id.rawValue)")
    }
  }

  @MainActor
  private func enqueue() {
    guard subject.isAddress else {
      return CommandRunner.runQueueing(options.choice, needingAccountFor: "Deleting") { drafts in
        try await queueDeletion(of: subject.id, in: drafts)
      }
    }
    CommandRunner.runWriting(options.choice, needingAccountFor: "Deleting") { writer in
      let id = try await subject.find(on: writer.connection).originalID.rawValue
      try await queueDeletion(of: id, in: writer.drafts)
    }
  }

  @MainActor
  private func queueDeletion(of id: String, in drafts: CommandDrafts) async throws(AppError) {
    try await drafts.queue(OutboxItem(OutgoingChange(.delete, of: id)))
    StandardOutput.print("Queued: the next Qwinkle that runs on the account deletes it.")
  }
}
