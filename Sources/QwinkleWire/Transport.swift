public import HTTPTypes

/// What carries requests to a service and its answers back: HTTP, a call in the same process, a
/// recording. Callable from anywhere.
public protocol Transport: Sendable {
  /// Sends `request` and returns the whole answer, whatever its status. Redirects are not followed:
  /// who asked decides. Cancelling the task ends the exchange at once.
  ///
  /// - Throws: ``TransportError`` when there is no whole answer.
  @concurrent func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse

  /// Gives back connections and threads. No request may be under way.
  @concurrent func shutDown() async
}

extension Transport {
  @concurrent public func shutDown() async {}
}

/// A request, with the limits that its sender sets.
public struct TransportRequest: Sendable {
  /// Method, URL parts and headers. An absolute URL: scheme and authority are set.
  public var head: HTTPRequest
  public var body: [UInt8]
  /// An answer longer than this, inflated, is refused.
  public var mostBytes: Int
  /// The longest wait for the whole answer.
  public var timeout: Duration
  /// Whether an answer that is too large is given as far as it came, rather than not at all.
  public var keepsStart = false
  /// Told as the body comes in: bytes so far, and of how many where the server said so.
  public var didReceive: (@Sendable (_ bytes: Int, _ of: Int?) -> Void)?

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
}

/// A whole answer.
public struct TransportResponse: Sendable {
  public var head: HTTPResponse
  public var body: [UInt8]
  /// Whether it was too large, and ``body`` is only where it begins.
  public var isCut = false

  public init(head: HTTPResponse, body: [UInt8] = []) {
    self.head = head
    self.body = body
  }
}

/// Why there is no answer.
public enum TransportError: Error, Hashable, Sendable {
  /// No address has that name.
  case unknownHost(String)
  /// Nothing listens there, or the way there is closed.
  case refused(host: String)
  /// No answer in time.
  case timedOut(host: String)
  /// The connection broke before the answer was whole.
  case interrupted(host: String)
  /// The server's certificate does not prove who it is; `reason` says what is wrong with it.
  case untrusted(host: String, reason: String)
  /// The answer is longer than the sender allows, perhaps only once inflated.
  case tooLarge(host: String)
  /// What came back is not HTTP.
  case malformed(host: String)
  /// The request was cancelled by who sent it.
  case cancelled
  /// The service in this process failed; `reason` is its sentence.
  case local(reason: String)
}
