import Foundation
import Synchronization

/// The file that `qwinkle serve --access-log` writes, a line for each request.
final class AccessLog: Sendable {
  private let file: FileHandle
  private let lock = Mutex(())

  /// Opens the file at `path`, creating it for its owner only; `-` is standard output.
  init(_ path: String) throws(AppError) {
    if path == "-" {
      file = .standardOutput
      return
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .failed("Cannot write \(path): \(String(cString: strerror(errno))).") }
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Adds a line. A full disk costs lines, not requests.
  func write(_ line: String) {
    lock.withLock { _ in try? file.write(contentsOf: Data((line + "\n").utf8)) }
  }
}
