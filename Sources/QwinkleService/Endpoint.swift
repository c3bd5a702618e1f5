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
  /// What to ask instead where the server answers with an error that means that it does not know this call; nil where
  /// the error stands.
  var instead: @Sendable (DownloadError) -> Endpoint? = { _ in nil }

  /// Whether its answer is a page of a list, of which fewer items can be asked for.
  var isPage = false

  /// Whether it changes nothing on the server.
  var isRead: Bool { method == .get }
}

extension Endpoint {
  static let serverInfo = Endpoint(
    place: .path("/api/v2/instance"), read: AnswerReader.serverInfo,
    instead: { $0.mayBeOfUnknownCall ? olderServerInfo : nil })
  private static let olderServerInfo = Endpoint(place: .path("/api/v1/instance"), read: AnswerReader.serverInfo)
  /// Who I am.
  static let ownQwinker = Endpoint(place: .path("/api/v1/accounts/verify_credentials"), read: AnswerReader.me)

  /// What asks for `request`, as somebody or signed out; nil for ``DownloadRequest/connect``, which is several calls.
  init?(_ request: DownloadRequest, isSignedIn: Bool) {
    switch request {
    case .connect: return nil
    case .timeline(let name, let limit):
      let path = Endpoint.path(of: name, limit: limit)
      self.init(place: .path(path), read: AnswerReader.qwinks(at: path))
      isPage = true
    case .timelinePage(_, let cursor):
      self.init(place: .cursor(cursor), read: AnswerReader.qwinks(at: cursor.url))
      isPage = true
    case .thread(let id):
      self.init(place: .path("\(Endpoint.status(id))/context"), read: AnswerReader.thread)
    case .qwink(let id):
      self.init(place: .path(Endpoint.status(id)), read: AnswerReader.qwink)
    case .versions(let id):
      self.init(place: .path("\(Endpoint.status(id))/history"), read: AnswerReader.versions)
    case .source(let id):
      self.init(place: .path("\(Endpoint.status(id))/source"), read: AnswerReader.source)
    case .post(let entry):
      var fields = Endpoint.jsonFields
      if let name = HTTPField.Name("Idempotency-Key"), !entry.idempotencyKey.isEmpty {
        fields[name] = entry.idempotencyKey
      }
      self.init(
        method: .post, place: .path("/api/v1/statuses"), fields: fields, body: WireEncoder.entry(entry),
        read: AnswerReader.qwink)
    case .edit(let id, let entry):
      self.init(
        method: .put, place: .path(Endpoint.status(id)), fields: Endpoint.jsonFields,
        body: WireEncoder.edit(entry), read: AnswerReader.qwink)
    case .delete(let id):
      self.init(
        method: .delete, place: .path(Endpoint.status(id)), read: { (_) throws(WireError) in .deleted(id) })
    case .react(let id, let reaction, let isOn):
      self.init(
        method: .post, place: .path("\(Endpoint.status(id))/\(Endpoint.verb(of: reaction, isOn: isOn))"),
        read: AnswerReader.original(after: reaction, isOn: isOn))
    case .conversations(let limit):
      self.init(place: .path("/api/v1/conversations?limit=\(limit)"), read: AnswerReader.conversations)
      isPage = true
    case .conversationsPage(let cursor):
      self.init(place: .cursor(cursor), read: AnswerReader.conversations)
      isPage = true
    case .readConversation(let id):
      self.init(
        method: .post, place: .path("/api/v1/conversations/\(Endpoint.escaped(id.rawValue))/read"),
        read: AnswerReader.conversation)
    case .deleteConversation(let id):
      self.init(
        method: .delete, place: .path("/api/v1/conversations/\(Endpoint.escaped(id.rawValue))"),
        read: { (_) throws(WireError) in .deletedConversation(id) })
    case .notifications(let limit):
      let path = "/api/v1/notifications?limit=\(limit)"
      self.init(place: .path(path), read: AnswerReader.notifications(at: path))
      isPage = true
    case .notificationsPage(let cursor):
      self.init(place: .cursor(cursor), read: AnswerReader.notifications(at: cursor.url))
      isPage = true
    case .readPositions:
      self.init(
        place: .path("/api/v1/markers?timeline%5B%5D=home&timeline%5B%5D=notifications"),
        read: AnswerReader.readPositions)
    case .setReadPosition(let place, let lastReadID):
      self.init(
        method: .post, place: .path("/api/v1/markers"), fields: Endpoint.jsonFields,
        body: WireEncoder.newReadPosition(place, lastReadID: lastReadID), read: AnswerReader.readPositions)
      // Another client wrote at the same moment: the server asks to try again.
      let again = self
      instead = { if case .unexpectedStatus(_, 409) = $0 { again } else { nil } }
    case .qwinker(let id):
      self.init(place: .path(Endpoint.account(id)), read: AnswerReader.qwinker)
    case .lookup(let handle):
      self.init(place: .path("/api/v1/accounts/lookup?acct=\(Endpoint.escaped(handle))"), read: AnswerReader.qwinker)
    case .qwinkers(let name, let limit):
      self.init(place: .path("\(Endpoint.path(of: name))?limit=\(limit)"), read: AnswerReader.qwinkers)
    case .qwinkersPage(_, let cursor):
      self.init(place: .cursor(cursor), read: AnswerReader.qwinkers)
    case .completeHandle(let start, let limit):
      self.init(
        place: .path("/api/v1/accounts/search?q=\(Endpoint.escaped(start))&limit=\(limit)"), read: AnswerReader.qwinkers
      )
    case .relationship(let id):
      self.init(
        place: .path("/api/v1/accounts/relationships?id%5B%5D=\(Endpoint.escaped(id.rawValue))"),
        read: AnswerReader.relationships)
    case .follow(let id, let isOn):
      self.init(
        method: .post, place: .path("\(Endpoint.account(id))/\(isOn ? "follow" : "unfollow")"),
        read: AnswerReader.relationship)
    case .answerFollowRequest(let id, let accepts):
      self.init(
        method: .post,
        place: .path("/api/v1/follow_requests/\(Endpoint.escaped(id.rawValue))/\(accepts ? "authorize" : "reject")"),
        read: AnswerReader.relationship)
    case .ownProfile:
      self.init(place: .path("/api/v1/accounts/verify_credentials"), read: AnswerReader.ownProfile)
    case .setOwnProfile(let profile):
      self.init(
        method: .patch, place: .path("/api/v1/accounts/update_credentials"), fields: Endpoint.jsonFields,
        body: WireEncoder.ownProfile(profile), read: AnswerReader.qwinker)
    case .search(let words, let limit):
      // Whoever is signed out may search what the server knows, but not send it looking elsewhere.
      let query = "q=\(Endpoint.escaped(words))\(isSignedIn ? "&resolve=true" : "")&limit=\(limit)"
      let older = Endpoint(place: .path("/api/v1/search?\(query)"), read: AnswerReader.searchResults)
      self.init(
        place: .path("/api/v2/search?\(query)"), read: AnswerReader.searchResults,
        instead: { $0.mayBeOfUnknownCall ? older : nil })
    }
  }

