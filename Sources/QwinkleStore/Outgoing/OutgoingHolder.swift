import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program's claim to hold entries: a file that is locked while the program lives. However the program ends, the
/// system unlocks the file, so that others notice.
struct OutgoingHolder {
  let id: String
  private let folder: PrivateFolder
  private let descriptor: Int32

  private static func name(of id: String) -> String { "outgoing-\(id).lock" }

  /// Creates a holder in `folder`.
  init(in folder: PrivateFolder) throws(StoreError) {
    self.folder = folder
    id = UUID().uuidString
    let path = folder.path(of: Self.name(of: id))
    // Lock the folder, so that ``removeDead(in:)`` doesn't find the file before it is locked.
    let open = try folder.lock()
    defer { open.close() }
    descriptor = openat(open.descriptor, Self.name(of: id), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw .unusable(path: path, reason: systemWords())
    }
  }

  /// Whether the holder `id` is alive. Removes its file if it isn't.
  static func isAlive(_ id: String, in folder: PrivateFolder) -> Bool {
    let path = folder.path(of: name(of: id))
    let file = systemOpen(path, O_RDWR | O_NOFOLLOW)
    guard file >= 0 else { return errno != ENOENT }
    defer { systemClose(file) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else { return true }
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

  /// Ends the hold and removes its file.
  func end() {
    unlink(folder.path(of: Self.name(of: id)))
    abandon()
  }

  /// Ends the hold the way a kill would, leaving the file.
  func abandon() {
    // A child that has been forked but not yet replaced shares the lock: closing would leave it locked.
    flock(descriptor, LOCK_UN)
    systemClose(descriptor)
  }
}
