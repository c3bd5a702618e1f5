import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// One program that holds entries: a file that is locked while the program lives. However it ends, the system unlocks
/// the file, and others can tell.
struct OutgoingHolder {
  let id: String
  private let folder: PrivateFolder
  private let descriptor: Int32

  private static func name(of id: String) -> String { "outgoing-\(id).lock" }

  /// A new holder in `folder`.
  init(in folder: PrivateFolder) throws(StoreError) {
    self.folder = folder
    id = UUID().uuidString
    let path = folder.path(of: Self.name(of: id))
    // Nobody looks for one that is not locked yet.
    let open = try folder.lock()
    defer { open.close() }
    descriptor = openat(open.descriptor, Self.name(of: id), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw .unusable(path: path, reason: systemWords())
    }
  }

  /// Whether the holder `id` lives. The file of one that does not is removed.
  static func isAlive(_ id: String, in folder: PrivateFolder) -> Bool {
    let path = folder.path(of: name(of: id))
    let file = systemOpen(path, O_RDWR | O_NOFOLLOW)
    guard file >= 0 else { return errno != ENOENT }
    defer { systemClose(file) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else { return true }
    unlink(path)
    return false
  }

  /// Removes the files of those who have ended.
  static func removeDead(in folder: PrivateFolder) {
    guard let open = try? folder.lock() else { return }
    defer { open.close() }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
      guard name.hasPrefix("outgoing-"), name.hasSuffix(".lock") else { continue }
      _ = isAlive(String(name.dropFirst("outgoing-".count).dropLast(".lock".count)), in: folder)
    }
  }

  /// Ends the hold. Nobody has to find out any more.
  func end() {
    unlink(folder.path(of: Self.name(of: id)))
    systemClose(descriptor)
  }

  /// Ends it as a kill would.
  func abandon() { systemClose(descriptor) }
}
