import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization

/// A small server: two paged timelines with Link headers, which accept posts. Tests set its content, failures and
/// delays.
final class ScriptedTimeline: Sendable {
  /// A received post.
  struct Posted: Equatable {
    var text: String
    var visibility: String
    var key: String?
    var warning = ""
    var parent: String?
    var language: String?
    var media: [String] = []
    var options: [String] = []
  }

  typealias Handler = @Sendable (TransportRequest) async throws -> TransportResponse

  private struct State {
    var timelines: [String: [Qwink]] = ["public": [], "home": []]
    var threads: [String: QwinkThread] = [:]
    var characterLimit = 500
    var links = Links.next
    /// The maximum number of rows on a page.
    var mostRows = Int.max
    var timelineFailure: TransportError?
    var pageFailure: TransportError?
    var postFailures: [TransportError] = []
    var postLosses: [TransportError] = []
    var honoursKeys = true
    var isReachable = true
    var getsFiles = false
    var listsOwn: Result<Void, TransportError> = .success(())
    var time = 0.0
    var timelineGate: Gate?
    var postGate: Gate?
    var handlers: [String: Handler] = [:]
    var firstHandler: (@Sendable (TransportRequest) async -> TransportResponse?)?
    var posted: [Posted] = []
    var kept: [String: Qwink] = [:]
    var paths: [String] = []
    var answers: [(start: String, body: [UInt8])] = []
  }

  enum Links {
    /// Links to older items only.
    case next
    /// Links in both directions, like Mastodon: the second link is for the items directly above.
    case both
    /// No links, like snac.
    case none
    /// Links to older items with another scheme and port, as sent behind a proxy.
    case proxied
  }

  private struct PostBody: Decodable {
    var status: String
    var visibility: String?
    var spoiler_text: String?
    var in_reply_to_id: String?
    var language: String?
    var media_ids: [String]?
    var poll: PollBody?

    var sensitive: Bool?

    struct PollBody: Decodable {
      var options: [String]
      var expires_in: Int?
      var multiple: Bool?
    }
  }

  static let host = "tilde.example"
  /// The start time of the tests' clocks.
  static let start = Date(timeIntervalSince1970: 1_767_225_600)

  let reactions = ScriptedReactions()
  let messages = ScriptedMessages()
  /// Responses scripted by a test. They take precedence over this server's own responses.
  let api = ScriptedAPI(isBlank: true)
  private let state = Mutex(State())

  /// Creates a server whose timelines contain the qwinks with these numbers, newest first.
  init(_ numbers: [Int] = [], home: [Int] = []) {
    state.withLock { state in
      state.timelines["public"] = numbers.map(Self.qwink)
      state.timelines["home"] = home.map(Self.qwink)
    }
  }

  /// Returns `Qwink 12`, or another number, by one of five authors, dated some time before the clocks start.
  static func qwink(_ number: Int) -> Qwink {
    let names = ["alice", "bob", "carol", "dana", "erin"]
    return .sample(
      id: Qwink.ID("\(number)"), text: "Qwink \(number)", author: .sample(names[number % names.count]),
      at: start.addingTimeInterval(-60 * Double(max(0, 500 - number))))
  }

  // MARK: Scripting

  /// Adds qwinks to the top of a timeline.
  func add(_ numbers: [Int], to timeline: String = "public") {
    add(numbers.map(Self.qwink), to: timeline)
  }

  func add(_ qwinks: [Qwink], to timeline: String = "public") {
    state.withLock { $0.timelines[timeline, default: []].insert(contentsOf: qwinks, at: 0) }
  }

  /// Inserts a qwink right below another, as servers do with late arrivals.
  func addLate(_ number: Int, below other: Int, to timeline: String = "public") {
    state.withLock { state in
      let place = state.timelines[timeline, default: []].firstIndex { $0.id.rawValue == "\(other)" }
      state.timelines[timeline, default: []].insert(Self.qwink(number), at: place.map { $0 + 1 } ?? 0)
    }
  }

