import HTTPTypes
public import QwinkleModel
import QwinkleWire

/// A request to a server: where it goes, what it sends, what the log calls it, and how its answer is read. The
/// constructors are in `Request+….swift`, a file for each group of the API's endpoints.
///
/// Equal requests that only read share one exchange while it is under way, unless something was changed meanwhile.
/// Requests that change something are never shared.
public struct Request<Answer: Sendable>: Sendable {
  /// Reads an answer with a status of 2xx.
  typealias Reader = @Sendable (TransportResponse) throws(WireError) -> Answer

  /// What the log and the activity ledger call it: `download of home`.
  public let name: String
  var method: HTTPRequest.Method
  var place: RequestPlace
  /// The place to use when signed in, if it differs.
  var signedInPlace: RequestPlace?
  var fields = HTTPFields()
  var body: [UInt8] = []
  /// A body that contains a file; nil if ``body`` is sent.
  var file: FileBody?
  var read: Reader
  /// The request to send after an error instead, for instance if the server doesn't know this one; nil if the error
  /// stands.
  var fallback: @Sendable (DownloadError) -> Request? = { _ in nil }
  /// What it takes a server to be able to do; nil if every server can. An answer as to an unknown call then becomes
  /// ``DownloadError/unsupported(host:_:)``.
  public internal(set) var ability: Ability?
  /// The answer that "not found" with the server's reason stands for; nil if it is an error.
  var answerIfMissing: Answer?
  /// The longest wait for the answer; nil: the usual.
  var timeout: Duration?
  /// Whether its delegates hear how much of the body was sent.
  var tellsSending = false
  /// Removes the hosts that would receive the token from an answer. Applied to answers that were redirected to another
  /// origin: only the server that the user signed in at may name such hosts.
  var withoutTokenHosts: @Sendable (Answer) -> Answer = { $0 }
  /// How to ask for fewer items, if the answer is a page.
  var paging: Paging<Answer>?
  /// Whether it may get the answer to an equal request that is under way.
  private(set) var mayJoin = true
  private var handler: (@MainActor @Sendable (Answer) -> Void)?
  /// How soon it goes where others wait. One that is joined goes as soon as the most important of those who wait.
  public private(set) var priority = RequestPriority.usual

  /// A request without a body.
  init(_ name: String, _ method: HTTPRequest.Method = .get, at place: RequestPlace, read: @escaping Reader) {
    self.name = name
    self.method = method
    self.place = place
    self.read = read
  }

  /// A request without a body, whose answer `decode` reads.
  init(
    _ name: String, _ method: HTTPRequest.Method, _ path: String,
    decode: @escaping @Sendable ([UInt8]) throws(WireError) -> Answer
  ) {
    self.init(name, method, at: .path(path)) { (response) throws(WireError) in try decode(response.body) }
  }

  /// A request that sends `json`.
  init(
    _ name: String, _ method: HTTPRequest.Method, _ path: String, json: [UInt8],
    decode: @escaping @Sendable ([UInt8]) throws(WireError) -> Answer
  ) {
    self.init(name, method, path, decode: decode)
    body = json
    fields[.contentType] = "application/json; charset=utf-8"
  }

  /// Number of bytes that it sends after its head.
  var bodyCount: Int { file?.count ?? body.count }

  /// Whether it changes something on the server. It then finishes even if its delegates are gone: half a change would
  /// be worse than an unheard one.
  public var isWrite: Bool { method != .get }

  /// The same request, whose answer is no older than its start: it joins none under way.
  public var unshared: Request {
    var request = self
    request.mayJoin = false
    return request
  }

  /// The same request, with another priority.
  public func prioritized(_ priority: RequestPriority) -> Request {
    var request = self
    request.priority = priority
    return request
  }

  /// The same request, which needs a server that has this ability.
  func needing(_ ability: Ability) -> Request {
    var request = self
    request.ability = ability
    return request
  }

  /// The same request, with a handler that gets the answer on the main actor.
  public func handled(by handler: @escaping @MainActor @Sendable (Answer) -> Void) -> Request {
    var request = self
    request.handler = handler
    return request
  }

  /// Hands `answer` to the handler, if there is one.
  @MainActor
  public func handle(_ answer: Answer) { handler?(answer) }
}

/// Where a request goes.
enum RequestPlace: Hashable, Sendable {
  /// A path with its query, on the server itself.
  case path(String)
  /// A cursor from the server, absolute or relative.
  case cursor(PageCursor)

  /// The path or URL, with its query.
  var url: String {
    switch self {
    case .path(let path): path
    case .cursor(let cursor): cursor.url
    }
  }
}

/// The paths that requests share. Ids and tags come from servers and may hold anything: each stays one component of a
/// path.
enum RequestPath {
  static func status(_ id: Qwink.ID) -> String { "/api/v1/statuses/\(piece(id.rawValue))" }

  static func account(_ id: Qwinker.ID) -> String { "/api/v1/accounts/\(piece(id.rawValue))" }

  static func list(_ id: PersonalList.ID) -> String { "/api/v1/lists/\(piece(id.rawValue))" }

  static func conversation(_ id: Conversation.ID) -> String { "/api/v1/conversations/\(piece(id.rawValue))" }

  /// `text` as one component of a path or one value of a query.
  static func piece(_ text: String) -> String {
    switch text {
    case ".": "%2E"
    case "..": "%2E%2E"
    default: PercentEncoding.component(text)
    }
  }
}
