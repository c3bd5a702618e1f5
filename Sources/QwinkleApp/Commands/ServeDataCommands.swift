import ArgumentParser
import QwinkleServer

/// `qwinkle serve backup FILE`: copies the database, even while a server is running.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy the database to a new file. A server may be running.",
    discussion: """
      The copy is a checked snapshot that only you can read. It doesn't block the server. Pictures are copied to the \
      folder FILE.media.
      """)

  @Argument(help: "The file to create.")
  var file: String

  @OptionGroup var location: ServiceLocation

  func run() throws {
    let content = try location.served().backUp(to: file)
    StandardOutput.target.note(done: "Saved")
    StandardOutput.print("Saved \(file): \(content.words).")
  }
}

/// `qwinkle serve check`: checks the database for corruption.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check the database, or a backup of it, for damage.",
    discussion: "Reads all of it and changes nothing; a server may be running. Exit status 1 if it is damaged.")

  @Argument(help: "A backup to check, instead of the database.")
  var file: String?

  @OptionGroup var location: ServiceLocation

  func run() throws {
    let data = try location.served()
    let path = file ?? data.path
    let content = try ServedData.check(path)
    StandardOutput.print("\(path) is sound: \(content.words).")
  }
}

/// `qwinkle serve restore FILE`: replaces the database with a backup.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Replace the database with a backup. Stop the server first.",
    discussion: """
      The backup is checked and copied, with its folder of pictures. The previous database is renamed, not \
      deleted.
      """)

  @Argument(help: "The backup.")
  var file: String

  @OptionGroup var location: ServiceLocation

  func run() throws {
    let (content, aside) = try location.served().restore(from: file)
    StandardOutput.target.note(done: "Restored")
    StandardOutput.print("Restored \(file): \(content.words).")
    if let aside { StandardOutput.print("The previous database is now \(aside).") }
  }
}
