import HTTPTypes
public import QwinkleModel
import QwinkleWire

/// A request to a server: its address, its content, its name in the log, and the decoder of its response. The
/// constructors are in `Request+….swift`, with one file for each group of endpoints.
///
/// Equal read requests share one exchange while it is in progress, unless the user changes something on the server in
/// the meantime. A request that is ``unshared`` doesn't join an earlier one. Write requests are never shared.
public struct Request<Answer: Sendable>: Sendable {
  /// Decodes a response with a status of 2xx.
  typealias Reader = @Sendable (TransportResponse) throws(WireError) -> Answer

  /// Name in the log and in the ledger of work in progress, such as `download of home`.
  public let name: String
  var method: HTTPRequest.Method
  var place: RequestPlace
  /// The address to use when signed in, if it differs.
  var signedInPlace: RequestPlace?
  var fields = HTTPFields()
  var body: [UInt8] = []
  /// A body that contains a file. Replaces ``body``.
  var file: FileBody?
  var read: Reader
  /// Returns the request to send instead after an error, for instance if the server doesn't support this one; nil to
  /// report the error.
  var fallback: @Sendable (DownloadError) -> Request? = { _ in nil }
  /// The feature that the server must support, if any. If the response suggests that the endpoint is missing, the error
  /// becomes ``DownloadError/unsupported(host:_:)``.
  public internal(set) var ability: Ability?
  /// The answer to return if the server responds "not found" with a reason. If nil, that response is an error.
  var answerIfMissing: Answer?
  /// Maximum time until the response. Nil for the default.
  var timeout: Duration?
  /// Whether the request's delegates are notified of upload progress.
  var tellsSending = false
  /// Removes hosts from an answer if the client would send the token to them. Applied to answers that were redirected
  /// to another origin, because only the server that the user signed in at is allowed to name such hosts.
  var withoutTokenHosts: @Sendable (Answer) -> Answer = { $0 }
  /// If the answer is a page, lets ``DownloadService`` split the request into requests for smaller pages.
  var paging: Paging<Answer>?
  /// Whether a redirect to another host is an error; see ``stayingOnHost``.
  private(set) var staysOnHost = false
  /// Whether the request can share the exchange of an equal request in progress.
  private(set) var mayJoin = true
  /// Priority in the queue. A shared exchange has the highest priority of its requests.
  public private(set) var priority = RequestPriority.usual

  init(_ name: String, _ method: HTTPRequest.Method = .get, at place: RequestPlace, read: @escaping Reader) {
    self.name = name
    self.method = method
    self.place = place
    self.read = read
  }

  init(
    _ name: String, _ method: HTTPRequest.Method, _ path: String, json: [UInt8]? = nil,
    decode: @escaping @Sendable ([UInt8]) throws(WireError) -> Answer
  ) {
    self.init(name, method, at: .path(path)) { (response) throws(WireError) in try decode(response.body) }
    guard let json else { return }
    body = json
    fields[.contentType] = "application/json; charset=utf-8"
  }

  /// The path without the query, which may contain words of the user; for the log.
  public var path: String {
    let end = place.url.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    let address = PercentEncoding.encoded(place.url[..<(end ?? place.url.endIndex)])
    let bytes = address.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
      return address
    }
    return String(Substring(bytes[bytes.index(colon, offsetBy: 3)...].drop { $0 != UInt8(ascii: "/") }))
  }

  /// Number of bytes sent after the head.
  var bodyCount: Int { file?.count ?? body.count }

  /// Whether the request changes something on the server. A write continues after its delegates have been released,
  /// because cancelling it would leave its result unknown. An explicit ``DownloadService/cancel(_:)`` still ends it.
  public var isWrite: Bool { method != .get && !isQuery }
  /// Whether the request changes nothing, although its method isn't GET.
  private var isQuery = false

  /// The same request, but it never joins an exchange in progress. Its answer is therefore no older than the start of
  /// the request.
  public var unshared: Request {
    var request = self
    request.mayJoin = false
    return request
  }

  /// The same request, for which a redirect to another host is an error. Only the requested server can then answer.
  public var stayingOnHost: Request {
    var request = self
    request.staysOnHost = true
    let fallback = self.fallback
    request.fallback = { fallback($0)?.stayingOnHost }
    return request
  }

  /// The same request, as one that changes nothing on the server. It never joins an exchange in progress, because
  /// requests are compared by address, without their bodies.
  var asQuery: Request {
    var request = unshared
    request.isQuery = true
    return request
  }

  /// The same request, with another priority.
  public func prioritized(_ priority: RequestPriority) -> Request {
    var request = self
    request.priority = priority
    return request
  }

  func needing(_ ability: Ability) -> Request {
    var request = self
    request.ability = ability
    return request
  }
}

extension Request where Answer == Void {
  /// A request whose successful response is ignored.
  init(_ name: String, _ method: HTTPRequest.Method, _ path: String, json: [UInt8]? = nil) {
    self.init(name, method, path, json: json) { (_) throws(WireError) in }
  }
}

enum RequestPlace: Hashable, Sendable {
  /// A path with its query, on the server itself.
  case path(String)
  /// A cursor from the server, absolute or relative.
  case cursor(PageCursor)

  var url: String {
    switch self {
    case .path(let path): path
    case .cursor(let cursor): cursor.url
    }
  }
}

/// Paths that several requests use. Servers choose ids and tags, which can contain any character. Each id or tag is
/// escaped, so that it remains one path component.
enum RequestPath {
  static func status(_ id: Qwink.ID) -> String { "/api/v1/statuses/\(piece(id.rawValue))" }

  static func account(_ id: Qwinker.ID) -> String { "/api/v1/accounts/\(piece(id.rawValue))" }

  static func list(_ id: PersonalList.ID) -> String { "/api/v1/lists/\(piece(id.rawValue))" }

  static func conversation(_ id: Conversation.ID) -> String { "/api/v1/conversations/\(piece(id.rawValue))" }

  /// Escapes `text` for use in a path or query.
  static func piece(_ text: String) -> String {
    switch text {
    case ".": "%2E"
    case "..": "%2E%2E"
    default: PercentEncoding.component(text)
    }
  }

  /// Returns `url`, a path or URL, with `values` at the end of its query. They replace parameters of the same names.
  /// Also removes the parameters `removed` and the fragment. The caller escapes the values.
  static func setting(
    _ values: [(name: String, value: String)], removing removed: [String] = [], in url: String
  ) -> String {
    let parts = url.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let names = values.map(\.name) + removed
    let others = parts.dropFirst().joined().split(separator: "&").map(String.init).filter { pair in
      !names.contains { pair.hasPrefix("\($0)=") }
    }
    return "\(parts[0])?" + (others + values.map { "\($0.name)=\($0.value)" }).joined(separator: "&")
  }
}
