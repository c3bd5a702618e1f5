import HTTPTypes
import QwinkleWire
import SafeText
import Timekeeping

/// A handler's response. ``written()`` encodes it later, so that a write transaction doesn't wait for the encoding.
struct ServiceResponse: Sendable {
  /// The body before encoding.
  enum Content: Sendable {
    case json(@Sendable () -> [UInt8])
    case error(String)
    case text(String)
    /// A file's content and media type.
    case file([UInt8], type: String)
    /// A range of a file, with the file's media type.
    case part(of: OpenFile, Range<Int>, type: String)
    case nothing
    case page(String)
    /// A stream of events, for callers of ``Service/stream(for:)``.
    case stream(Listening)
  }

  var status: HTTPResponse.Status = .ok
  var headers = HTTPFields()
  var content: Content

  /// Success without a result: an empty JSON object.
  static let done = ServiceResponse { $0.object { _ in } }

  init(_ content: Content, status: HTTPResponse.Status = .ok, link: LinkHeader? = nil) {
    self.content = content
    self.status = status
    if let link = link?.value, let name = HTTPField.Name("Link") { headers[name] = link }
  }

  /// Creates a response with `value`, encoded by `encode`.
  init<Value: Sendable>(_ encode: @escaping @Sendable (Value) -> [UInt8], _ value: Value, link: LinkHeader? = nil) {
    self.init(.json { encode(value) }, link: link)
  }

  /// Creates a response with the JSON that `write` writes.
  init(link: LinkHeader? = nil, _ write: @escaping @Sendable (inout JSONWriter) -> Void) {
    self.init(.json { JSONWriter.bytes(write) }, link: link)
  }

  /// Returns the head and body to send.
  func written() -> WrittenResponse {
    if case .stream = content { return Refusal.noStream.response.written() }
    var fields = headers
    let body = bytes
    var file: WrittenResponse.File?
    if case .part(let whole, let range, _) = content { file = .init(whole: whole, range: range) }
    fields[.contentType] =
      switch content {
      case .file(_, let type), .part(_, _, let type): type
      case .nothing: nil
      case .text: "text/plain; charset=utf-8"
      case .page: "text/html; charset=utf-8"
      default: "application/json; charset=utf-8"
      }
    fields[.contentLength] = status == .notModified ? nil : String(file?.range.count ?? body.count)
    return WrittenResponse(head: HTTPResponse(status: status, headerFields: fields), body: body, file: file)
  }

  private var bytes: [UInt8] {
    switch content {
    case .json(let encode): encode()
    case .error(let message): WireEncoder.error(message)
    case .file(let bytes, _): bytes
    case .text(let text), .page(let text): Array(text.utf8)
    case .stream, .part, .nothing: []
    }
  }
}

struct WrittenResponse: Sendable {
  /// A range of a file that is sent instead of a body in memory.
  struct File: Sendable {
    var whole: OpenFile
    var range: Range<Int>
  }

  var head: HTTPResponse
  var body: [UInt8]
  var file: File?

  var count: Int { file?.range.count ?? body.count }
}

/// A handler's error response: a status and a sentence for the user.
struct Refusal: Error {
  var status: HTTPResponse.Status
  var message: String
  var headers = HTTPFields()

  var response: ServiceResponse {
    var response = ServiceResponse(.error(message), status: status)
    response.headers = headers
    return response
  }

  /// Returns the response, as an HTML page if the client is a browser.
  func response(to request: ServiceRequest) -> ServiceResponse {
    guard request.wantsPage else { return response }
    var page = WebPage.message(message, title: status == .notFound ? "Not found" : "Error", status: status)
    for field in headers { page.headers[field.name] = field.value }
    return page
  }

  static let notFound = Refusal(status: .notFound, message: "Not found, or not visible to you.")
  static let suspended = Refusal(
    status: .forbidden, message: "Your account is suspended. Ask the operator of this server.")
  /// Also used for other authors' qwinks, so that their existence isn't revealed.
  static let notOwn = Refusal(status: .notFound, message: "Not found among your own posts.")
  static func tooLarge(_ most: Int) -> Refusal {
    Refusal(status: .contentTooLarge, message: "Request too large: the limit is \(most) bytes.")
  }

  /// The request's body couldn't be written to a file.
  static let notReceived = Refusal(
    status: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"),
    message: "The server has no room for this request. Try again later.")

  /// Writing a picture would leave too little free space on the disk.
  static let diskNearlyFull = Refusal(
    status: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"),
    message: "The server's disk is nearly full, so it accepts no pictures now. Posts without pictures still work. "
      + "Try again later, or ask this host's operator.")

  static let longAddress = Refusal(
    status: .uriTooLong, message: "Address too long: the limit is \(ServiceRequest.mostTargetBytes) bytes.")

  static let longHeader = Refusal(
    status: .requestHeaderFieldsTooLarge,
    message: "Header too large: the limit is \(FrontLimits.mostHeadBytes) bytes.")

  /// The client didn't send a valid HTTP/1 request.
  static let notHTTP = Refusal(status: .badRequest, message: "This is not a valid HTTP request.")

  static let tooLate = Refusal(status: .requestTimeout, message: "The request arrived too slowly. Try again.")

  static let tooManyConnections = Refusal(
    status: .serviceUnavailable, message: "Too many connections. Close some, then try again.",
    headers: [.retryAfter: "5", .connection: "close"])

  /// The server is shutting down.
  static let ending = Refusal(
    status: .serviceUnavailable, message: "The server is being stopped. Try again in a few seconds.",
    headers: [.retryAfter: "5"])

  static let unknownStream = Refusal(
    status: .badRequest,
    message: "Unknown stream: use user, user:notification, public, hashtag with a tag, list with its ID, or direct.")

  /// A stream was requested through a transport that doesn't support streams.
  static let noStream = Refusal(status: .notAcceptable, message: "Streams need a connection over HTTP.")

  static let badWebSocket = Refusal(
    status: .badRequest, message: "Not a WebSocket handshake of version 13.")

  /// The client has disconnected, so this response is never sent.
  static let unwanted = Refusal(
    status: HTTPResponse.Status(code: 499, reasonPhrase: "Client Closed Request"), message: "")

  static func invalid(_ message: String) -> Refusal { Refusal(status: .unprocessableContent, message: message) }

  /// The rate limit is reached. The client can retry after `wait`.
  static func tooMany(_ wait: Duration) -> Refusal {
    Refusal(
      status: .tooManyRequests, message: "Too many requests. Wait \(wait.waitInWords), then try again.",
      headers: [.retryAfter: String(wait.secondsToWait)])
  }

  /// The user has to sign in, or sign in again.
  static func unauthorized(_ message: String) -> Refusal {
    Refusal(status: .unauthorized, message: message, headers: [.wwwAuthenticate: "Bearer realm=\"Qwinkle\""])
  }

  /// The token is valid but lacks `scope`.
  static func outsideScope(_ scope: String) -> Refusal {
    Refusal(
      status: .forbidden, message: "The access token lacks the scope \(scope).",
      headers: [.wwwAuthenticate: "Bearer realm=\"Qwinkle\", error=\"insufficient_scope\", scope=\"\(scope)\""])
  }
}

extension Refusal {
  /// Creates the response to unacceptable parameters.
  init(_ fault: ParameterFault) {
    let status: HTTPResponse.Status =
      switch fault.kind {
      case .unreadable: .badRequest
      case .unknownType: .unsupportedMediaType
      case .refused: .unprocessableContent
      }
    self.init(status: status, message: SafeText.line(fault.sentence))
  }
}
