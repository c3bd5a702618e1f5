public import HTTPTypes
import QwinkleModel

/// Sends requests to a server: to a real one over HTTP, to one in this process, or to a recording of one. Callable from
/// any thread.
public protocol Transport: Sendable {
  /// Sends `request` and returns the complete response. A response with an error status doesn't throw. Redirects are
  /// not followed. Cancelling the task ends the exchange at once.
  ///
  /// - Throws: ``TransportError`` if no complete response arrives.
  @concurrent func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse

  /// Closes connections and stops threads. Don't call it while a request is in progress.
  @concurrent func shutDown() async

  /// Whether the transport can send ``TransportRequest/file``. If not, the caller provides the same bytes as
  /// ``TransportRequest/body``.
  var sendsFiles: Bool { get }
}

extension Transport {
  public var sendsFiles: Bool { false }

  @concurrent public func shutDown() async {}
}

/// A request and its limits.
public struct TransportRequest: Sendable {
  /// Method, absolute URL and headers. The URL's scheme and authority are set.
  public var head: HTTPRequest
  public var body: [UInt8]
  /// A body that contains a file; nil if ``body`` is sent.
  public var file: FileBody?
  /// Maximum size of the decompressed response in bytes.
  public var mostBytes: Int
  /// Maximum time until the response is complete.
  public var timeout: Duration
  /// Whether a response that is too large is truncated instead of rejected.
  public var keepsStart = false
  /// Called by transports that send in pieces, while a large body is sent, with the number of bytes sent so far.
  public var didSend: (@Sendable (_ bytes: Int) -> Void)?
  /// Called while the response's body arrives, with the number of bytes so far. If the server specified the size of the
  /// body, it is the second argument.
  public var didReceive: (@Sendable (_ bytes: Int, _ of: Int?) -> Void)?
  /// Called by transports that receive in pieces, with the response's head and each piece of the body as it arrives. If
  /// the request fails later, the earlier pieces have already been passed on.
  public var didReceivePart: (@Sendable (_ head: HTTPResponse, _ bytes: [UInt8]) -> Void)?

  public init(
    head: HTTPRequest, body: [UInt8] = [], mostBytes: Int = 8 << 20, timeout: Duration = .seconds(30),
    didReceive: (@Sendable (_ bytes: Int, _ of: Int?) -> Void)? = nil
  ) {
    self.head = head
    self.body = body
    self.mostBytes = mostBytes
    self.timeout = timeout
    self.didReceive = didReceive
  }

  /// Returns the same request with its ``file`` read into ``body``.
  public func loaded() throws(TransportError) -> TransportRequest {
    guard let file else { return self }
    var request = self
    do throws(DiskFile.Fault) {
      request.body = try file.bytes()
    } catch {
      throw TransportError(error)
    }
    request.file = nil
    return request
  }
}

/// A complete response.
public struct TransportResponse: Sendable {
  public var head: HTTPResponse
  public var body: [UInt8]
  /// Whether the response was too large, so that ``body`` contains only its beginning.
  public var isCut = false

  public init(head: HTTPResponse, body: [UInt8] = []) {
    self.head = head
    self.body = body
  }
}

/// The reason why there is no complete response.
public enum TransportError: Error, Hashable, Sendable {
  /// The host name is unknown.
  case unknownHost(String)
  /// The connection was refused, or there is no route.
  case refused(host: String)
  /// The response took too long.
  case timedOut(host: String)
  /// The connection broke before the response was complete.
  case interrupted(host: String)
  /// The server's certificate is not valid, for this `reason`.
  case untrusted(host: String, reason: String)
  /// The response exceeds the size limit, either as sent or after decompression.
  case tooLarge(host: String)
  /// The response is not HTTP.
  case malformed(host: String)
  /// The caller cancelled the request.
  case cancelled
  /// The request failed on this machine: a proxy or the CA file is unusable, the address isn't allowed, or the server
  /// in this process failed. `reason` is shown to the user.
  case local(reason: String)
  /// The Unix socket at `path` can't be used. Nothing was sent.
  case socket(path: String, SocketFault)
  /// The file to send can't be read or has changed. `reason` is a sentence. The server didn't receive the whole file.
  case file(reason: String)

  /// The reason in ``untrusted(host:reason:)`` if the server doesn't support TLS.
  public static let noHTTPS = "it does not speak HTTPS at this address"
}
