import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization

/// The private messages of a scripted server: pages of conversations, threads around their messages, and posts to them.
/// The user is Mara.
final class ScriptedMessages: Sendable {
  /// A simulated failure to post.
  enum PostFailure: Sendable {
    /// The request is lost.
    case lost
    /// The post arrives, but the response is lost.
    case unanswered
    /// The post is rejected with this message.
    case refused(String)
  }

  private struct Exchange {
    var id: String
    var people: [Qwinker]
    var isUnread: Bool
    /// Oldest first.
    var messages: [Qwink]
  }

  private struct State {
    /// Newest first.
    var exchanges: [Exchange] = []
    var postFailures: [PostFailure] = []
    var failure: TransportError?
    var threadFailure: TransportError?
    var readFailure: TransportError?
    var deleteFailure: TransportError?
    var listGate: Gate?
    var postGate: Gate?
    var honoursKeys = true
    var gone: Set<String> = []
    var kept: [String: Qwink] = [:]
    var posted: [ScriptedTimeline.Posted] = []
    var seen: [String] = []
  }

  private struct PostBody: Decodable {
    var status: String
    var visibility: String?
    var in_reply_to_id: String?
    var media_ids: [String]?
  }

  static let me = Qwinker.sample("mara")

  private let state = Mutex(State())

  // MARK: Scripting

  /// Inserts a conversation below the first `count` others.
  func add(_ id: String, with people: [Qwinker], isUnread: Bool = false, _ messages: [Qwink], below count: Int = 0) {
    state.withLock {
      $0.exchanges.insert(Exchange(id: id, people: people, isUnread: isUnread, messages: messages), at: count)
    }
  }

  /// Adds a message to a conversation, which moves to the top and becomes unread.
  func say(_ message: Qwink, in id: String) {
    state.withLock { state in
      guard let index = state.exchanges.firstIndex(where: { $0.id == id }) else { return }
      var exchange = state.exchanges.remove(at: index)
      exchange.messages.append(message)
      exchange.isUnread = message.author.id != Self.me.id
      state.exchanges.insert(exchange, at: 0)
    }
  }

  /// Deletes a conversation, as the user's other clients may.
  func drop(_ id: String) { state.withLock { $0.exchanges.removeAll { $0.id == id } } }

  /// Deletes a message, as its author may.
  func unsay(_ id: String) {
    state.withLock { state in
      state.gone.insert(id)
      for index in state.exchanges.indices { state.exchanges[index].messages.removeAll { $0.id.rawValue == id } }
    }
  }

  /// Fails all requests for conversations and threads, and all changes to them, until `error` is nil.
  func fail(with error: TransportError?) { state.withLock { $0.failure = error } }
  func failThreads(with error: TransportError?) { state.withLock { $0.threadFailure = error } }
  func failReads(with error: TransportError?) { state.withLock { $0.readFailure = error } }
  func failDeletes(with error: TransportError?) { state.withLock { $0.deleteFailure = error } }
  func failPosts(_ failures: PostFailure...) { state.withLock { $0.postFailures = failures } }
  func holdList(by gate: Gate) { state.withLock { $0.listGate = gate } }
  func holdPosts(by gate: Gate) { state.withLock { $0.postGate = gate } }
  /// Ignores idempotency keys, as some servers do: a repeated post is posted twice.
  func ignoreKeys() { state.withLock { $0.honoursKeys = false } }

  // MARK: Recorded requests

  /// All posts, including lost ones.
  var posted: [ScriptedTimeline.Posted] { state.withLock { $0.posted } }
  /// All other requests, such as `POST c1/read`.
  var seen: [String] { state.withLock { $0.seen } }
  /// The conversations, newest first.
  var ids: [String] { state.withLock { $0.exchanges.map(\.id) } }
  /// The texts of a conversation, oldest first.
  func texts(in id: String) -> [String] {
    state.withLock { $0.exchanges.first { $0.id == id }?.messages.map(\.text.plainText) ?? [] }
  }

  private func isGone(_ id: String) -> Bool { state.withLock { $0.gone.contains(id) } }

  private static let notFound = TransportResponse.json(WireEncoder.error("Record not found"), status: 404)

