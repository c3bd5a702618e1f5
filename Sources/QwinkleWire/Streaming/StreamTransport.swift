public import HTTPTypes

/// Opens lasting connections on which a server tells what happens. Callable from anywhere.
public protocol StreamTransport: Sendable {
  /// Opens a connection. `hear` is told what comes, in order and on any thread, with ``StreamSignal/ended(_:)`` last;
  /// after ``StreamConnection/close()`` perhaps nothing.
  func open(_ request: StreamRequest, hear: @escaping @Sendable (StreamSignal) -> Void) -> any StreamConnection
}

/// A connection that streams.
public protocol StreamConnection: Sendable {
  /// Sends a message by WebSocket; by server-sent events nothing.
  func send(_ text: [UInt8])
  /// Asks for a sign of life, where the connection knows such.
  func ping()
  func close()
}

/// Where to listen, and how.
public struct StreamRequest: Sendable {
  public enum Kind: Hashable, Sendable {
    case webSocket, events
  }

  public var kind: Kind
  /// An absolute URL: scheme (`http` or `https` in either kind) and authority are set.
  public var head: HTTPRequest

  public init(_ kind: Kind, head: HTTPRequest) {
    self.kind = kind
    self.head = head
  }
}

/// What a connection that streams has to tell.
public enum StreamSignal: Sendable {
  /// The server streams from now on.
  case opened
  /// A whole message by WebSocket.
  case message([UInt8])
  /// The next bytes of server-sent events.
  case bytes([UInt8])
  /// A sign of life without content.
  case beat
  /// The answer to a ping: the server has read all that was sent before it.
  case pong
  /// Something happened that was not told.
  case missed
  case ended(StreamEnd)
}

/// Why a connection that streams has ended.
public enum StreamEnd: Error, Hashable, Sendable {
  /// The server answered with this status instead. `retryAfter` is nil if the server named no time.
  case refused(status: Int, retryAfter: Duration? = nil)
  case failed(TransportError)
  case closed
}
