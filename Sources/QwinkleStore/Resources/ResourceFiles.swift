import Databases
import FoundationEssentials
import GRDB
import Hashing
import LibC
public import QwinkleModel
import Synchronization

/// An on-disk resource cache: an index in SQLite, and files named after the hash of their content. Content is verified
/// when it is read. The first call opens the index. Thread-safe.
public final class ResourceFiles: ResourceIndex {
  private static let database = "resources.sqlite"
  private static let schema = """
    CREATE TABLE IF NOT EXISTS resource (
      address TEXT PRIMARY KEY,
      hash TEXT NOT NULL,
      size INTEGER NOT NULL,
      tags TEXT NOT NULL,
      used REAL NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS resource_hash ON resource (hash);
    CREATE TABLE IF NOT EXISTS part (
      address TEXT PRIMARY KEY,
      hash TEXT NOT NULL,
      validator TEXT NOT NULL,
      total INTEGER,
      size INTEGER NOT NULL,
      kept INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS preservation (tag TEXT PRIMARY KEY, priority REAL NOT NULL) WITHOUT ROWID;
    PRAGMA user_version = 2;
    """

  /// Maximum number and total bytes of partial downloads. Without these limits, abandoned downloads would stay forever.
  /// Beyond either limit, the oldest downloads are deleted, but never the newest one.
  static let mostParts = (count: 64, bytes: 32 << 20)

  private let folder: PrivateFolder
  private let queue = Mutex<DatabaseQueue?>(nil)
  /// Serializes writes of files and their rows.
  private let writing = Mutex(())

  /// Creates a cache in `directory`, which is created on the first save.
  public init(directory: String) {
    folder = PrivateFolder(path: directory)
  }

  @concurrent public func all() async -> [CachedResource] {
    (try? read { database in
      try Row.fetchAll(database, sql: "SELECT address, size, tags, used FROM resource").compactMap { row in
        // A damaged row doesn't hide the others.
        try? CachedResource(
          address: row.value("address"), byteCount: row.value("size"),
          tags: Set((row.value("tags") as String).split(separator: "\n").map(String.init)),
          usedAt: Date(timeIntervalSince1970: row.value("used")))
      }
    }) ?? []
  }

  @concurrent public func bytes(of address: String) async -> [UInt8]? {
    let hash = try? read {
      try String.fetchOne($0, sql: "SELECT hash FROM resource WHERE address = ?", arguments: [address])
    }
    guard let hash = hash.flatMap(\.self) else { return nil }
    if let bytes = content(of: hash) { return bytes }
    forget([address])
    return nil
  }

  /// Like ``bytes(of:)``, but blocks and doesn't remove a resource whose file is missing or corrupt. Doesn't open the
  /// index if nothing was ever saved.
  public func cachedBytes(of address: String) -> [UInt8]? {
    guard exists,
      let hash = try? read({
        try String.fetchOne($0, sql: "SELECT hash FROM resource WHERE address = ?", arguments: [address])
      })
    else { return nil }
    return content(of: hash)
  }

  @concurrent public func keep(
    _ bytes: [UInt8], as resource: CachedResource
  ) async throws(ResourceIndexError) {
    try write(bytes) { database, hash in
      let former = try Self.files(of: [resource.address], in: database)
      try database.execute(sql: "DELETE FROM part WHERE address = ?", arguments: [resource.address])
      try database.execute(
        sql: "INSERT OR REPLACE INTO resource (address, hash, size, tags, used) VALUES (?, ?, ?, ?, ?)",
        arguments: [
          resource.address, hash, bytes.count, resource.tags.sorted().joined(separator: "\n"),
          resource.usedAt.timeIntervalSince1970,
        ])
      return former
    }
  }

  @concurrent public func note(_ resources: [CachedResource]) async {
    try? change { database in
      for resource in resources {
        try database.execute(
          sql: "UPDATE resource SET used = ?, tags = ? WHERE address = ?",
          arguments: [
            resource.usedAt.timeIntervalSince1970, resource.tags.sorted().joined(separator: "\n"), resource.address,
          ])
      }
    }
  }

  @concurrent public func remove(_ addresses: [String]) async {
    forget(addresses)
  }

  @concurrent public func part(of address: String) async -> PartialResource? {
    let row = try? read {
      try Row.fetchOne($0, sql: "SELECT hash, validator, total FROM part WHERE address = ?", arguments: [address])
    }
    guard let row = row.flatMap(\.self) else { return nil }
    guard let hash: String = try? row.value("hash"), let bytes = content(of: hash) else { return nil }
    return PartialResource(
      bytes: bytes, validator: String.fromDatabaseValue(row["validator"]), total: Int.fromDatabaseValue(row["total"]))
  }

