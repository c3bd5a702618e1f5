import CProcess
import Dispatch

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Brings signals to the main actor. Not with Dispatch's signal sources: those want the signals ignored, and what a process
/// ignores, the editor that it starts ignores too.
@MainActor
final class SignalWatch {
  private var source: (any DispatchSourceRead)?
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
      if source == nil {
        source = MainSources.readable(descriptor) { [weak self] in self?.read(descriptor) }
      }
    }
  }

  /// Gives `signals` the action back that they had before.
  func unwatch(_ signals: [Int32]) {
    for signal in signals where watched.remove(signal) != nil { qw_signal_unwatch(signal) }
  }

  /// Ends it all.
  func cancel() {
    unwatch(Array(watched))
    source?.cancel()
    source = nil
  }

  private func read(_ descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 256)
    let capacity = bytes.count
    let count = max(0, bytes.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, capacity) })
    // However often one came, once is enough.
    var seen: Set<UInt8> = []
    for byte in bytes.prefix(count) where seen.insert(byte).inserted {
      if watched.contains(Int32(byte)) { handler(Int32(byte)) }
    }
  }
}

/// `read`, under a name that no method hides.
func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}
