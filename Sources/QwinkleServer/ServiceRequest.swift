import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleWire
import SafeText

/// A request as handlers see it, from either front.
struct ServiceRequest: Sendable {
  /// The longest body accepted, in bytes.
  static let mostBodyBytes = 1 << 20
  /// The longest body that uploads a picture, in bytes; or two, of a profile.
  static let mostUploadBytes = Picture.mostBytes + (1 << 20)
  /// The longest path with its query accepted, in bytes.
  static let mostTargetBytes = 8 << 10

  let method: HTTPRequest.Method
  /// The path with its query, as sent.
  let target: String
  /// The path as sent, without the query.
  let path: String
  /// The path's segments, percent-decoded.
  let segments: [String]
  /// The query's names and values, in order.
  let query: [RequestParameters.Pair]
  let headers: HTTPFields
  var body: [UInt8]
  var origin: Origin
  var client = Client.process
  /// What the log will say of the request.
  var note = RequestNote()
  /// The values of the placeholders in the route's pattern, in order.
  var arguments: [String] = []
  /// The signed-in account, for handlers that run outside transactions.
  var viewer: Int64?

  init(head: HTTPRequest, body: [UInt8]) {
    target = head.path ?? "/"
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    method = head.method
    path = parts.first.map(String.init) ?? "/"
    segments = path.split(separator: "/").map { PercentEncoding.decoded($0.utf8) }
    query = parts.count > 1 ? RequestParameters.pairs(of: parts[1].utf8) : []
    headers = head.headerFields
    self.body = body
    origin = Origin(head: head)
  }

  /// The longest body accepted at a path, in bytes.
  static func mostBodyBytes(of method: HTTPRequest.Method, _ target: String) -> Int {
    switch (method, target.prefix { $0 != "?" }) {
    case (.post, "/api/v1/media"), (.post, "/api/v2/media"), (.patch, "/api/v1/accounts/update_credentials"):
      mostUploadBytes
    default: mostBodyBytes
    }
  }

  /// The signed-in account, for handlers of routes that require one.
  func me() throws(Refusal) -> Int64 {
    guard let viewer else { throw Refusal.unauthorized("Sign in first.") }
    return viewer
  }

  /// The last value for a name in the query; nil if there is none.
  subscript(name: String) -> String? { query.last { $0.name == name }?.value }

  /// The id in the path; nil if it isn't one of this service's ids.
  var id: Int64? { arguments.first.flatMap { Int64($0) } }

  /// Whether a flag in the query is on.
  func flag(_ name: String) -> Bool { self[name].map(Self.isYes) ?? false }

  /// All values for a name in the query, including those for `name[]`, each once.
  func list(_ name: String) -> [String] {
    query.filter { $0.name == name || $0.name == "\(name)[]" }.map(\.value).uniqued()
  }

  /// The first `most` ids in the query's `id[]`, each once. Mastodon's limit for posts and accounts is 20.
  func listedIDs(most: Int = 20) -> [Int64] {
    Array(list("id").compactMap { Int64($0) }.uniqued().prefix(most))
  }

  /// Whether a browser wants to show the answer.
  var wantsPage: Bool {
    (method == .get || method == .head) && segments.first != "api"
      && headers[.accept]?.lowercased().contains("text/html") == true
  }

  /// Whether a value means true.
  static func isYes(_ value: String) -> Bool {
    !["", "0", "f", "false", "off", "no"].contains(value.lowercased())
  }

  /// The token where no header can be set, as in a browser's streams.
  private var streamToken: String? {
    guard segments.starts(with: ["api", "v1", "streaming"]) else { return nil }
    return self["access_token"] ?? WebSocketRequest.subprotocol(headers)
  }

  /// The bearer token; empty if the header has none, nil without the header.
  var token: String? {
    guard let value = headers[.authorization] else { return streamToken }
    let parts = value.split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return "" }
    return String(parts[1])
  }

  /// The parameters of the body, and of the query where the body has none of that name.
  func parameters() throws(ParameterFault) -> RequestParameters {
    try bodyParameters().or(RequestParameters(query))
  }

  /// The parameters of the body alone. Secrets don't belong in a query, which others log.
  func bodyParameters() throws(ParameterFault) -> RequestParameters {
    try RequestParameters(body: body, contentType: headers[.contentType])
  }

  /// The parameters of the body, when the query must have none: a client that sends a post's visibility there may
  /// expect it to be heard.
  func parametersInBodyOnly() throws(ParameterFault) -> RequestParameters {
    if let name = query.first?.name {
      throw ParameterFault("Send \(SafeText.line(name)) in the body, not in the address. Nothing was changed.")
    }
    return try bodyParameters()
  }
}

/// The scheme and authority of the service's URLs, as the client sees them.
struct Origin: Hashable, Sendable {
  /// The longest authority that a client may send, in bytes: a DNS name and a port. Every address in a response
  /// repeats it.
  private static let mostAuthorityBytes = 253 + 6

  var scheme: String
  var authority: String

  init(scheme: String, authority: String) {
    self.scheme = scheme
    self.authority = authority
  }

  /// The origin of an address; nil if it isn't `http[s]://host[:port]`.
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

  /// An absolute URL of this service. `path` starts with a slash.
  func url(_ path: String) -> String { "\(scheme)://\(authority)\(path)" }

  /// Whether a byte may occur in a host name, address or port. None of these could end a URL or a header.
  static func isAuthority(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    default: false
    }
  }
}
