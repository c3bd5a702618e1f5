import LibC
import Synchronization

/// A request's body while it is received. A long body is written to an unlinked temporary file, so a slow upload
/// occupies no memory. Sendable, because one thread receives the body and another reads it later.
final class BodyBuffer: Sendable {
  /// Maximum number of bytes buffered in memory.
  static let mostBytesInMemory = 64 << 10

  private struct State {
    var bytes: [UInt8] = []
    var descriptor: Int32 = -1
    var count = 0
  }

  private let directory: String
  private let state = Mutex(State())

  /// Creates an empty body. A long body is written to `directory`.
  init(directory: String) {
    self.directory = directory
  }

  deinit { state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } } }

  /// Number of bytes received.
  var count: Int { state.withLock { $0.count } }

  var bytesInMemory: Int { state.withLock { $0.bytes.count } }

  /// Whether the body has been moved to a file.
  var isInFile: Bool { state.withLock { $0.descriptor >= 0 } }

  /// Appends received bytes. Returns false if they can't be written to the file.
  func append(_ more: some Collection<UInt8>) -> Bool {
    state.withLock { state in
      state.count += more.count
      state.bytes.append(contentsOf: more)
      return state.bytes.count <= Self.mostBytesInMemory || flush(&state)
    }
  }

  /// Returns the whole body, or nil if it can't be read from the file.
  func whole() -> [UInt8]? {
    state.withLock { state in
      guard state.descriptor >= 0 else { return state.bytes }
      guard flush(&state) else { return nil }
      let whole = OpenFile.bytes(0..<state.count, of: state.descriptor)
      return whole.count == state.count ? whole : nil
    }
  }

  private func flush(_ state: inout State) -> Bool {
    if state.descriptor < 0 {
      var name = Array("\(directory)/.receiving-XXXXXX".utf8CString)
      state.descriptor = mkstemp(&name)
      guard state.descriptor >= 0 else { return false }
      unlink(name)
      _ = fcntl(state.descriptor, F_SETFD, FD_CLOEXEC)
    }
    guard systemWrite(state.bytes, to: state.descriptor) else { return false }
    state.bytes = []
    return true
  }
}
