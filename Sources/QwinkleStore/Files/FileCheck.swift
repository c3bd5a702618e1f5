import Foundation
import GRDB

/// The result of checking a file or folder. Checking doesn't change the content.
public struct FileCheck: Sendable {
  public let path: String
  /// Permission bits, such as 0o700. Nil if the file doesn't exist.
  public var mode: Int?
  /// Size in bytes.
  public var size = 0
  /// The database's `user_version`.
  public var version: Int?
  /// A sentence with the problem and its remedy, if there is a problem.
  public var problem: String?

  /// Checks one of the program's own files or folders, which must be inaccessible to other users.
  public init(path: String) {
    self.path = path
    guard let facts = try? FileManager.default.attributesOfItem(atPath: path) else { return }
    let mode = (facts[.posixPermissions] as? NSNumber)?.intValue ?? 0
    self.mode = mode
    size = (facts[.size] as? NSNumber)?.intValue ?? 0
    if mode & 0o077 != 0 {
      let isFolder = facts[.type] as? FileAttributeType == .typeDirectory
      problem = "Other users can access it. Run: chmod \(isFolder ? "700" : "600") \(ShellWord.quoted(path))"
    }
  }

  /// Checks a database with SQLite. The check reads the whole file and lasts up to a second per 100 MB.
  public init(database path: String) {
    self.init(path: path)
    guard mode != nil, size > 0 else { return }
    do {
      do {
        try check(writes: false)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
        // A program was killed during its first transaction. To read the file, SQLite must first roll the transaction
        // back, which needs write access.
        try check(writes: true)
      }
    } catch let error as DatabaseError {
      problem = Self.damaged(error.message ?? error.resultCode.description)
    } catch {
      problem = Self.damaged((error as NSError).localizedDescription)
    }
  }

  private mutating func check(writes: Bool) throws {
    var configuration = Configuration()
    configuration.readonly = !writes
    configuration.busyMode = .timeout(2)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    let (found, version) = try queue.read { database in
      (
        try String.fetchAll(database, sql: "PRAGMA quick_check(1)"),
        try Int.fetchOne(database, sql: "PRAGMA user_version")
      )
    }
    self.version = version
    if found != ["ok"] {
      problem = Self.damaged(found.first ?? "unknown damage")
    } else if try queue.inDatabase({ try !SearchSchema.isReadable($0) }) {
      problem = "The index for searching offline is damaged. Move \(path) away; the next start creates a new one."
    }
  }

  private static func damaged(_ reason: String) -> String {
    "SQLite reports: \(reason). Keep a copy; Qwinkle moves a damaged file aside when it starts."
  }
}
