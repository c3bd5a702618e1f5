import CProcess
import Dispatch

/// Dispatch sources whose handlers run on the main actor. The functions are nonisolated because Dispatch calls handlers
/// outside of any actor.
enum MainSources {
  /// Calls `handler` whenever `descriptor` is readable.
  nonisolated static func readable(
    _ descriptor: Int32, _ handler: @escaping @MainActor @Sendable () -> Void
  ) -> any DispatchSourceRead {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    activate(source, handler)
    return source
  }

  /// Calls `handler` whenever `descriptor` is writable.
  nonisolated static func writable(
    _ descriptor: Int32, _ handler: @escaping @MainActor @Sendable () -> Void
  ) -> any DispatchSourceWrite {
    let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: .main)
    activate(source, handler)
    return source
  }

  private nonisolated static func activate(
    _ source: any DispatchSourceProtocol, _ handler: @escaping @MainActor @Sendable () -> Void
  ) {
    source.setEventHandler { MainActor.assumeIsolated { handler() } }
    source.activate()
  }

  /// Calls `handler` once, after a delay.
  nonisolated static func after(milliseconds: Int, _ handler: @escaping @MainActor @Sendable () -> Void) {
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
      MainActor.assumeIsolated { handler() }
    }
  }
}