  func find(_ id: String) -> Qwink? {
    state.withLock { $0.exchanges.flatMap(\.messages).first { $0.id.rawValue == id } }
  }

  // MARK: Answering

  /// Returns the response to `request`, or nil if another handler should answer it.
  func answer(_ request: TransportRequest) async throws -> TransportResponse? {
    let path = request.head.path ?? ""
    let parts = path.prefix { $0 != "?" }.split(separator: "/").dropFirst(2).map(String.init)
    switch (request.head.method, parts.first, parts.count) {
    case (.get, "conversations", 1): return try await list(path)
    case (.post, "conversations", 3), (.delete, "conversations", 2):
      return try change(parts[1], isDeletion: request.head.method == .delete)
    case (.get, "statuses", 3) where parts[2] == "context" && find(parts[1]) != nil: return try thread(parts[1])
    case (.get, "statuses", 3) where parts[2] == "context" && isGone(parts[1]): return Self.notFound
    case (.delete, "statuses", 2):
      guard let qwink = find(parts[1]) else { return nil }
      unsay(parts[1])
      return .json(WireEncoder.qwink(qwink))
    case (.post, "statuses", 1): return try await post(request)
    default: return nil
    }
  }

  private func note(_ what: String, _ failure: (State) -> TransportError?) throws {
    let error = state.withLock { state in
      state.seen.append(what)
      return state.failure ?? failure(state)
    }
    if let error { throw error }
  }

  private func list(_ path: String) async throws -> TransportResponse {
    let values = path.drop { $0 != "?" }.dropFirst().split(separator: "&").map { $0.split(separator: "=") }
    func value(_ name: String) -> String? { values.first { $0.first == name[...] }?.last.map(String.init) }
    await state.withLock { $0.listGate }?.whenOpen()
    try note("GET conversations\(value("max_id").map { " below \($0)" } ?? "")") { _ in nil }
    let all = state.withLock { $0.exchanges }
    let first = value("max_id").flatMap { id in all.firstIndex { $0.id == id } }.map { $0 + 1 } ?? 0
    let limit = value("limit").flatMap(Int.init) ?? 20
    let page = all[first...].prefix(limit)
    var fields = HTTPFields()
    if first + page.count < all.count, let last = page.last, let link = HTTPField.Name("Link") {
      let url = "https://\(ScriptedTimeline.host)/api/v1/conversations?limit=\(limit)&max_id=\(last.id)"
      fields[link] = "<\(url)>; rel=\"next\""
    }
    return .json(WireEncoder.conversations(page.map(Self.conversation)), fields: fields)
  }

  private static func conversation(_ exchange: Exchange) -> Conversation {
    Conversation(
      id: .init(exchange.id), participants: exchange.people, isUnread: exchange.isUnread,
      lastQwink: exchange.messages.last)
  }

  private func change(_ id: String, isDeletion: Bool) throws -> TransportResponse {
    try note(isDeletion ? "DELETE \(id)" : "POST \(id)/read") { isDeletion ? $0.deleteFailure : $0.readFailure }
    return state.withLock { state in
      guard let index = state.exchanges.firstIndex(where: { $0.id == id }) else {
        return .json(WireEncoder.error("Record not found"), status: 404)
      }
      if isDeletion {
        state.exchanges.remove(at: index)
        return .json(Array("{}".utf8))
      }
      state.exchanges[index].isUnread = false
      return .json(WireEncoder.conversation(Self.conversation(state.exchanges[index])))
    }
  }

  private func thread(_ id: String) throws -> TransportResponse {
    try note("GET \(id)/context", \.threadFailure)
    let all = state.withLock { $0.exchanges.flatMap(\.messages) }
    var ancestors: [Qwink] = []
    var parent = all.first { $0.id.rawValue == id }?.inReplyTo
    while let next = parent, let qwink = all.first(where: { $0.id == next }) {
      ancestors.insert(qwink, at: 0)
      parent = qwink.inReplyTo
    }
    var below: Set<String> = [id]
    var descendants: [Qwink] = []
    for qwink in all {
      guard let parent = qwink.inReplyTo, below.contains(parent.rawValue) else { continue }
      below.insert(qwink.id.rawValue)
      descendants.append(qwink)
    }
    return .json(WireEncoder.thread(QwinkThread(ancestors: ancestors, descendants: descendants)))
  }

