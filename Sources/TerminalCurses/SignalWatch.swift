import CProcess
import Dispatch

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Brings signals to the main actor. Not with Dispatch's signal sources: those want the signals ignored, and what a
/// process ignores, the editor that it starts ignores too.
@MainActor
final class SignalWatch {
  private var source: (any DispatchSourceRead)?
  /// A bit for each signal.
  private var watched: UInt64 = 0
  private let handler: @MainActor (Int32) -> Void

  init(handler: @escaping @MainActor (Int32) -> Void) {
    self.handler = handler
  }

  func watch(_ signals: [Int32]) {
    for signal in signals where watched & Self.bit(signal) == 0 {
      let descriptor = qw_signal_watch(signal)
      guard descriptor >= 0 else { continue }
      watched |= Self.bit(signal)
      if source == nil {
        source = MainSources.readable(descriptor) { [weak self] in self?.read(descriptor) }
      }
    }
  }

  /// Gives `signals` the action back that they had before.
  func unwatch(_ signals: [Int32]) {
    for signal in signals where watched & Self.bit(signal) != 0 {
      watched &= ~Self.bit(signal)
      qw_signal_unwatch(signal)
    }
  }

  /// Ends it all.
  func cancel() {
    unwatch(Array(1...64))
    source?.cancel()
    source = nil
  }

  private func read(_ descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 256)
    let capacity = bytes.count
    let count = max(0, bytes.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, capacity) })
    // However often one came, once is enough.
    var seen: UInt64 = 0
    for byte in bytes.prefix(count) where seen & Self.bit(Int32(byte)) == 0 {
      seen |= Self.bit(Int32(byte))
      if watched & Self.bit(Int32(byte)) != 0 { handler(Int32(byte)) }
    }
  }

  /// Signals are numbered from 1 to 64 at most.
  private static func bit(_ signal: Int32) -> UInt64 { 1 &<< UInt64(signal) }
}

/// `read`, under a name that no method hides.
func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}
