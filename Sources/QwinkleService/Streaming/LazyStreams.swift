public import QwinkleWire
import Synchronization

/// A streaming transport that creates the actual transport on first use.
public final class LazyStreams: StreamTransport {
  private let make: @Sendable () -> any StreamTransport
  private let made = Mutex<(any StreamTransport)?>(nil)

  public init(_ make: @escaping @Sendable () -> any StreamTransport) {
    self.make = make
  }

  public func open(
    _ request: StreamRequest, hear: @escaping @Sendable (StreamSignal) -> Void
  ) -> any StreamConnection {
    let transport = made.withLock { made in
      let transport = made ?? make()
      made = transport
      return transport
    }
    return transport.open(request, hear: hear)
  }
}
