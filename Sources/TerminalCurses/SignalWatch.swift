import CProcess
import Dispatch
import LibC

/// Delivers signals to the main actor. Dispatch's signal sources are not used, because they require the signals to be
/// ignored, and an editor that the program starts would then ignore them too.
@MainActor
final class SignalWatch {
  private var source: (any DispatchSourceRead)?
  /// The descriptor from which signals are read as bytes, or -1 before the first signal is watched.
  private var descriptor: Int32 = -1
  private var watched: Set<Int32> = []
  private let handler: @MainActor (Int32) -> Void

  init(handler: @escaping @MainActor (Int32) -> Void) {
    self.handler = handler
  }

  func watch(_ signals: [Int32]) {
    for signal in signals where !watched.contains(signal) {
      let descriptor = qw_signal_watch(signal)
      guard descriptor >= 0 else { continue }
      watched.insert(signal)
      self.descriptor = descriptor
      if source == nil {
        source = MainSources.readable(descriptor) { [weak self] in self?.deliver() }
      }
    }
  }

  /// Restores the former actions of `signals`.
  func unwatch(_ signals: some Sequence<Int32>) {
    for signal in signals where watched.remove(signal) != nil { qw_signal_unwatch(signal) }
  }

  /// Stops watching all signals.
  func cancel() {
    unwatch(watched)
    source?.cancel()
    source = nil
  }

  /// Delivers the signals that have arrived, without waiting for the main queue. With `evenUnwatched`, also delivers
  /// signals that are no longer watched but arrived earlier.
  func deliver(evenUnwatched: Bool = false) {
    guard descriptor >= 0 else { return }
    var bytes = [UInt8](repeating: 0, count: 256)
    let capacity = bytes.count
    let count = max(0, bytes.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, capacity) })
    // A repeated signal is delivered once.
    var seen: Set<Int32> = []
    for signal in bytes.prefix(count).map(Int32.init)
    where seen.insert(signal).inserted && (evenUnwatched || watched.contains(signal)) { handler(signal) }
  }
}
