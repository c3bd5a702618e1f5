import FoundationEssentials
import HTTPTypes
public import QwinkleModel
public import QwinkleWire
import Synchronization

/// The notifications of a scripted server. Clients can load them by page and by type, dismiss them and clear them.
public final class ScriptedNotifications: Sendable {
  private static let path = "/api/v1/notifications"
  private static let groupPath = "/api/v2/notifications"

  private struct State {
    var all: [AccountNotification]
    var refusals: [String: Int] = [:]
    var gates: [String: Gate] = [:]
    var givesSingle = true
    var knowsTypes = true
    var rejectsTypes = false
    var knowsGroups = true
    var asked: [String] = []
  }

  private let state: Mutex<State>

  /// Creates a server with these notifications, newest first.
  public init(_ all: [AccountNotification]) { state = Mutex(State(all: all)) }

  // MARK: Scripting

  /// All notifications, newest first.
  public var all: [AccountNotification] { state.withLock { $0.all } }

  /// The ids of all notifications.
  public var ids: [String] { all.map(\.id.rawValue) }

  /// Replaces all notifications.
  public func set(_ all: [AccountNotification]) { state.withLock { $0.all = all } }

  /// Answers each `call`, such as `POST /dismiss` or `POST /clear`, with `status`. Nil restores the usual response.
  public func refuse(_ call: String, with status: Int?) {
    state.withLock { $0.refusals[call] = status }
  }

  /// Delays responses to `call` until `gate` opens. They reflect the state when the call arrived.
  public func hold(_ call: String, by gate: Gate) { state.withLock { $0.gates[call] = gate } }

  /// Stops serving single notifications, like snac.
  public func giveNoSingle() { state.withLock { $0.givesSingle = false } }

  /// Ignores requested types, like old servers.
  public func ignoreTypes() { state.withLock { $0.knowsTypes = false } }

  /// Rejects requests for specific types.
  public func refuseTypes() { state.withLock { $0.rejectsTypes = true } }

  /// Stops dismissing groups.
  public func ignoreGroups() { state.withLock { $0.knowsGroups = false } }

  /// All calls with their queries, such as `GET ?limit=40`, `POST /3/dismiss`, `POST v2/follow-1/dismiss`.
  public var asked: [String] { state.withLock { $0.asked } }

  // MARK: Answering

  /// Returns the response to `request`, or nil if it isn't about notifications.
  public func answer(_ request: TransportRequest) async -> TransportResponse? {
    let whole = request.head.path ?? ""
    if whole == "\(Self.groupPath)/policy" || whole.hasPrefix("\(Self.path)/requests") { return nil }
    if whole.hasPrefix(Self.groupPath) { return dismissGroup(String(whole.dropFirst(Self.groupPath.count))) }
    guard whole.hasPrefix(Self.path) else { return nil }
    let call = whole.dropFirst(Self.path.count)
    let (place, query) = (String(call.prefix { $0 != "?" }), String(call.drop { $0 != "?" }.dropFirst()))
    let pieces = place.split(separator: "/").map(String.init)
    let kind = "\(request.head.method) " + (pieces.isEmpty ? "" : "/\(pieces[pieces.count - 1])")
    let (answer, gate) = state.withLock { state -> (TransportResponse, Gate?) in
      state.asked.append("\(request.head.method) \(call)")
      if let status = state.refusals[kind] {
        return (.json(WireEncoder.error("Refused"), status: status), state.gates[kind])
      }
      return (Self.answer(request.head.method, pieces, query, &state), state.gates[kind])
    }
    await gate?.whenOpen()
    return answer
  }

  private func dismissGroup(_ call: String) -> TransportResponse {
    state.withLock { state in
      state.asked.append("POST v2\(call)")
      let before = state.all.count
      if state.knowsGroups { state.all.removeAll { $0.groupKey.map { "/\($0)/dismiss" } == call } }
      guard state.all.count < before else { return .json(WireEncoder.error("Record not found"), status: 404) }
      return .json(Array("{}".utf8))
    }
  }

  private static func answer(
    _ method: HTTPRequest.Method, _ pieces: [String], _ query: String, _ state: inout State
  ) -> TransportResponse {
    let found = state.all.firstIndex { $0.id.rawValue == pieces.first }
    switch (method, pieces.last) {
    case (.get, nil): return page(query, state)
    case (.post, "clear"):
      state.all = []
      return .json(Array("{}".utf8))
    case (.post, "dismiss"):
      guard let found else { break }
      state.all.remove(at: found)
      return .json(Array("{}".utf8))
    case (.get, _):
      guard let found, state.givesSingle else { break }
      return .json(WireEncoder.notification(state.all[found]))
    default: break
    }
    return .json(WireEncoder.error("Record not found"), status: 404)
  }

  private static func page(_ query: String, _ state: State) -> TransportResponse {
    let parameters = query.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    func values(_ name: String) -> [String] { parameters.filter { $0.first == name }.compactMap { $0.last } }
    let types = values("types%5B%5D") + values("types[]")
    if state.rejectsTypes, !types.isEmpty { return .json(WireEncoder.error("Unknown type"), status: 422) }
    var rest = state.all[...]
    if let last = values("max_id").first, let index = rest.firstIndex(where: { $0.id.rawValue == last }) {
      rest = rest[(index + 1)...]
    }
    if state.knowsTypes, !types.isEmpty { rest = rest.filter { types.contains(WireEncoder.word(of: $0.kind)) }[...] }
    let page = Array(rest.prefix(values("limit").first.flatMap { Int($0) } ?? 40))
    var fields = HTTPFields()
    if let first = page.first, let last = page.last, let link = HTTPField.Name("Link") {
      let kept = query.split(separator: "&").filter { !$0.hasPrefix("max_id=") }.joined(separator: "&")
      let next = "<https://tilde.example\(path)?\(kept)&max_id=\(last.id)>; rel=\"next\", "
      let previous = "<https://tilde.example\(path)?\(kept)&min_id=\(first.id)>; rel=\"prev\""
      fields[link] = (rest.count > page.count ? next : "") + previous
    }
    return .json(WireEncoder.notifications(page), fields: fields)
  }
}
