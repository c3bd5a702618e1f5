import FoundationEssentials
import HTTPTypes
import LibC
import QwinkleModel
import QwinkleWire
import SafeText

/// A request, received over HTTP or from the client in the same process.
struct ServiceRequest: Sendable {
  /// Maximum length of a body, in bytes.
  static let mostBodyBytes = 1 << 20
  /// Maximum length of a body with pictures, in bytes: an upload, or a profile's avatar and header.
  static let mostUploadBytes = Picture.mostBytes + (1 << 20)
  /// Maximum length of a path with its query, in bytes.
  static let mostTargetBytes = 8 << 10

  let method: HTTPRequest.Method
  /// The path with its query, as sent.
  let target: String
  /// The path as sent, without the query.
  let path: String
  let segments: [String]
  let query: [RequestParameters.Pair]
  let headers: HTTPFields
  var body: [UInt8]
  var origin: BaseURL
  var client = Client.process
  /// The uid of the user who sent the request through the Unix socket. Nil for requests through other transports.
  var unixUser: uid_t?
  /// Details for the log.
  var note = RequestNote()
  /// The values of the placeholders in the route's pattern, in order.
  var arguments: [String] = []
  /// The signed-in account, for handlers that run outside transactions.
  var viewer: Int64?

  init(head: HTTPRequest, body: [UInt8]) {
    target = head.path ?? "/"
    let parts = target.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    method = head.method
    path = parts.first.map { String(Substring($0)) } ?? "/"
    segments = path.utf8.split(separator: UInt8(ascii: "/")).map { PercentEncoding.decoded($0) }
    query = parts.count > 1 ? RequestParameters.pairs(of: parts[1]) : []
    headers = head.headerFields
    self.body = body
    origin = BaseURL(head: head)
  }

  static func mostBodyBytes(of method: HTTPRequest.Method, _ target: String) -> Int {
    switch (method, Substring(target.utf8.prefix { $0 != UInt8(ascii: "?") })) {
    case (.post, "/api/v1/media"), (.post, "/api/v2/media"), (.post, Substring(ImportHandlers.mediaPath)),
      (.patch, "/api/v1/accounts/update_credentials"):
      mostUploadBytes
    default: mostBodyBytes
    }
  }

  /// Returns ``viewer``. Throws if the request has no signed-in account.
  func me() throws(Refusal) -> Int64 {
    guard let viewer else { throw Refusal.unauthorized("Sign in first.") }
    return viewer
  }

  /// Returns the last value for a name in the query, if any.
  subscript(name: String) -> String? { query.last { $0.name == name }?.value }

  /// The id in the path, or nil if it isn't a valid id of this service.
  var id: Int64? { arguments.first.flatMap { Int64($0) } }

  /// Returns the id in the path. Throws if it isn't a valid id of this service.
  func requiredID() throws(Refusal) -> Int64 {
    guard let id else { throw .notFound }
    return id
  }

  /// Returns the id in the query parameter `name`, or nil if the parameter is missing or empty.
  func queryID(_ name: String) throws(Refusal) -> Int64? {
    guard let text = self[name], !text.isEmpty else { return nil }
    guard let id = Int64(text), id >= 0 else { throw .invalid("\(name) is not a valid ID.") }
    return id
  }

  func flag(_ name: String) -> Bool { self[name].map(Self.isYes) ?? false }

  /// Returns all distinct values for a name in the query, including those for `name[]`.
  func list(_ name: String) -> [String] {
    query.filter { $0.name == name || $0.name == "\(name)[]" }.map(\.value).uniqued()
  }

  /// Returns the first `most` distinct ids in the query's `id` and `id[]`, without invalid ids. Mastodon's limit for
  /// posts and accounts is 20.
  func listedIDs(most: Int = 20) -> [Int64] {
    Array(list("id").compactMap { Int64($0) }.uniqued().prefix(most))
  }

  /// Whether the client is a browser that expects an HTML page.
  var wantsPage: Bool {
    (method == .get || method == .head) && segments.first != "api"
      && headers[.accept]?.lowercased().contains("text/html") == true
  }

  static func isYes(_ value: String) -> Bool {
    !["", "0", "f", "false", "off", "no"].contains(value.lowercased())
  }

  /// The token in the query or WebSocket subprotocol of a streaming client that can't set headers, such as a browser.
  private var streamToken: String? {
    guard segments.starts(with: ["api", "v1", "streaming"]) else { return nil }
    return self["access_token"] ?? WebSocketRequest.subprotocol(headers)
  }

  /// The bearer token in the Authorization header, or ``streamToken`` if that header is missing. A header without a
  /// bearer token counts as an empty token.
  var token: String? {
    guard let value = headers[.authorization] else { return streamToken }
    let parts = value.split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return "" }
    return String(parts[1])
  }

  /// Returns the parameters of the body and the query. The body takes precedence.
  func parameters() throws(ParameterFault) -> RequestParameters {
    try bodyParameters().or(RequestParameters(query))
  }

  /// Returns the parameters of the body only. Secrets don't belong in a query, which proxies may log.
  func bodyParameters() throws(ParameterFault) -> RequestParameters {
    try RequestParameters(body: body, contentType: headers[.contentType])
  }

  /// Returns the parameters of the body, or throws if the query has any. A client that sends a post's visibility in the
  /// query may expect it to take effect.
  func parametersInBodyOnly() throws(ParameterFault) -> RequestParameters {
    if let name = query.first?.name {
      throw ParameterFault("Send \(SafeText.line(name)) in the body, not in the address. Nothing was changed.")
    }
    return try bodyParameters()
  }
}

/// The scheme and authority of the service's URLs, as the client sees them.
struct BaseURL: Hashable, Sendable {
  /// Maximum length of an authority that a client sends, in bytes: a DNS name and a port. Every URL in a response
  /// repeats the authority.
  private static let mostAuthorityBytes = 253 + 6

  var scheme: String
  var authority: String

  init(scheme: String, authority: String) {
    self.scheme = scheme
    self.authority = authority
  }

  /// Returns nil unless the URL has the form `http[s]://host[:port]`.
  init?(url: String) {
    let parts = url.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, ["http", "https"].contains(parts[0]), !parts[1].isEmpty,
      parts[1].utf8.allSatisfy(Self.isAuthority)
    else { return nil }
    self.init(scheme: String(parts[0]), authority: String(parts[1]))
  }

  init(head: HTTPRequest) {
    scheme = head.scheme ?? "http"
    let authority = head.authority ?? ""
    let isValid =
      1...Self.mostAuthorityBytes ~= authority.utf8.count && authority.utf8.allSatisfy(Self.isAuthority)
    self.authority = isValid ? authority : "localhost"
  }

  /// Returns an absolute URL of this service. `path` starts with a slash.
  func url(_ path: String) -> String { "\(scheme)://\(authority)\(path)" }

  /// Returns whether a byte can occur in a host name, address or port. The accepted bytes can't end a URL or a header.
  static func isAuthority(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || ".-_:[]".utf8.contains(byte)
  }
}
