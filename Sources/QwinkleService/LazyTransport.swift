import QwinkleWire
import Synchronization

/// A transport that is created on first use, off the main actor.
final class LazyTransport: Transport {
  private let make: @Sendable () -> any Transport
  private let made = Mutex<(any Transport)?>(nil)

  init(_ make: @escaping @Sendable () -> any Transport) {
    self.make = make
  }

  @concurrent func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let transport = made.withLock { made in
      let transport = made ?? make()
      made = transport
      return transport
    }
    return try await transport.send(transport.sendsFiles ? request : request.loaded())
  }

  @concurrent func shutDown() async {
    let transport = made.withLock { made in
      defer { made = nil }
      return made
    }
    await transport?.shutDown()
  }
}
