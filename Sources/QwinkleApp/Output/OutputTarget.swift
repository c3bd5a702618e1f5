import Foundation
import Synchronization

/// The destination of a command's output. Also records whether the command has changed something. If it has, the
/// command succeeds even if its output is lost. Otherwise, a script could repeat the command and make the change twice.
final class OutputTarget: Sendable {
  private struct State {
    var done: String?
    /// Whether standard output was lost after a change.
    var isLost = false
  }

  private let state = Mutex(State())
  private let system: @Sendable (Int32, UnsafeRawBufferPointer) -> Int

  /// Creates a target that writes with `system`, which returns the number of bytes written or the negated error number.
  init(
    _ system: @escaping @Sendable (Int32, UnsafeRawBufferPointer) -> Int = { descriptor, bytes in
      let count = Foundation.write(descriptor, bytes.baseAddress, bytes.count)
      return count < 0 ? -Int(errno) : count
    }
  ) {
    self.system = system
  }

  /// The command's change as the start of a sentence, such as `Posted`. Nil before the first change.
  var done: String? { state.withLock { $0.done } }

  /// Records that the command has changed something. If `isGeneral` is true, `what` doesn't replace an earlier text,
  /// which is more specific.
  func note(done what: String, isGeneral: Bool = false) {
    state.withLock { if !isGeneral || $0.done == nil { $0.done = what } }
  }

  /// Whether standard output was lost. If so, the rest of the output is dropped.
  var isLost: Bool { state.withLock { $0.isLost } }

  /// Drops the rest of standard output.
  func lose() { state.withLock { $0.isLost = true } }

  /// Writes some of `bytes`. Returns the number of bytes written, or the negated error number.
  func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int {
    bytes.withUnsafeBytes { system(descriptor, $0) }
  }
}
