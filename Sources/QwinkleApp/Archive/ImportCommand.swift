import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// A part of an archive. Raw values are words of the command line.
enum ArchivePart: String, CaseIterable, Sendable {
  case profile, posts, follows, lists, mutes, blocks, bookmarks, filters

  static let words = allCases.map(\.rawValue).joined(separator: ",")
}

/// `qwinkle import FOLDER`
struct ImportCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Read an archive that qwinkle export or Mastodon has written.",
    discussion: """
      Unpack a packed archive first. Only Qwinkle's own service imports posts, with their times and pictures, and \
      without notifications. Direct posts become visible to you alone. Boosts and favourites aren't imported. A second \
      import adds only what is missing.
      """)

  @Argument(help: "The folder of the archive.", completion: .directory)
  var folder: String

  @Option(
    help: ArgumentHelp("Only these parts: \(ArchivePart.words).", valueName: "parts"),
    completion: .list(ArchivePart.allCases.map(\.rawValue)))
  var only: String?

  @Flag(help: "Users of the archive's server have the same names here.")
  var sameNames = false

  @Flag(help: "Print what would be imported, and change nothing.")
  var dryRun = false

  @Flag(help: "Print a summary as JSON, without progress.")
  var json = false

  @OptionGroup var options: ServerOptions

  private static func parts(_ only: String?) throws -> [ArchivePart] {
    guard let only else { return ArchivePart.allCases }
    let words = only.split(separator: ",").map { String($0).lowercased() }
    if let wrong = words.first(where: { ArchivePart(rawValue: $0) == nil }) {
      throw ValidationError("“\(wrong)” isn't a part of an archive. Use some of \(ArchivePart.words).")
    }
    return ArchivePart.allCases.filter { words.contains($0.rawValue) }
  }

  func validate() throws { _ = try Self.parts(only) }

  func start() throws {
    let parts = try Self.parts(only)
    CommandRunner.run(options.choice, needingAccountFor: "Importing") { session, server, _ in
      let report = ArchiveReport(showsProgress: !json)
      let archive = ArchiveFolder(folder)
      let importer = try ArchiveImport(
        server, session.media, from: archive, report, hasSameNames: sameNames, isTrial: dryRun,
        needsPosts: only != nil)
      try await importer.run(parts)
      if json {
        StandardOutput.print(json: report.json(archive.path))
      } else {
        StandardOutput.print("\(dryRun ? "Would import" : "Imported"): \(report.words)")
      }
      try report.end(
        "The rest is imported. The same command tries again. It can't add files that are missing in the archive.")
    }
  }
}
