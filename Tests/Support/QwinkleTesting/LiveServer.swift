public import Foundation
import HTTPTypes
public import QwinkleModel
public import QwinkleWire
public import Synchronization

/// A server with a home timeline ordered by id, and a stream of its changes. Even ids arrive in order, odd ids arrive
/// late.
public final class LiveServer: Sendable {
  /// The server's content and behaviour.
  public struct State: Sendable {
    var qwinks: [Int: Qwink] = [:]
    var next = 1000
    var edits = 0
    /// The ids of late qwinks. They aren't reused after a deletion.
    var lateIDs: Set<Int> = []
    /// Events to send later in reverse order, or nil if events are sent at once.
    var held: [(event: String, payload: [UInt8])]?
    /// Whether new connections are accepted.
    public var isUp = true
    /// Whether pages repeat one of their items and an item of the previous page.
    public var repeatsItems = false
  }

  /// The earliest time of a qwink.
  public static let start = Date(timeIntervalSince1970: 1_767_225_600)

  public let state = Mutex(State())
  private let listeners = Mutex<[ScriptedStreams.Connection]>([])

  public init() {}

  /// Returns the server's streams: server-sent events, and WebSockets if `hasSockets`.
  public func streams(hasSockets: Bool = true, answersPings: Bool = false) -> ScriptedStreams {
    ScriptedStreams(answersPings: answersPings) { [self] connection in
      guard state.withLock({ $0.isUp }) else { return connection.tell(.ended(.failed(.refused(host: "")))) }
      guard hasSockets || connection.request.kind == .events else {
        return connection.tell(.ended(.refused(status: 404)))
      }
      listeners.withLock { $0.append(connection) }
      connection.tell(.opened)
    }
  }

  /// All qwinks, in timeline order.
  public var qwinks: [Qwink] {
    state.withLock { state in state.qwinks.keys.sorted(by: >).compactMap { state.qwinks[$0] } }
  }

  // MARK: Events

  /// Adds a qwink at the top or, if it is late, below newer qwinks.
  public func post(isLate: Bool = false, times: Int = 1, isTold: Bool = true) {
    let qwink = state.withLock { state -> Qwink? in
      var id = state.next
      if isLate {
        id = max(1, state.next - 20 * (1 + state.edits % 7) - 1)
        guard state.lateIDs.insert(id).inserted else { return nil }
      } else {
        state.next += 2
      }
      let qwink = Qwink.sample(
        id: Qwink.ID("\(id)"), text: "Qwink \(id)", at: Self.start.addingTimeInterval(Double(id)))
      state.qwinks[id] = qwink
      return qwink
    }
    if isTold, let qwink { tell("update", WireEncoder.qwink(qwink), times: times) }
  }

  /// Edits a qwink. A long edit makes it take more screen rows.
  public func edit(_ id: Int, isLong: Bool = false) {
    let qwink = state.withLock { state -> Qwink? in
      state.edits += 1
      let text = "Qwink \(id), edit \(state.edits)" + (isLong ? String(repeating: " and more", count: 20) : "")
      state.qwinks[id]?.text = RichText(plain: text)
      state.qwinks[id]?.editedAt = Self.start.addingTimeInterval(Double(100_000 + state.edits))
      return state.qwinks[id]
    }
    if let qwink { tell("status.update", WireEncoder.qwink(qwink)) }
  }

  public func delete(_ id: Int, times: Int = 1) {
    guard state.withLock({ $0.qwinks.removeValue(forKey: id) }) != nil else { return }
    tell("delete", Array("\(id)".utf8), times: times)
  }

  /// Runs `body` and sends its events afterwards in reverse order.
  public func outOfOrder(_ body: () -> Void) {
    state.withLock { $0.held = [] }
    body()
    let held = state.withLock { state in
      defer { state.held = nil }
      return state.held ?? []
    }
    for (event, payload) in held.reversed() { tell(event, payload) }
  }

  // MARK: Notifications

  private func tell(_ event: String, _ payload: [UInt8], times: Int = 1) {
    let isHeld = state.withLock { state in
      state.held?.append((event, payload))
      return state.held != nil
    }
    if isHeld { return }
    for listener in listeners.withLock({ $0 }) { for _ in 0..<times { listener.tell(event, payload) } }
  }

  /// Sends a truncated event and an unknown one.
  public func tellNonsense() {
    tell("update", Array("{\"id\":".utf8))
    tell("party", Array("{}".utf8))
  }

  /// Closes all connections. With `isInEvent`, server-sent events end in the middle of an event.
  public func cut(isInEvent: Bool = false) {
    let all = listeners.withLock { listeners in
      defer { listeners = [] }
      return listeners
    }
    for connection in all {
      if isInEvent, connection.request.kind == .events {
        connection.tell(.bytes(Array("event: update\ndata: {\"id\":\"1\",".utf8)))
      }
      connection.tell(.ended(.closed))
    }
  }

  /// Simulates dead connections: they stay open but are silent, so clients must detect it.
  public func stall() {
    let all = listeners.withLock { listeners in
      defer { listeners = [] }
      return listeners
    }
    for connection in all { connection.die() }
  }

  // MARK: Requests

  /// Returns a transport to the server.
  public func transport() -> ScriptedTransport {
    ScriptedTransport { [self] request in
      let path = request.head.path ?? ""
      if path.contains("/instance") {
        return .json(WireEncoder.serverInfoV2(ServerInfo(title: "T", domain: "tilde.example")))
      }
      if path.contains("verify_credentials") { return .json(WireEncoder.qwinker(.sample("mara"), ownNote: "")) }
      guard path.contains("/timelines/home") else { return .json(Array((path.contains("marker") ? "{}" : "[]").utf8)) }
      return page(path)
    }
  }

  /// Returns a page of the home timeline.
  public func page(_ path: String) -> TransportResponse {
    func parameter(_ name: String) -> Int? {
      path.firstRange(of: "\(name)=").flatMap { Int(path[$0.upperBound...].prefix { $0 != "&" }) }
    }
    let all = qwinks
    let most = parameter("max_id")
    let below = all.filter { Int($0.id.rawValue) ?? 0 < most ?? .max }
    let above = parameter("min_id").map { least in below.filter { Int($0.id.rawValue) ?? 0 > least } }
    var page = above.map { Array($0.suffix(40)) } ?? Array(below.prefix(40))
    var fields = HTTPFields()
    if let last = page.last, last.id != all.last?.id, let link = HTTPField.Name("Link") {
      fields[link] = "<https://tilde.example/api/v1/timelines/home?max_id=\(last.id)&limit=40>; rel=\"next\""
    }
    if state.withLock({ $0.repeatsItems }), page.count > 2 {
      page.insert(page[1], at: 2)
      if let most, let before = all.last(where: { Int($0.id.rawValue) ?? 0 >= most }) { page.insert(before, at: 0) }
    }
    return .json(WireEncoder.qwinks(page), fields: fields)
  }
}
