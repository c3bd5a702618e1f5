import HTTPTypes
import QwinkleModel
import QwinkleWire

/// How the answers of the API's calls are read.
enum AnswerReader {
  /// A page of qwinks that was asked for by `path`.
  static func qwinks(at path: String) -> Endpoint.Reader {
    { (response) throws(WireError) in
      .qwinks(goingOn(try page(response, WireDecoder.qwinks), after: response, at: path, id: \.id.rawValue))
    }
  }
  static let qwinkers: Endpoint.Reader = { (response) throws(WireError) in
    .qwinkers(try page(response, WireDecoder.qwinkers))
  }
  static let conversations: Endpoint.Reader = { (response) throws(WireError) in
    .conversations(try page(response, WireDecoder.conversations))
  }
  /// A page of notifications that was asked for by `path`.
  static func notifications(at path: String) -> Endpoint.Reader {
    { (response) throws(WireError) in
      .notifications(
        goingOn(try page(response, WireDecoder.notifications), after: response, at: path, id: \.id.rawValue))
    }
  }
  static let qwink: Endpoint.Reader = { (response) throws(WireError) in
    .qwink(try WireDecoder.qwink(from: response.body))
  }
  /// What was boosted, made a favourite or marked, in its new state. The answer to a boost is the boost around its
  /// original, and some servers answer before their own flags and counts have followed.
  static func original(after reaction: Reaction, isOn: Bool) -> Endpoint.Reader {
    { (response) throws(WireError) in
      .qwink(try WireDecoder.qwink(from: response.body).original.setting(reaction, to: isOn))
    }
  }
  static let thread: Endpoint.Reader = { (response) throws(WireError) in
    .thread(try WireDecoder.thread(from: response.body))
  }
  static let versions: Endpoint.Reader = { (response) throws(WireError) in
    .versions(try WireDecoder.versions(from: response.body))
  }
  static let source: Endpoint.Reader = { (response) throws(WireError) in
    .source(try WireDecoder.source(from: response.body))
  }
  static let conversation: Endpoint.Reader = { (response) throws(WireError) in
    .conversation(try WireDecoder.conversation(from: response.body))
  }
  static let readPositions: Endpoint.Reader = { (response) throws(WireError) in
    .readPositions(try WireDecoder.readPositions(from: response.body))
  }
  static let qwinker: Endpoint.Reader = { (response) throws(WireError) in
    .qwinker(try WireDecoder.qwinker(from: response.body))
  }
  static let relationship: Endpoint.Reader = { (response) throws(WireError) in
    .relationship(try WireDecoder.relationship(from: response.body))
  }
  /// One relationship in a list of them.
  static let relationships: Endpoint.Reader = { (response) throws(WireError) in
    guard let first = try WireDecoder.relationships(from: response.body).first else {
      throw .unexpected("an empty list")
    }
    return .relationship(first)
  }
  static let me: Endpoint.Reader = { (response) throws(WireError) in
    .me(
      try WireDecoder.qwinker(from: response.body),
      usualVisibility: try WireDecoder.ownProfile(from: response.body).usualVisibility)
  }
  static let ownProfile: Endpoint.Reader = { (response) throws(WireError) in
    .ownProfile(try WireDecoder.ownProfile(from: response.body))
  }
  static let searchResults: Endpoint.Reader = { (response) throws(WireError) in
    .searchResults(try WireDecoder.searchResults(from: response.body))
  }
  static let serverInfo: Endpoint.Reader = { (response) throws(WireError) in
    .serverInfo(try WireDecoder.serverInfo(from: response.body))
  }

  /// A page with a way on where the server sends no Link header at all, as snac does: a full one goes on after its last
  /// item.
  private static func goingOn<Item>(
    _ page: Page<Item>, after response: TransportResponse, at path: String, id: (Item) -> String
  ) -> Page<Item> {
    guard page.older == nil, link(of: response) == nil, let last = page.items.last,
      page.items.count + page.damagedCount >= Page<Item>.fewestInFull
    else { return page }
    var page = page
    page.older = PageCursor.olderThan(id(last), at: path)
    return page
  }

  private static func link(of response: TransportResponse) -> String? {
    HTTPField.Name("Link").flatMap { response.head.headerFields[$0] }
  }

  private static func page<Item>(
    _ response: TransportResponse, _ read: ([UInt8], String?) throws(WireError) -> Page<Item>
  ) throws(WireError) -> Page<Item> {
    var page = try read(response.body, link(of: response))
    if page.items.isEmpty, page.damagedCount > 0 {
      throw .unexpected("none of its items can be read")
    }
    page.isPartial = response.head.status == .partialContent
    return page
  }
}
