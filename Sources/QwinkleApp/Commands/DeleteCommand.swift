import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire

/// `qwinkle delete ID`: deletes a qwink of the user's.
struct DeleteCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete your own qwink.",
    discussion: """
      It asks nothing and cannot be undone. If it fails, nothing is deleted later unless you say so. With --queue it \
      is deleted later, when a Qwinkle runs on the account.
      """)

  @OptionGroup var subject: QwinkArgument

  @Flag(help: "Print the deleted qwink as an API entity.")
  var json = false

  @Flag(help: "Queue it; the next Qwinkle that runs on the account deletes it.")
  var queue = false

  @OptionGroup var options: ServerOptions

  func validate() throws {
    if queue, json { throw ValidationError("--json prints what was deleted: leave it out with --queue.") }
  }

  @MainActor
  func start() throws {
    if queue { return enqueue() }
    CommandRunner.run(options.choice, needingAccountFor: "Deleting") { server, _ in
      let qwink = try await subject.find(on: server).original
      do throws(DownloadError) {
        try await server.answer(to: .delete(qwink.id))
      } catch {
        if error.mayHaveArrived { throw AppError.failed("\(error.summary) It may have been deleted.") }
        guard case .notFound = error else { throw error }
        // It has just been found: the server doesn't know the call, or lets only its author delete it.
        throw AppError.failed("Not deleted: it is not yours, or this server cannot delete.")
      }
      if json { return StandardOutput.print(json: WireEncoder.qwink(qwink)) }
      StandardOutput.print("Deleted: \(qwink.url ?? qwink.id.rawValue)")
    }
  }

  @MainActor
  private func enqueue() {
    CommandRunner.runWriting(options.choice, needingAccountFor: "Deleting") { writer in
      // An id needs no network.
      let id = subject.isAddress ? try await subject.find(on: writer.connection).originalID.rawValue : subject.id
      try await writer.queue(OutboxItem(OutgoingChange(.delete, of: id)))
      StandardOutput.print("Queued: the next Qwinkle that runs on the account deletes it.")
    }
  }
}