  /// Accepts only private posts, and only if there are conversations.
  private func post(_ request: TransportRequest) async throws -> TransportResponse? {
    let body = try JSONDecoder().decode(PostBody.self, from: Data(request.body))
    guard body.visibility == "direct", state.withLock({ !$0.exchanges.isEmpty }) else { return nil }
    let key = request.field("Idempotency-Key")
    let (failure, gate) = state.withLock { state in
      state.posted.append(
        .init(
          text: body.status, visibility: "direct", key: key, parent: body.in_reply_to_id, media: body.media_ids ?? []))
      return (state.postFailures.isEmpty ? nil : state.postFailures.removeFirst(), state.postGate)
    }
    await gate?.whenOpen()
    if let parent = body.in_reply_to_id, isGone(parent) { return Self.notFound }
    if case .lost = failure { throw TransportError.refused(host: ScriptedTimeline.host) }
    if case .refused(let words) = failure { return .json(WireEncoder.error(words), status: 422) }
    let qwink = state.withLock { Self.take(body, key: key, into: &$0) }
    if case .unanswered = failure { throw TransportError.interrupted(host: ScriptedTimeline.host) }
    return .json(WireEncoder.qwink(qwink))
  }

  private static func take(_ body: PostBody, key: String?, into state: inout State) -> Qwink {
    if state.honoursKeys, let key, let kept = state.kept[key] { return kept }
    let words = body.status.split(separator: " ", omittingEmptySubsequences: false)
    let names = words.prefix { $0.hasPrefix("@") }.map { String($0.dropFirst()) }
    // All mentioned accounts receive the message, even if the mention is inside the text.
    let others = words.dropFirst(names.count).filter { $0.hasPrefix("@") }
      .map { String($0.dropFirst().prefix { $0.isLetter }) }
    let place = state.exchanges.firstIndex { exchange in
      exchange.messages.contains { $0.id.rawValue == body.in_reply_to_id }
        && others.allSatisfy { name in exchange.people.contains { $0.handle == name } }
    }
    let people = place.map { state.exchanges[$0].people } ?? (names + others).map { Qwinker.sample($0) }
    let count = state.exchanges.reduce(0) { $0 + $1.messages.count }
    let qwink = Qwink.message(
      "own-\(count)", by: me, to: people.filter { (names + others).contains($0.handle) },
      words.dropFirst(names.count).joined(separator: " "), at: ScriptedTimeline.start.addingTimeInterval(Double(count)),
      answering: body.in_reply_to_id)
    if let key { state.kept[key] = qwink }
    var exchange =
      place.map { state.exchanges.remove(at: $0) }
      ?? Exchange(id: "new-\(count)", people: people, isUnread: false, messages: [])
    exchange.messages.append(qwink)
    exchange.isUnread = false
    state.exchanges.insert(exchange, at: 0)
    return qwink
  }
}

extension Qwink {
  /// Returns a private message as servers send it: the text begins with the recipients' names.
  static func message(
    _ id: String, by author: Qwinker, to people: [Qwinker], _ text: String, at date: Date,
    answering parent: String? = nil
  ) -> Qwink {
    let names = people.flatMap { qwinker -> [RichText.Span] in
      [.init("@\(qwinker.userName)", kind: .mention(url: url(of: qwinker))), .init(" ")]
    }
    var qwink = Qwink.sample(id: .init(id), text: "", author: author, at: date)
    qwink.text = RichText([RichText.Paragraph(names + [RichText.Span(text)])])
    qwink.visibility = .direct
    qwink.inReplyTo = parent.map { .init($0) }
    qwink.mentions = people.map {
      .init(id: $0.id, userName: $0.userName, handle: $0.handle, url: url(of: $0))
    }
    return qwink
  }

  private static func url(of qwinker: Qwinker) -> String { "https://\(ScriptedTimeline.host)/@\(qwinker.handle)" }
}
