import FoundationEssentials
import GRDB
import Hashing
import LibC

/// The media files that belong to a served database or a backup.
struct ServedMedia {
  /// A file as described by its row in the database.
  struct Entry {
    var name: String
    var bytes: Int
    var hash: String
  }

  let folder: MediaFolder

  /// Returns the files listed in a database.
  static func entries(_ db: Database) throws -> [Entry] {
    guard try db.tableExists("media") else { return [] }
    return try Row.fetchAll(db, sql: "SELECT name, bytes, hash FROM media ORDER BY id").map {
      Entry(name: $0[0], bytes: $0[1], hash: $0[2])
    }
  }

  /// Returns the number of files that are missing or corrupt.
  func faults(in entries: [Entry]) throws(ServiceError) -> Int {
    var faults = 0
    for entry in entries {
      let isSound = try folder.bytes(of: entry.name).map { bytes in
        bytes.count == entry.bytes && SHA256.hexDigest(of: bytes) == entry.hash
      }
      if isSound != true { faults += 1 }
    }
    return faults
  }

  /// Copies files into another folder, except files that already exist there. Returns the names of files that are
  /// missing in this folder.
  func copy(_ entries: [Entry], to other: MediaFolder) throws(ServiceError) -> [String] {
    var missing: [String] = []
    for entry in entries where access(other.path(of: entry.name), F_OK) != 0 {
      if let bytes = try folder.bytes(of: entry.name) {
        try other.add(bytes, as: entry.name)
      } else {
        missing.append(entry.name)
      }
    }
    return missing
  }

  /// Deletes a folder of files, such as an incomplete backup.
  static func remove(_ folder: MediaFolder) {
    try? FileManager.default.removeItem(atPath: folder.path)
  }
}

extension ServedData {
  /// Copies the server's media files into the media folder of a new backup. The folder must not exist yet.
  ///
  /// - Parameters:
  ///   - copy: A copy of the database, which lists the files. Rows of files that were deleted after the copy was made
  ///     are removed from the copy.
  ///   - path: The backup's final path.
  func copyMedia(of copy: String, forBackup path: String) throws(ServiceError) {
    let folder = MediaFolder(ofDatabase: path)
    let partial = MediaFolder("\(folder.path).partial")
    ServedMedia.remove(partial)
    do {
      let queue = try DatabaseQueue(path: copy, configuration: Self.configuration(readonly: false))
      defer { try? queue.close() }
      let entries = try queue.read { try ServedMedia.entries($0) }
      guard !entries.isEmpty else { return }
      try partial.make()
      let missing = try media.copy(entries, to: partial)
      if !missing.isEmpty {
        let live = try DatabaseQueue(path: self.path, configuration: Self.configuration(readonly: true))
        defer { try? live.close() }
        let known = Set(try live.read { try ServedMedia.entries($0) }.map(\.name))
        try queue.write { db in
          for name in missing where !known.contains(name) {
            try db.execute(sql: "DELETE FROM media WHERE name = ?", arguments: [name])
          }
        }
      }
      try queue.close()
      guard rename(partial.path, folder.path) == 0 else {
        throw ServiceError.fileNotAccessible(path: folder.path, reason: systemWords())
      }
      try folder.flush()
    } catch {
      ServedMedia.remove(partial)
      throw ServiceError(error, path: copy)
    }
  }

  /// Copies the media files of `backup` into the folder of the served database. `copy` is a copy of the backup's
  /// database and lists the files. Files already in that folder stay, because they belong to the previous database.
  func restoreMedia(from backup: String, _ copy: String) throws(ServiceError) {
    do {
      let queue = try DatabaseQueue(path: copy, configuration: Self.configuration(readonly: true))
      defer { try? queue.close() }
      let entries = try queue.read { try ServedMedia.entries($0) }
      if !entries.isEmpty {
        _ = try ServedMedia(folder: MediaFolder(ofDatabase: backup)).copy(entries, to: media.folder)
      }
    } catch {
      throw ServiceError(error, path: copy)
    }
  }

  var media: ServedMedia { ServedMedia(folder: MediaFolder(ofDatabase: path)) }
}
