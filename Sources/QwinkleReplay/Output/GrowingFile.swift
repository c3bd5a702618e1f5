import LibC
import Synchronization

/// A file with mode 0600 that grows during a recording. It ends in a tail, such as the closing brackets of JSON, so
/// that the file is complete after each addition. Each addition overwrites the tail and writes a new tail.
public final class GrowingFile: Sendable {
  private struct State {
    var descriptor: Int32
    /// Length of the content before the tail.
    var settledBytes = 0
    var failure: GrowingFileError?
  }

  public let path: String
  /// Whether this object created the file.
  public let isNew: Bool
  private let state: Mutex<State>

  /// Creates the file or, with `overwriting`, opens an existing file. The content of an existing file remains until the
  /// first call that writes.
  ///
  /// - Throws: ``GrowingFileError/exists(path:)``, ``GrowingFileError/unwritable(path:reason:)``.
  public init(path: String, overwriting: Bool) throws(GrowingFileError) {
    let (descriptor, isNew) = try Self.opened(path, overwriting: overwriting)
    self.path = path
    self.isNew = isNew
    state = Mutex(State(descriptor: descriptor))
  }

  deinit {
    close(state.withLock { $0.descriptor })
  }

  /// The first write error, if any. Nothing is written after an error.
  public var failure: GrowingFileError? { state.withLock { $0.failure } }

  /// Appends `settled`, which remains in the file, and then `tail`, which the next call overwrites.
  public func append(_ settled: some Sequence<UInt8>, tail: some Sequence<UInt8>) {
    let settled = Array(settled)
    let bytes = settled + Array(tail)
    state.withLock { state in
      guard state.failure == nil else { return }
      // Write the settled bytes and the tail together, then truncate: the previous tail may have been longer.
      guard Self.writeAll(bytes, to: state.descriptor, at: state.settledBytes),
        ftruncate(state.descriptor, off_t(state.settledBytes + bytes.count)) == 0
      else { return state.failure = .unwritable(path: path, reason: systemWords()) }
      state.settledBytes += settled.count
    }
  }

  /// Replaces the whole content atomically.
  public func replace(_ settled: some Sequence<UInt8>, tail: some Sequence<UInt8>) {
    let settled = Array(settled)
    state.withLock { state in
      guard state.failure == nil else { return }
      do throws(GrowingFileError) {
        let descriptor = try Self.replaced(path, with: settled + Array(tail))
        close(state.descriptor)
        state.descriptor = descriptor
        state.settledBytes = settled.count
      } catch {
        state.failure = error
      }
    }
  }

  /// Removes the file if this object created it and has written nothing but a tail.
  public func discardIfEmpty() {
    guard isNew, state.withLock({ $0.settledBytes == 0 }) else { return }
    unlink(path)
  }

  // MARK: System calls

  private static func opened(
    _ path: String, overwriting: Bool
  ) throws(GrowingFileError) -> (descriptor: Int32, isNew: Bool) {
    let new = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if new >= 0 { return (new, true) }
    guard errno == EEXIST else { throw .unwritable(path: path, reason: systemWords()) }
    guard overwriting else { throw .exists(path: path) }
    // Don't block if the path is a pipe.
    let old = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard old >= 0 else { throw .unwritable(path: path, reason: systemWords()) }
    var facts = stat()
    guard fstat(old, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, fchmod(old, 0o600) == 0 else {
      close(old)
      throw .unwritable(path: path, reason: "it is not a file of yours")
    }
    return (old, false)
  }

  private static func replaced(_ path: String, with bytes: [UInt8]) throws(GrowingFileError) -> Int32 {
    // Follow a symbolic link and replace its target.
    let place = systemRealPath(path) ?? path
    let beside = "\(place).new-\(getpid())"
    unlink(beside)
    let descriptor = open(beside, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0, writeAll(bytes, to: descriptor, at: 0), rename(beside, place) == 0 else {
      let reason = systemWords()
      if descriptor >= 0 { close(descriptor) }
      unlink(beside)
      throw .unwritable(path: path, reason: reason)
    }
    return descriptor
  }

  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32, at start: Int) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let place = off_t(start + bytes.count - rest.count)
      let count = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, place) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

/// An error in creating or writing a file.
public enum GrowingFileError: Error, Hashable, Sendable {
  /// The file exists, and overwriting was not allowed.
  case exists(path: String)
  /// `reason` is a short phrase, usually from the system.
  case unwritable(path: String, reason: String)
}
