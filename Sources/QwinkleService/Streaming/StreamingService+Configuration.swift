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
    /// Whether the server is in this process: then there is no network that could fail.
    public var isInProcess: Bool

    public init(serverURL: String, token: String?, isInProcess: Bool = false) {
      self.serverURL = serverURL
      self.token = token
      self.isInProcess = isInProcess
    }

    /// The transport to try first.
    var firstWay: Way { isInProcess ? .events : .webSocket }
  }

  /// Ways to listen, in the order in which they are tried.
  enum Way {
    case webSocket
    /// With the token as subprotocol: some servers take it only there.
    case webSocketBySubprotocol
    /// A WebSocket for each stream, which its address names, with the token as subprotocol: Akkoma knows no other.
    case webSocketForEach
    case events
    case none
  }

  func request(for stream: StreamName?) -> StreamRequest? {
    guard let server = Origin(configuration.serverURL) else { return nil }
    guard let origin = configuration.isInProcess ? server : StreamAddress.origin(server: server, named: namedURL)
    else { return nil }
    let path = way == .events ? StreamAddress.path(of: stream) : StreamAddress.socketPath(of: stream)
    var head = HTTPRequest(method: .get, scheme: origin.scheme, authority: origin.authority, path: path)
    head.headerFields[.userAgent] = DownloadService.userAgent
    if let token = configuration.token {
      if way == .webSocketBySubprotocol || way == .webSocketForEach {
        head.headerFields[.secWebSocketProtocol] = token
      } else {
        head.headerFields[.authorization] = "Bearer \(token)"
      }
    }
    if way == .events { head.headerFields[.accept] = "text/event-stream" }
    return StreamRequest(way == .events ? .events : .webSocket, head: head)
  }
}