  @concurrent public func keep(
    _ part: PartialResource, of address: String
  ) async throws(ResourceIndexError) {
    try write(part.bytes) { database, hash in
      let former = try Self.files(of: [address], in: database)
      try database.execute(
        sql: """
          INSERT OR REPLACE INTO part (address, hash, validator, total, size, kept)
          VALUES (?, ?, ?, ?, ?, (SELECT IFNULL(MAX(kept), 0) + 1 FROM part))
          """,
        arguments: [address, hash, part.validator ?? "", part.total, part.bytes.count])
      return former.union(try Self.dropOldParts(in: database))
    }
  }

  @concurrent public func removeParts() async -> Int {
    guard exists else { return 0 }
    return
      (try? writing.withLock { _ in
        var bytes = 0
        try clearing(try opened()) { database in
          bytes = try Int.fetchOne(database, sql: "SELECT SUM(size) FROM part") ?? 0
          let files = Set(try String.fetchAll(database, sql: "SELECT hash FROM part"))
          try database.execute(sql: "DELETE FROM part")
          return files
        }
        return bytes
      }) ?? 0
  }

  @concurrent public func priorities() async -> [String: Double] {
    let rows = (try? read { try Row.fetchAll($0, sql: "SELECT tag, priority FROM preservation") }) ?? []
    let pairs = rows.compactMap { row -> (String, Double)? in
      // A damaged row doesn't hide the others.
      try? (row.value("tag"), row.value("priority"))
    }
    return Dictionary(pairs) { first, _ in first }
  }

  @concurrent public func setPriority(_ priority: Double?, of tag: String) async {
    try? change { database in
      if let priority {
        try database.execute(
          sql: "INSERT OR REPLACE INTO preservation (tag, priority) VALUES (?, ?)", arguments: [tag, priority])
      } else {
        try database.execute(sql: "DELETE FROM preservation WHERE tag = ?", arguments: [tag])
      }
    }
  }

  @concurrent public func freeSpace() async -> Int? { Self.freeSpace(at: folder.path) }

  /// Returns the number of bytes that the user can still write on the disk of `path`. If the folder doesn't exist yet,
  /// its nearest parent decides.
  static func freeSpace(at path: String) -> Int? {
    var path = path
    var facts = statvfs()
    while statvfs(path, &facts) != 0 {
      guard errno == ENOENT, let end = path.lastIndex(of: "/"), end > path.startIndex else { return nil }
      path = String(path[..<end])
    }
    return Int(clamping: UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize)).partialValue)
  }

  /// Whether anything was ever saved.
  public var exists: Bool { access(folder.path(of: Self.database), F_OK) == 0 }

  /// Closes the index.
  public func close() {
    queue.withLock { queue in
      try? queue?.close()
      queue = nil
    }
  }
}

// MARK: - Files

extension ResourceFiles {
  /// Writes a file, then calls `body` to add the file to the index. `body` returns the names of files that this change
  /// may have left unused.
  private func write(
    _ bytes: [UInt8], _ body: (Database, String) throws -> Set<String>
  ) throws(ResourceIndexError) {
    let hash = SHA256.hexDigest(of: bytes)
    do {
      try writing.withLock { _ in
        let database = try opened()
        try place(bytes, hash)
        try clearing(database) { try body($0, hash) }
      }
    } catch {
      throw Self.meaning(of: error)
    }
  }

  private func forget(_ addresses: [String]) {
    try? writing.withLock { _ in
      try clearing(try opened()) { database in
        let former = try Self.files(of: addresses, in: database)
        for address in addresses {
          try database.execute(sql: "DELETE FROM resource WHERE address = ?", arguments: [address])
          try database.execute(sql: "DELETE FROM part WHERE address = ?", arguments: [address])
        }
        return former
      }
    }
  }

  private func read<Value>(_ body: (Database) throws -> Value) throws -> Value { try opened().snapshot(body) }

  private func change(_ body: (Database) throws -> Void) throws { try opened().write(body) }

  /// Changes the index with `body`, which returns the names of files that may now be unused. Then deletes the returned
  /// files to which the index no longer refers.
  private func clearing(_ queue: DatabaseQueue, _ body: (Database) throws -> Set<String>) throws {
    let unused = try queue.write { database in
      try body(database).filter { hash in
        try !Bool(
          Bool.fetchOne(
            database,
            sql: """
              SELECT EXISTS (SELECT 1 FROM resource WHERE hash = :hash) OR EXISTS (SELECT 1 FROM part WHERE hash = :hash)
              """, arguments: ["hash": hash]) ?? false)
      }
    }
    for hash in unused { unlink(path(of: hash)) }
  }

