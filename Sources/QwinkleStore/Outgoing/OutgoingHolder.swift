import FoundationEssentials
import LibC

/// Identifies a running program that can claim entries. It has a file that is locked while the program runs. Even if
/// the program is killed, the system unlocks the file, so that other programs can detect the end.
struct OutgoingHolder {
  let id: String
  private let folder: PrivateFolder
  private let descriptor: Int32

  private static func name(of id: String) -> String { "outgoing-\(id).lock" }

  /// Creates and locks a holder's file in `folder`.
  init(in folder: PrivateFolder) throws(StoreError) {
    self.folder = folder
    id = UUID().uuidString
    let path = folder.path(of: Self.name(of: id))
    // Lock the folder first, so that ``removeDead(in:)`` in another program doesn't find the new file before it is
    // locked.
    let open = try folder.lock()
    defer { open.close() }
    descriptor = openat(open.descriptor, Self.name(of: id), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0, systemLock(descriptor) else {
      throw .unusable(path: path, reason: systemWords())
    }
  }

  /// Returns whether the program of the holder `id` is running. If it isn't, removes the holder's file. A program whose
  /// file exists but can't be opened counts as running.
  static func isAlive(_ id: String, in folder: PrivateFolder) -> Bool {
    let path = folder.path(of: name(of: id))
    let file = systemOpen(path, O_RDWR | O_NOFOLLOW)
    guard file >= 0 else { return errno != ENOENT }
    defer { systemClose(file) }
    guard systemLock(file) else { return true }
    unlink(path)
    return false
  }

  /// Removes the files of programs that have ended.
  static func removeDead(in folder: PrivateFolder) {
    guard let open = try? folder.lock() else { return }
    defer { open.close() }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
      guard name.hasPrefix("outgoing-"), name.hasSuffix(".lock") else { continue }
      _ = isAlive(String(name.dropFirst("outgoing-".count).dropLast(".lock".count)), in: folder)
    }
  }

  /// Unlocks and removes the file.
  func end() {
    unlink(folder.path(of: Self.name(of: id)))
    abandon()
  }

  /// Unlocks the file without removing it, as if the program were killed.
  func abandon() {
    // A forked child that hasn't called exec shares the lock, so closing alone wouldn't release it.
    flock(descriptor, LOCK_UN)
    systemClose(descriptor)
  }
}