  private static let jsonFields: HTTPFields = [.contentType: "application/json; charset=utf-8"]

  private static func status(_ id: Qwink.ID) -> String { "/api/v1/statuses/\(escaped(id.rawValue))" }

  private static func account(_ id: Qwinker.ID) -> String { "/api/v1/accounts/\(escaped(id.rawValue))" }

  private static func verb(of reaction: Reaction, isOn: Bool) -> String {
    let verb =
      switch reaction {
      case .boost: "reblog"
      case .favourite: "favourite"
      case .bookmark: "bookmark"
      }
    return isOn ? verb : "un\(verb)"
  }

  private static func path(of name: QwinkerListName) -> String {
    switch name {
    case .followers(let id): "\(account(id))/followers"
    case .following(let id): "\(account(id))/following"
    case .boosters(let id): "\(status(id))/reblogged_by"
    case .favouriters(let id): "\(status(id))/favourited_by"
    }
  }

  static func path(of name: TimelineName, limit: Int) -> String {
    switch name {
    case .public: "/api/v1/timelines/public?limit=\(limit)"
    case .local: "/api/v1/timelines/public?local=true&limit=\(limit)"
    case .home: "/api/v1/timelines/home?limit=\(limit)"
    case .tag(let tag): "/api/v1/timelines/tag/\(escaped(tag))?limit=\(limit)"
    case .qwinker(let id): "\(account(id))/statuses?limit=\(limit)"
    case .bookmarks: "/api/v1/bookmarks?limit=\(limit)"
    case .favourites: "/api/v1/favourites?limit=\(limit)"
    }
  }
}

extension DownloadError {
  /// Whether the server may just not know the call. Those that answer everything with a web page don't say so.
  var mayBeOfUnknownCall: Bool {
    switch self {
    case .notFound, .unreadable: true
    default: false
    }
  }
}

extension Endpoint {
  /// `text` as one component of a path or one value of a query: ids and tags come from servers and may hold anything.
  static func escaped(_ text: String) -> String {
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
}
