import Foundation
import GRDB
import QwinkleModel

@testable import QwinkleServer

/// A file left by an older version.
enum OldFile {
  /// Makes a file after the first `steps` migrations, with the rows that `fill` writes.
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