  /// The numbers of a timeline's qwinks.
  func numbers(of timeline: String = "public") -> [Int] {
    state.withLock { $0.timelines[timeline, default: []].compactMap { Int($0.id.rawValue) } }
  }

  func sendLinks(_ links: Links) { state.withLock { $0.links = links } }

  /// Limits pages to `count` rows, even if the request's limit is higher.
  func limitRows(to count: Int) { state.withLock { $0.mostRows = count } }

  /// Replaces the public timeline.
  func replace(with qwinks: [Qwink]) { state.withLock { $0.timelines["public"] = qwinks } }

  /// Fails requests for a timeline's first page with `error`, until it is nil.
  func failTimelines(with error: TransportError?) { state.withLock { $0.timelineFailure = error } }

  /// Fails requests for older pages with `error`, until it is nil.
  func failPages(with error: TransportError?) { state.withLock { $0.pageFailure = error } }

  /// Accepts the next posts, but loses the responses.
  func failPosts(with errors: TransportError...) { state.withLock { $0.postFailures = errors } }

  /// Passes uploaded files to handlers as ``TransportRequest/file``, unread. Call before the first request.
  func getFiles() { state.withLock { $0.getsFiles = true } }

  /// Loses the next posts.
  func losePosts(with errors: TransportError...) { state.withLock { $0.postLosses = errors } }

  /// Ignores idempotency keys, as some servers do: a repeated post is posted twice.
  func ignoreKeys() { state.withLock { $0.honoursKeys = false } }

  /// Refuses or accepts all connections.
  func setReachable(_ isOn: Bool) { state.withLock { $0.isReachable = isOn } }

  /// Fails requests for the user's own qwinks with `error`, until it is nil.
  func failAccounts(with error: TransportError?) {
    state.withLock { $0.listsOwn = error.map { .failure($0) } ?? .success(()) }
  }

  /// Advances the server's clock.
  func pass(seconds: Double) { state.withLock { $0.time += seconds } }

  /// Mara's qwinks in the public timeline, newest first.
  var own: [String] {
    state.withLock { $0.timelines["public"]?.filter { $0.author.userName == "mara" }.map(\.text.plainText) ?? [] }
  }

  /// Holds responses with timeline pages until `gate` opens.
  func holdTimelines(by gate: Gate) { state.withLock { $0.timelineGate = gate } }

  /// Holds responses to posts until `gate` opens.
  func holdPosts(by gate: Gate) { state.withLock { $0.postGate = gate } }

  /// Sets the thread of the qwink with this number.
  func setThread(_ thread: QwinkThread, of number: Int) { state.withLock { $0.threads["\(number)"] = thread } }

  /// Answers requests to paths that start with `start`, unless this server handles them itself.
  func setAnswer(_ body: [UInt8], of start: String) {
    state.withLock { $0.answers.insert((start, body), at: 0) }
  }

  /// Answers requests with this method and path, without the query, by `handler`.
  func handle(_ method: HTTPRequest.Method = .get, _ path: String, by handler: @escaping Handler) {
    state.withLock { $0.handlers["\(method) \(path)"] = handler }
  }

  /// Calls `handler` before all other handlers.
  func answerFirst(by handler: @escaping @Sendable (TransportRequest) async -> TransportResponse?) {
    state.withLock { $0.firstHandler = handler }
  }

  func limitCharacters(to limit: Int) { state.withLock { $0.characterLimit = limit } }

  // MARK: Recorded requests

  /// All posts, including those whose response was lost.
  var posted: [Posted] { state.withLock { $0.posted } }

  /// The paths of all requests, with queries.
  var paths: [String] { state.withLock { $0.paths } }

  /// The number of requests for the first page of a timeline.
  func refreshCount(of timeline: String = "public") -> Int {
    paths.count { $0.hasPrefix("/api/v1/timelines/\(timeline)?") && !$0.contains("max_id") }
  }

