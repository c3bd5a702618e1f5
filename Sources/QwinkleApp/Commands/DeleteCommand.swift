import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire

/// `qwinkle delete ID`: deletes a qwink of the user's.
struct DeleteCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete your own qwink.", discussion: "It asks nothing and cannot be undone.")

  @OptionGroup var subject: QwinkArgument

  @Flag(help: "Print the deleted qwink as an API entity.")
  var json = false

  @OptionGroup var options: ServerOptions

  @MainActor
  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "Deleting") { server, _ in
      let qwink = try await subject.find(on: server).original
      do throws(DownloadError) {
        try await server.answer(to: .delete(qwink.id))
      } catch {
        guard case .notFound = error else { throw error }
        // It has just been found: the server doesn't know the call, or lets only its author delete it.
        throw AppError.failed("Not deleted: it is not yours, or this server cannot delete.")
      }
      if json { return StandardOutput.print(json: WireEncoder.qwink(qwink)) }
      StandardOutput.print("Deleted: \(qwink.url ?? qwink.id.rawValue)")
    }
  }
}