  /// Removes the oldest partial downloads beyond the limits. Returns their files.
  private static func dropOldParts(in database: Database) throws -> Set<String> {
    let dropped = try Row.fetchAll(
      database,
      sql: """
        SELECT address, hash FROM (
          SELECT address, hash, ROW_NUMBER() OVER newest AS place, SUM(size) OVER newest AS bytes
          FROM part WINDOW newest AS (ORDER BY kept DESC))
        WHERE place > ? OR (place > 1 AND bytes > ?)
        """, arguments: [mostParts.count, mostParts.bytes])
    for row in dropped {
      try database.execute(sql: "DELETE FROM part WHERE address = ?", arguments: [row.value("address") as String])
    }
    return Set(try dropped.map { try $0.value("hash") })
  }

  private static func files(of addresses: [String], in database: Database) throws -> Set<String> {
    var files: Set<String> = []
    for address in addresses {
      files.formUnion(
        try String.fetchAll(
          database,
          sql: "SELECT hash FROM resource WHERE address = :it UNION SELECT hash FROM part WHERE address = :it",
          arguments: ["it": address]))
    }
    return files
  }

  private func path(of hash: String) -> String { "\(folder.path)/\(hash)" }

  /// Returns a file's content if its hash matches the file's name.
  private func content(of hash: String) -> [UInt8]? {
    let file = systemOpen(path(of: hash), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { systemClose(file) }
    guard let bytes = try? systemRead(file, at: path(of: hash), mostBytes: 64 << 20),
      SHA256.hexDigest(of: bytes) == hash
    else {
      return nil
    }
    return bytes
  }

  /// Writes a file under a temporary name and renames it, so that an incomplete file is never read.
  private func place(_ bytes: [UInt8], _ hash: String) throws {
    guard access(path(of: hash), F_OK) != 0 || content(of: hash) == nil else { return }
    let new = path(of: "new")
    unlink(new)
    let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FileFailure(number: errno) }
    let isWritten = systemWrite(bytes, to: file)
    let number = errno
    guard systemClose(file), isWritten else {
      unlink(new)
      throw FileFailure(number: isWritten ? errno : number)
    }
    guard rename(new, path(of: hash)) == 0 else { throw FileFailure(number: errno) }
  }

  private struct FileFailure: Error {
    var number: Int32
  }

  private static func meaning(of error: any Error) -> ResourceIndexError {
    switch error {
    case let failure as FileFailure where [ENOSPC, EDQUOT].contains(failure.number): .noSpace
    case let failure as FileFailure: .unusable("\(String(cString: strerror(failure.number)))")
    case let error as DatabaseError where error.resultCode == .SQLITE_FULL: .noSpace
    case let error as DatabaseError: .unusable(error.message ?? "the index of resources cannot be written")
    case let error as StoreError: .unusable(error.sentence)
    default: .unusable("the index of resources cannot be written")
    }
  }
}

// MARK: - The index

extension ResourceFiles {
  private func opened() throws -> DatabaseQueue {
    try queue.withLock { queue in
      if let queue { return queue }
      try folder.makePrivateDatabase(Self.database)
      let path = folder.path(of: Self.database)
      let made: DatabaseQueue
      do {
        made = try Self.prepare(path)
      } catch  where CacheDatabase.isDamage(error) {
        // Start with an empty index: the whole cache can be fetched again.
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        try folder.makePrivateDatabase(Self.database)
        made = try Self.prepare(path)
      }
      try reconcile(made)
      queue = made
      return made
    }
  }

  private static func prepare(_ path: String) throws -> DatabaseQueue {
    let queue = try CacheDatabase.connect(to: path, label: "qwinkle.resources", cacheSize: 256)
    try queue.write { database in
      // Version 1 didn't store the sizes of partial downloads. They can be fetched again.
      if try Int.fetchOne(database, sql: "PRAGMA user_version") == 1 { try database.execute(sql: "DROP TABLE part") }
      try database.execute(sql: schema)
    }
    return queue
  }

  /// Removes rows without files and files without rows, which a killed program may have left.
  private func reconcile(_ queue: DatabaseQueue) throws {
    let files = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
    let used = try queue.write { database in
      let known = Set(try String.fetchAll(database, sql: "SELECT hash FROM resource UNION SELECT hash FROM part"))
      for hash in known.subtracting(files) {
        try database.execute(sql: "DELETE FROM resource WHERE hash = ?", arguments: [hash])
        try database.execute(sql: "DELETE FROM part WHERE hash = ?", arguments: [hash])
      }
      return known
    }
    for file in files.subtracting(used) where !file.hasPrefix(Self.database) { unlink(path(of: file)) }
  }
}
