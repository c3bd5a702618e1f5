import HTTPTypes
import QwinkleModel
import QwinkleWire

/// One call of the API: where it goes, what it sends, and how its answer is read.
struct Endpoint: Sendable {
  /// Where a call goes.
  enum Place: Hashable, Sendable {
    /// A path with its query, on the server itself.
    case path(String)
    /// What the server gave as the way on, absolute or relative.
    case cursor(PageCursor)
  }

  /// Reads an answer with a status of 2xx.
  typealias Reader = @Sendable (TransportResponse) throws(WireError) -> Download

  var method = HTTPRequest.Method.get
  var place: Place
  var fields = HTTPFields()
  var body: [UInt8] = []
  var read: Reader

  /// Whether it changes nothing on the server.
  var isRead: Bool { method == .get }
}

extension Endpoint {
  static let serverInfo = Endpoint(place: .path("/api/v2/instance"), read: readServerInfo)
  /// For servers that don't know the second version.
  static let olderServerInfo = Endpoint(place: .path("/api/v1/instance"), read: readServerInfo)
  /// Who I am.
  static let ownQwinker = Endpoint(place: .path("/api/v1/accounts/verify_credentials"), read: readQwinker)

  /// What asks for `request`; nil for ``DownloadRequest/connect``, which is several calls.
  init?(_ request: DownloadRequest) {
    switch request {
    case .connect: return nil
    case .timeline(let name, let limit):
      self.init(place: .path(Endpoint.path(of: name, limit: limit)), read: Endpoint.readQwinks)
    case .timelinePage(_, let cursor):
      self.init(place: .cursor(cursor), read: Endpoint.readQwinks)
    case .thread(let id):
      self.init(place: .path("/api/v1/statuses/\(escaped(id.rawValue))/context"), read: Endpoint.readThread)
    case .qwink(let id):
      self.init(place: .path("/api/v1/statuses/\(escaped(id.rawValue))"), read: Endpoint.readQwink)
    case .qwinker(let id):
      self.init(place: .path("/api/v1/accounts/\(escaped(id.rawValue))"), read: Endpoint.readQwinker)
    case .lookup(let handle):
      self.init(place: .path("/api/v1/accounts/lookup?acct=\(escaped(handle))"), read: Endpoint.readQwinker)
    case .post(let entry):
      var fields = HTTPFields()
      fields[.contentType] = "application/json; charset=utf-8"
      if let name = HTTPField.Name("Idempotency-Key"), !entry.idempotencyKey.isEmpty {
        fields[name] = entry.idempotencyKey
      }
      self.init(
        method: .post, place: .path("/api/v1/statuses"), fields: fields, body: WireEncoder.entry(entry),
        read: Endpoint.readQwink)
    case .delete(let id):
      self.init(
        method: .delete, place: .path("/api/v1/statuses/\(escaped(id.rawValue))"),
        read: { (_) throws(WireError) in .deleted(id) })
    }
  }

  private static func path(of name: TimelineName, limit: Int) -> String {
    switch name {
    case .public: "/api/v1/timelines/public?limit=\(limit)"
    case .local: "/api/v1/timelines/public?local=true&limit=\(limit)"
    case .home: "/api/v1/timelines/home?limit=\(limit)"
    case .tag(let tag): "/api/v1/timelines/tag/\(escaped(tag))?limit=\(limit)"
    case .qwinker(let id): "/api/v1/accounts/\(escaped(id.rawValue))/statuses?limit=\(limit)"
    }
  }

  private static let readQwinks: Reader = { (response) throws(WireError) in
    let link = HTTPField.Name("Link").flatMap { response.head.headerFields[$0] }
    let page = try WireDecoder.qwinks(from: response.body, link: link)
    if page.items.isEmpty, page.damagedCount > 0 {
      throw .unexpected("none of its items can be read")
    }
    return .qwinks(page)
  }
  private static let readQwink: Reader = { (response) throws(WireError) in
    .qwink(try WireDecoder.qwink(from: response.body))
  }
  private static let readThread: Reader = { (response) throws(WireError) in
    .thread(try WireDecoder.thread(from: response.body))
  }
  private static let readQwinker: Reader = { (response) throws(WireError) in
    .qwinker(try WireDecoder.qwinker(from: response.body))
  }
  private static let readServerInfo: Reader = { (response) throws(WireError) in
    .serverInfo(try WireDecoder.serverInfo(from: response.body))
  }
}

/// `text` as one component of a path or one value of a query: ids and tags come from servers and may hold anything.
private func escaped(_ text: String) -> String {
  let digits = Array("0123456789ABCDEF".unicodeScalars)
  var escaped = String.UnicodeScalarView()
  for byte in text.utf8 {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
      escaped.append(UnicodeScalar(byte))
    case UInt8(ascii: ".") where text != "." && text != "..":
      escaped.append(UnicodeScalar(byte))
    default:
      escaped.append("%")
      escaped.append(digits[Int(byte >> 4)])
      escaped.append(digits[Int(byte & 15)])
    }
  }
  return String(escaped)
}
