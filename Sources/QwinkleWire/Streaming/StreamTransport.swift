public import HTTPTypes

/// Opens long-lived connections over which a server sends events. Callable from any thread.
public protocol StreamTransport: Sendable {
  /// Opens a connection. The transport calls `hear` with each signal, in order and on any thread. The last signal is
  /// ``StreamSignal/ended(_:)``, which the transport can omit after ``StreamConnection/close()``.
  func open(_ request: StreamRequest, hear: @escaping @Sendable (StreamSignal) -> Void) -> any StreamConnection
}

/// A streaming connection.
public protocol StreamConnection: Sendable {
  /// Sends a message over a WebSocket. Does nothing for server-sent events.
  func send(_ text: [UInt8])
  /// Sends a ping if the connection supports it.
  func ping()
  func close()
}

/// A request to open a streaming connection.
public struct StreamRequest: Sendable {
  public enum Kind: Hashable, Sendable {
    case webSocket, events
  }

  public var kind: Kind
  /// The URL is absolute: scheme (`http` or `https` for either kind) and authority are set.
  public var head: HTTPRequest

  public init(_ kind: Kind, head: HTTPRequest) {
    self.kind = kind
    self.head = head
  }
}

/// A signal from a streaming connection.
public enum StreamSignal: Sendable {
  /// The server has started streaming.
  case opened
  /// A complete WebSocket message.
  case message([UInt8])
  /// The next bytes of server-sent events.
  case bytes([UInt8])
  /// A keep-alive without content.
  case beat
  /// The reply to a ping: the server has read everything sent before it.
  case pong
  /// Some events were not delivered.
  case missed
  case ended(StreamEnd)
}

/// The reason why a streaming connection ended.
public enum StreamEnd: Error, Hashable, Sendable {
  /// The server returned this error status instead of starting the stream. `retryAfter` is nil if the server didn't
  /// specify a time.
  case refused(status: Int, retryAfter: Duration? = nil)
  case failed(TransportError)
  case closed
}