  // MARK: Answering

  func transport() -> ScriptedTransport {
    ScriptedTransport(sendsFiles: state.withLock { $0.getsFiles }) { [self] request in try await answer(request) }
  }

  private func answer(_ request: TransportRequest) async throws -> TransportResponse {
    let path = request.head.path ?? ""
    let name = "\(request.head.method) \(path.prefix { $0 != "?" })"
    let (first, handler, isReachable) = state.withLock { state in
      state.paths.append(path)
      return (state.firstHandler, state.handlers[name], state.isReachable)
    }
    guard isReachable else { throw TransportError.refused(host: Self.host) }
    if let answer = await first?(request) { return answer }
    if let handler { return try await handler(request) }
    if let answer = try await messages.answer(request) { return answer }
    if let answer = try await api.answer(to: request) { return answer }
    if path.hasPrefix("/api/v1/timelines/") {
      await state.withLock { $0.timelineGate }?.whenOpen()
      return try page(path)
    }
    if path.hasPrefix("/api/v1/accounts/mara-id/statuses") {
      let (result, own) = state.withLock { state in
        (state.listsOwn, (state.timelines["public"] ?? []).filter { $0.author.userName == "mara" })
      }
      try result.get()
      return .json(WireEncoder.qwinks(Array(own.prefix(40))))
    }
    if path.hasSuffix("/featured_tags") { return .json(Array("[]".utf8)) }
    if path.hasSuffix("/context") {
      let id = path.split(separator: "/").dropLast().last.map(String.init) ?? ""
      return .json(WireEncoder.thread(state.withLock { $0.threads[id] } ?? QwinkThread()))
    }
    if let answer = try await reactions.answer(request, find: find) { return answer }
    switch path {
    case _ where path.hasPrefix("/api/v1/notifications?"):
      return .json(Array("[]".utf8))
    case _ where path.hasPrefix("/api/v1/markers"):
      return .json(Array("{}".utf8))
    case "/api/v2/instance":
      let limit = state.withLock { $0.characterLimit }
      return .json(
        WireEncoder.serverInfoV2(
          ServerInfo(
            title: "Tilde", domain: Self.host, version: "4.3.0", limits: ServerInfo.Limits(characters: limit))))
    case "/api/v1/accounts/verify_credentials":
      return .json(WireEncoder.qwinker(.sample("mara"), ownNote: ""))
    case "/api/v1/statuses" where request.head.method == .post:
      return try await accept(request)
    case _ where path.hasPrefix("/api/v1/statuses/own-") && request.head.method == .get:
      guard let own = find(String(path.dropFirst("/api/v1/statuses/".count))) else {
        return .json(WireEncoder.error("Record not found"), status: 404)
      }
      return .json(WireEncoder.qwink(own))
    default:
      if let answer = state.withLock({ $0.answers.first { path.hasPrefix($0.start) } }) { return .json(answer.body) }
      return .json(WireEncoder.error("Record not found"), status: 404)
    }
  }

  private func find(_ id: String) -> Qwink? {
    state.withLock { state in
      for qwinks in state.timelines.values {
        if let qwink = qwinks.first(where: { $0.id.rawValue == id }) { return qwink }
      }
      return messages.find(id)
    }
  }

  private func page(_ path: String) throws -> TransportResponse {
    let parts = path.split(separator: "?", maxSplits: 1)
    let query = parts.count > 1 ? parts[1].split(separator: "&") : []
    func value(_ name: String) -> String? {
      query.first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
    }
    let name = String(parts[0].split(separator: "/").last ?? "")
    let last = value("max_id")
    let above = value("min_id")
    let (failure, all, links, most) = state.withLock { state in
      (
        last == nil && above == nil ? state.timelineFailure : state.pageFailure, state.timelines[name] ?? [],
        state.links, state.mostRows
      )
    }
    let limit = min(value("limit").flatMap(Int.init) ?? 20, most)
    if let failure { throw failure }
    var first = last.flatMap { last in all.firstIndex { $0.id.rawValue == last } }.map { $0 + 1 } ?? 0
    if links == .both, let above, let place = all.firstIndex(where: { $0.id.rawValue == above }) {
      first = max(0, place - limit)
      return .json(WireEncoder.qwinks(Array(all[first..<place])), fields: [:])
    }
    let items = Array(all[first...].prefix(limit))
    let hasMore = first + items.count < all.count
    return .json(WireEncoder.qwinks(items), fields: Self.fields(links, name, items, limit: limit, hasMore: hasMore))
  }

