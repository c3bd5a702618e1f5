import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization

@testable import QwinkleScreens

/// The user's server, tilde.example, and another server, social.example, which use different ids.
final class ForeignServer: Sendable {
  private struct State {
    var asked: [TransportRequest] = []
    var foreign: [Qwink] = []
    var copies: [Qwink] = []
    var refusal: Int?
    var searchGate: Gate?
    var otherGate: Gate?
  }

  static let host = "social.example"
  /// The ids of ``qwink``, its author and its poll on social.example.
  static let ids = ["77001", "88001", "99001"]

  let own = ScriptedTimeline([3, 2, 1])
  private let state = Mutex(State())

  /// A qwink of social.example, as that server sends it, with a poll, a picture, a reply's parent and a warning.
  static let qwink: Qwink = {
    var qwink = far(77001, "Far away. Leek or chard?")
    qwink.inReplyTo = "77000"
    qwink.contentWarning = "Vegetables"
    qwink.editedAt = ScriptedTimeline.start
    qwink.poll = Poll(
      id: "99001", options: [.init(title: "Leek", votesCount: 1), .init(title: "Chard", votesCount: 2)],
      expiresAt: ScriptedTimeline.start.addingTimeInterval(86_400))
    qwink.attachments = [Attachment(id: "66001", kind: .image, url: "https://social.example/leek.png")]
    (qwink.boostsCount, qwink.favouritesCount, qwink.repliesCount) = (1, 1, 1)
    return qwink
  }()

  /// A qwink of social.example with a text, by anna there. Its address doesn't contain its id.
  static func far(_ id: Int, _ text: String, at minutes: Double = 0) -> Qwink {
    var qwink = Qwink.sample(
      id: .init("\(id)"), text: text, author: .sample("anna", id: "88001"),
      at: ScriptedTimeline.start.addingTimeInterval(60 * (minutes - 10)))
    qwink.url = "https://social.example/@anna/p\(id % 1000)"
    return qwink
  }

  /// The copy of a qwink of social.example on tilde.example.
  static func copy(of qwink: Qwink, id: String = "5") -> Qwink {
    var copy = qwink
    (copy.id, copy.originalID) = (.init(id), .init(id))
    copy.author = .sample("anna", id: "21")
    copy.author.handle = "anna@social.example"
    copy.inReplyTo = qwink.inReplyTo == nil ? nil : "4"
    copy.poll?.id = "31"
    copy.attachments = qwink.attachments.map { Attachment(id: "61", kind: $0.kind, url: $0.url) }
    return copy
  }

  init(_ foreign: [Qwink] = [qwink], copies: [Qwink]? = nil) {
    let copies = copies ?? foreign.prefix(1).map { Self.copy(of: $0) }
    state.withLock { ($0.foreign, $0.copies) = (foreign, copies) }
    // Found by id, but in no timeline that a screen shows.
    own.add(copies, to: "none")
    own.answerFirst { await self.answer($0) }
  }

  private func answer(_ request: TransportRequest) async -> TransportResponse? {
    let path = request.head.path ?? ""
    let isOther = request.head.authority == Self.host
    let gate = state.withLock { state in
      state.asked.append(request)
      return isOther ? state.otherGate : path.hasPrefix("/api/v2/search") ? state.searchGate : nil
    }
    await gate?.whenOpen()
    return state.withLock { isOther ? Self.other(path, $0) : Self.own(path, $0) }
  }

  private static func own(_ path: String, _ state: State) -> TransportResponse? {
    let lists = ["/api/v1/mutes", "/api/v1/blocks", "/api/v1/domain_blocks", "/api/v2/filters"]
    if lists.contains(where: path.hasPrefix) { return .json(Array("[]".utf8)) }
    guard path.hasPrefix("/api/v2/search") else { return nil }
    let found = state.copies.filter { $0.url.map { path.contains(PercentEncoding.component($0)) } ?? false }
    return .json(WireEncoder.searchResults(SearchResults(qwinks: found)))
  }

  private static func other(_ path: String, _ state: State) -> TransportResponse? {
    if path.hasPrefix("/api/v2/instance") {
      return .json(WireEncoder.serverInfoV2(ServerInfo(title: "Social", domain: host)))
    }
    if let refusal = state.refusal {
      return .json(WireEncoder.error("This API requires an authenticated user"), status: refusal)
    }
    let isNewest = path.hasPrefix("/api/v1/timelines/") && !path.contains("max_id")
    return .json(isNewest ? WireEncoder.qwinks(state.foreign) : Array("[]".utf8))
  }

  // MARK: Scripting

  func replace(with qwinks: [Qwink]) { state.withLock { $0.foreign = qwinks } }

  /// Answers requests for timelines of social.example with this status, until it is nil.
  func refuse(with status: Int?) { state.withLock { $0.refusal = status } }

  /// Holds the responses of social.example until `gate` opens.
  func holdOthers(by gate: Gate) { state.withLock { $0.otherGate = gate } }

  /// Holds the searches on the user's server until `gate` opens.
  func holdSearches(by gate: Gate) { state.withLock { $0.searchGate = gate } }

  // MARK: Checking

  private var asked: [TransportRequest] { state.withLock { $0.asked } }

  /// The requests to social.example, such as `GET /api/v2/instance`.
  var there: [String] { asked.filter { $0.head.authority == Self.host }.map(Self.words) }

  /// The requests to the user's server.
  var here: [String] { asked.filter { $0.head.authority != Self.host }.map(Self.words) }

  /// The searches on the user's server for the copy of a qwink.
  var searches: [String] { here.filter { $0.hasPrefix("GET /api/v2/search") && $0.contains("resolve=true") } }

  /// Requests that contain what the server must not get: ids of social.example at tilde.example, or the token and
  /// anything but reads of public data at social.example.
  var leaks: [String] {
    asked.filter { request in
      guard request.head.authority == Self.host else {
        let text = Self.words(request) + String(decoding: request.body, as: UTF8.self)
        return (Self.ids + ["77000", "66001", "elsewhere"]).contains { text.contains($0) }
      }
      let path = request.head.path ?? ""
      let isPublic = ["/api/v2/instance", "/api/v1/timelines/"].contains { path.hasPrefix($0) }
      return !isPublic || request.head.method != .get || request.field("Authorization") != nil
        || request.field("Cookie") != nil
    }.map(Self.words)
  }

  private static func words(_ request: TransportRequest) -> String {
    "\(request.head.method) \(request.head.path ?? "")"
  }
}
