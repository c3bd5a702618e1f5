import Foundation
import GRDB

@testable import QwinkleServer

/// A file left by an older version.
enum OldFile {
  /// Makes a file after the first `steps` migrations, with the rows that `fill` writes.
  static func make(in directory: String, steps: Int, fill: (Database) throws -> Void) throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let queue = try DatabaseQueue(path: "\(directory)/\(ServiceFile.name)")
    let migrator = Schema.migrator
    try migrator.migrate(queue, upTo: migrator.migrations[steps - 1])
    try queue.write(fill)
    try queue.close()
  }
}
