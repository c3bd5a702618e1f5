import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A small file in a folder of its account, written whole or not at all, that two programs may write to.
struct KeptFile: Sendable {
  let directory: String
  let path: String

  /// The file `name` in `directory`, which is made when there is something to keep.
  init(directory: String, name: String) {
    self.directory = directory
    path = directory + "/" + name
  }

  /// What stands in it; nil where there is none, or it cannot be read.
  var contents: Data? { FileManager.default.contents(atPath: path) }

  var exists: Bool { FileManager.default.fileExists(atPath: path) }

  /// What stands in it; nil where there is none.
  ///
  /// - Throws: where there is one that cannot be read.
  func read() throws -> Data? {
    guard exists else { return nil }
    guard let data = contents else { throw CocoaError(.fileReadNoPermission) }
    return data
  }

  /// Makes the folder, and runs `body` while no other program changes anything in it.
  ///
  /// - Throws: ``StoreError/folderNotWritable(path:)``, whatever `body` failed with.
  func whileLocked(_ body: () throws -> Void) throws(StoreError) {
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { throw CocoaError(.fileReadNoPermission) }
      defer { close(descriptor) }
      flock(descriptor, LOCK_EX)
      try body()
    } catch {
      throw .folderNotWritable(path: directory)
    }
  }

  /// Puts it under another name that nothing has: somebody may yet read what this program cannot.
  func setAside() throws {
    var name = path + ".damaged"
    var number = 2
    while FileManager.default.fileExists(atPath: name) {
      name = path + ".damaged-\(number)"
      number += 1
    }
    guard rename(path, name) == 0 else { throw CocoaError(.fileWriteNoPermission) }
  }

  func remove() throws {
    guard unlink(path) == 0 || errno == ENOENT else { throw CocoaError(.fileWriteNoPermission) }
  }

  /// Readable by its owner alone from its first byte, and in its place only when it is whole.
  func write(_ data: Data) throws {
    let new = path + ".new"
    unlink(new)
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteNoPermission) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try handle.write(contentsOf: data)
      try handle.close()
      guard rename(new, path) == 0 else { throw CocoaError(.fileWriteNoPermission) }
    } catch {
      unlink(new)
      throw error
    }
  }
}
