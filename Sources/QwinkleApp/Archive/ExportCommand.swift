import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// `qwinkle export FOLDER`
struct ExportCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write your posts, files and follows to a folder, as Mastodon's archive.",
    discussion: """
      The folder gets outbox.json with your posts, your pictures, and the CSV files that other servers import. If the \
      export is interrupted, the same command continues it. qwinkle import reads the folder.
      """)

  @Argument(
    help: "A new folder, the folder of an export to continue, or a new FILE.tar.gz.", completion: .directory)
  var folder: String

  @Flag(help: "Print a summary as JSON, without progress.")
  var json = false

  @OptionGroup var options: ServerOptions

  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "Exporting") { session, server, _ in
      let report = ArchiveReport(showsProgress: !json)
      let packed = PackedArchive(folder)
      try packed?.check()
      let archive = packed?.folder ?? ArchiveFolder(folder)
      try await ArchiveExport(server, session.media, to: archive, report).run()
      // The folder of an incomplete export remains, so that the same command continues it.
      let isPacked = packed != nil && report.failureCount == 0
      if isPacked { try await packed?.pack() }
      let place = isPacked ? folder : archive.path
      if json {
        StandardOutput.print(json: report.json(place))
      } else {
        StandardOutput.print("Exported to \(place): \(report.words)")
      }
      try report.end("The rest is complete. The same command fetches missing files again.")
    }
  }
}
