import Foundation
import GRDB
import QwinkleModel

@testable import QwinkleServer

/// A database file of an older version.
enum OldFile {
  /// Creates a file with the first `steps` migrations, then calls `fill`.
  static func make(in directory: String, steps: Int, fill: (Database) throws -> Void) throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    var configuration = Configuration()
    configuration.prepareDatabase { $0.add(function: SearchText.function) }
    let queue = try DatabaseQueue(path: "\(directory)/\(ServiceFile.name)", configuration: configuration)
    let migrator = Schema.migrator
    try migrator.migrate(queue, upTo: migrator.migrations[steps - 1])
    try queue.write(fill)
    try queue.close()
  }
}
