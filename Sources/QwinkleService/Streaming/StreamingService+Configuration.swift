import HTTPTypes
import QwinkleModel
import QwinkleWire

extension StreamingService {
  /// The server, and the account to use there.
  public struct Configuration: Sendable {
    /// `https://host[:port]`, without a path.
    public var serverURL: String
    /// The bearer token; nil if signed out.
    public var token: String?
    /// Whether the server runs in this process, so that no network can fail and no timeouts are needed.
    public var isInProcess: Bool
    /// Whether the connection is a Unix socket, by which the server identifies the user without a token.
    public var isOnSocket: Bool

    public init(serverURL: String, token: String?, isInProcess: Bool = false, isOnSocket: Bool = false) {
      self.serverURL = serverURL
      self.token = token
      self.isInProcess = isInProcess
      self.isOnSocket = isOnSocket
    }

    var isSignedIn: Bool { token != nil || isOnSocket }
    /// Whether all streams use the server's own address, even if the server announces another one.
    var hasNoOtherAddress: Bool { isInProcess || isOnSocket }

    var firstMethod: ListeningMethod { isInProcess ? .events : .webSocket }
  }

  /// Transports, in the order in which they are tried.
  enum ListeningMethod {
    case webSocket
    /// One WebSocket for all streams, with the token as subprotocol, which some servers require.
    case webSocketBySubprotocol
    /// One WebSocket for each stream, with the stream's name in the address and the token as subprotocol. Akkoma
    /// supports no other kind of WebSocket.
    case webSocketForEach
    case events
    case none
  }

  func request(for stream: StreamName?) -> StreamRequest? {
    guard let server = Origin(configuration.serverURL) else { return nil }
    guard let origin = configuration.hasNoOtherAddress ? server : StreamAddress.origin(server: server, named: namedURL)
    else { return nil }
    let path = method == .events ? StreamAddress.path(of: stream) : StreamAddress.socketPath(of: stream)
    var head = HTTPRequest(method: .get, scheme: origin.scheme, authority: origin.authority, path: path)
    head.headerFields[.userAgent] = DownloadService.userAgent
    if let token = configuration.token {
      if method == .webSocketBySubprotocol || method == .webSocketForEach {
        head.headerFields[.secWebSocketProtocol] = token
      } else {
        head.headerFields[.authorization] = "Bearer \(token)"
      }
    }
    if method == .events { head.headerFields[.accept] = "text/event-stream" }
    return StreamRequest(method == .events ? .events : .webSocket, head: head)
  }
}
