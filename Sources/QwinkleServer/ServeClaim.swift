import GRDB
import LibC
import QwinkleModel

/// A process's exclusive claim to serve a folder: a locked file that contains its process id. The system unlocks the
/// file when the process ends, even if it crashes.
public struct ServeClaim: Sendable {
  static let name = "serve.lock"

  private let descriptor: Int32

  /// Claims `directory`, which must exist.
  ///
  /// - Throws: ``ServiceError/served(directory:pid:)`` if another process serves `directory`, or another error if the
  ///   lock file can't be opened or written.
  init(_ directory: String) throws(ServiceError) {
    let path = "\(directory)/\(Self.name)"
    descriptor = systemOpen(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .fileNotAccessible(path: path, reason: systemWords()) }
    guard systemLock(descriptor) else {
      let pid = Self.pid(in: descriptor)
      close(descriptor)
      throw .served(directory: directory, pid: pid)
    }
    let pid = Array("\(getpid())\n".utf8)
    guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, pid, pid.count, 0) == pid.count else {
      let error = ServiceError.system(path)
      end()
      throw error
    }
  }

  /// Returns the id of the process that serves `directory`, 0 if the id can't be read, or nil if no process serves the
  /// folder or the lock file can't be opened.
  static func holder(of directory: String) -> Int? {
    let file = systemOpen("\(directory)/\(name)", O_RDONLY | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    if flock(file, LOCK_SH | LOCK_NB) == 0 { return nil }
    return pid(in: file)
  }

  /// Releases the claim.
  public func end() {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static func pid(in file: Int32) -> Int {
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = pread(file, &bytes, bytes.count, 0)
    return Int(String(decoding: bytes.prefix(max(count, 0)).prefix { $0 != 10 }, as: UTF8.self)) ?? 0
  }
}