  private static func fields(
    _ links: Links, _ name: String, _ items: [Qwink], limit: Int, hasMore: Bool
  ) -> HTTPFields {
    let origin = links == .proxied ? "http://\(host):3000" : "https://\(host)"
    func target(_ parameter: String, _ id: Qwink.ID, _ relation: String) -> String {
      "<\(origin)/api/v1/timelines/\(name)?limit=\(limit)&\(parameter)=\(id.rawValue)>; rel=\"\(relation)\""
    }
    var targets: [String] = []
    if links != .none, hasMore, let id = items.last?.id { targets.append(target("max_id", id, "next")) }
    // Servers that send Link headers also send one with the last page.
    if links != .none, let id = items.first?.id {
      targets.append(target(links == .both ? "min_id" : "since_id", id, "prev"))
    }
    var fields = HTTPFields()
    if !targets.isEmpty, let link = HTTPField.Name("Link") { fields[link] = targets.joined(separator: ", ") }
    return fields
  }

  /// Accepts a post, as this server does without a handler.
  func accept(_ request: TransportRequest) async throws -> TransportResponse {
    let body = try JSONDecoder().decode(PostBody.self, from: Data(request.body))
    let key = request.field("Idempotency-Key")
    let (failure, gate) = state.withLock { state in
      state.posted.append(
        Posted(
          text: body.status, visibility: body.visibility ?? "public", key: key, warning: body.spoiler_text ?? "",
          parent: body.in_reply_to_id, language: body.language, media: body.media_ids ?? [],
          options: body.poll?.options ?? []))
      return (state.postFailures.isEmpty ? nil : state.postFailures.removeFirst(), state.postGate)
    }
    await gate?.whenOpen()
    let loss = state.withLock { $0.postLosses.isEmpty ? nil : $0.postLosses.removeFirst() }
    if let loss { throw loss }
    let qwink = state.withLock { state -> Qwink in
      if state.honoursKeys, let key, let kept = state.kept[key] { return kept }
      var qwink = Qwink.sample(
        id: Qwink.ID("own-\(state.timelines["public"]?.count { $0.author.userName == "mara" } ?? 0)"),
        text: body.status,
        author: .sample("mara"), at: Self.start.addingTimeInterval(state.time))
      qwink.visibility = body.visibility.flatMap(Visibility.init(rawValue:)) ?? .public
      qwink.contentWarning = body.spoiler_text ?? ""
      qwink.inReplyTo = body.in_reply_to_id.map { Qwink.ID($0) }
      qwink.language = body.language
      qwink.isSensitive = body.sensitive ?? false
      qwink.attachments = (body.media_ids ?? []).map { Attachment(id: .init($0), kind: .unknown) }
      qwink.poll = body.poll.map { poll in
        Poll(
          id: "own-poll", options: poll.options.map { .init(title: $0, votesCount: 0) },
          expiresAt: qwink.createdAt.addingTimeInterval(TimeInterval(poll.expires_in ?? 0)),
          allowsSeveral: poll.multiple ?? false)
      }
      state.kept[key ?? ""] = qwink
      state.timelines["public", default: []].insert(qwink, at: 0)
      state.timelines["home", default: []].insert(qwink, at: 0)
      return qwink
    }
    if let failure { throw failure }
    return .json(WireEncoder.qwink(qwink))
  }
}
