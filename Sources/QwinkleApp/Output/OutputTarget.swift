import Foundation
import Synchronization

/// The destination of a command's output, with a record of the command's changes so far. A command that has changed
/// something isn't a failure if only its output is lost: a script would repeat it.
final class OutputTarget: Sendable {
  private struct State {
    var done: String?
    /// Whether standard output was lost after a change. The rest of the output is dropped.
    var isLost = false
  }

  private let state = Mutex(State())
  private let system: @Sendable (Int32, UnsafeRawBufferPointer) -> Int

  /// A target that writes with `system`: it returns the number of bytes written, or the negated error number.
  init(
    _ system: @escaping @Sendable (Int32, UnsafeRawBufferPointer) -> Int = { descriptor, bytes in
      let count = Foundation.write(descriptor, bytes.baseAddress, bytes.count)
      return count < 0 ? -Int(errno) : count
    }
  ) {
    self.system = system
  }

  /// The command's change as the beginning of a sentence, such as `Posted`; nil before the first change.
  var done: String? { state.withLock { $0.done } }

  /// Records that the command has changed something. A general `what` doesn't replace an earlier one.
  func note(done what: String, isGeneral: Bool = false) {
    state.withLock { if !isGeneral || $0.done == nil { $0.done = what } }
  }

  /// Whether standard output was lost.
  var isLost: Bool { state.withLock { $0.isLost } }

  /// Drops the rest of standard output.
  func lose() { state.withLock { $0.isLost = true } }

  /// Writes some of `bytes`. Returns how many, or the negated error number.
  func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int {
    bytes.withUnsafeBytes { system(descriptor, $0) }
  }
}
