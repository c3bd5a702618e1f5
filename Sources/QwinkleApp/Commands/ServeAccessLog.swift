import Foundation
import LibC
import Synchronization

/// The log of `qwinkle serve --access-log`: one line per request.
final class AccessLog: Sendable {
  private let file: FileHandle
  private let lock = Mutex(())

  /// Opens the file at `path`, or standard output for `-`. A new file is readable by its owner only.
  init(_ path: String) throws(AppError) {
    if path == "-" {
      file = .standardOutput
      return
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .failed("Cannot write \(path): \(systemWords()).") }
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Appends a line. If writing fails, for example because the disk is full, the line is lost, but the request
  /// succeeds.
  func write(_ line: String) {
    lock.withLock { _ in try? file.write(contentsOf: Data((line + "\n").utf8)) }
  }
}
