import FoundationEssentials
import GRDB
import Logging
import QwinkleModel
import Synchronization
import Timekeeping

/// Deletes media files that the database doesn't know, such as files whose rows were lost in a crash of the system.
extension Service {
  /// Milliseconds between two searches for stray files.
  static let sweepsEvery: Int64 = 6 * 3_600_000
  /// Seconds for which a file without a row isn't deleted.
  private static let youngest: TimeInterval = 3600
  /// Number of files compared with the database in one transaction.
  private static let mostCompared = 500

  /// Deletes stray files if the time ``nextSweep`` has passed. A failure is logged, and the next sweep tries again.
  func sweepIfDue(_ origin: BaseURL, at now: Int64) async {
    let isDue = nextSweep.withLock { next in
      guard let due = next, due <= now else { return false }
      next = now + Self.sweepsEvery
      return true
    }
    guard isDue else { return }
    do {
      let count = try await deleteStrayFiles(origin)
      if count > 0 { log.notice("\(count) media files that no post or profile uses were deleted.") }
    } catch {
      log.warning("Unused media files are not deleted: \(file.serviceError(error).sentence)")
    }
  }

  /// Returns the number of deleted files. Deletes none while a database that was set aside is in the folder: the media
  /// may belong to it.
  func deleteStrayFiles(_ origin: BaseURL) async throws -> Int {
    guard damage.withLock({ $0 }) == nil, !file.hasSetAside else { return 0 }
    let (folder, limit) = (media.folder, clock.now.addingTimeInterval(-Self.youngest))
    var rest = try await media.run { folder.names(modifiedBefore: limit) }[...]
    var count = 0
    while !rest.isEmpty {
      let names = Array(rest.prefix(Self.mostCompared))
      rest = rest.dropFirst(names.count)
      let strays = try await readForStreams(origin) { try $0.strayFiles(among: names) }
      count += try await media.run { strays.count { folder.remove($0) } }
    }
    return count
  }
}

extension Transaction {
  /// Returns the names of files that have no row and aren't expected to get one.
  fileprivate func strayFiles(among names: [String]) throws -> [String] {
    try rows(
      """
      SELECT value FROM json_each(?) f WHERE NOT EXISTS (SELECT 1 FROM media m WHERE m.name = f.value)
      AND NOT EXISTS (SELECT 1 FROM media_unneeded u WHERE u.name = f.value)
      """, [SmallJSON.text(names)]
    ).map { $0[0] }
  }
}

extension MediaFolder {
  /// Returns the names of the media files that were last modified before a time. A partial file counts as its file. All
  /// other files are left out.
  func names(modifiedBefore date: Date) -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return files.compactMap { file -> String? in
      let name = file.hasSuffix(Self.partialSuffix) ? String(file.dropLast(Self.partialSuffix.count)) : file
      guard Self.isName(name),
        let facts = try? FileManager.default.attributesOfItem(atPath: self.path(of: file)),
        facts[.type] as? FileAttributeType == .typeRegular, let modified = facts[.modificationDate] as? Date
      else { return nil }
      return modified < date ? name : nil
    }
  }
}

extension ServiceFile {
  /// Whether the folder contains a database that was replaced or set aside.
  fileprivate var hasSetAside: Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.contains { name in Self.setAsideKinds.contains { name.hasPrefix("\(Self.name).\($0)-") } }
  }
}
