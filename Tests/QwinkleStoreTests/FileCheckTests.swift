import Foundation
import GRDB
import QwinkleStore
import Testing

@Suite struct FileCheckTests {
  /// A program that is killed before its file has a write-ahead log leaves a rollback journal. The next start applies
  /// it.
  @Test func `a file is sound after a kill in its first transaction`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "qwinkle-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (path, copy) = (folder.appending(path: "a.sqlite").path, folder.appending(path: "b.sqlite").path)
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = 1; PRAGMA cache_spill = 1") }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.write { try $0.execute(sql: "CREATE TABLE rows (text TEXT); INSERT INTO rows VALUES ('kept')") }
    try queue.write { db in
      for _ in 0..<200 { try db.execute(sql: "INSERT INTO rows VALUES (hex(randomblob(2000)))") }
      // Copies the files in this state, without the locks.
      for end in ["", "-journal"] { try FileManager.default.copyItem(atPath: path + end, toPath: copy + end) }
      try db.execute(sql: "DELETE FROM rows")
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy)
    let check = FileCheck(database: copy)
    #expect(check.problem == nil)
    #expect(check.version == 0)
    #expect(try DatabaseQueue(path: copy).read { try String.fetchAll($0, sql: "SELECT text FROM rows") } == ["kept"])
  }
}
