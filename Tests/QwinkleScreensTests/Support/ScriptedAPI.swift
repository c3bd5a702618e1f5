import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization

/// A server whose responses are scripted by call. Records all requests.
final class ScriptedAPI: Sendable {
  typealias Answer = @Sendable (TransportRequest) -> TransportResponse

  private struct State {
    var answers: [String: Answer] = [:]
    var failures: [String: TransportError] = [:]
    var gates: [String: Gate] = [:]
    var asked: [String] = []
    var bodies: [String] = []
  }

  static let host = ScriptedTimeline.host
  private let state = Mutex(State())

  /// Creates a server that knows only its own description and the account `mara`, or nothing if `isBlank`.
  init(isBlank: Bool = false) {
    if isBlank { return }
    answer("GET /api/v2/instance") { _ in
      .json(WireEncoder.serverInfoV2(ServerInfo(title: "Tilde", domain: Self.host, version: "4.3.0")))
    }
    answer("GET /api/v1/accounts/verify_credentials") { _ in .json(WireEncoder.qwinker(.sample("mara"), ownNote: "")) }
  }

  // MARK: Scripting

  /// Answers each `call`, such as `GET /api/v1/notifications`, with the result of `answer`.
  func answer(_ call: String, _ answer: @escaping Answer) { state.withLock { $0.answers[call] = answer } }

  /// Answers each `call` with pages of at most `size` items and Link headers.
  func pages<Item: Sendable>(
    _ call: String, of items: [Item], size: Int = 40, encode: @escaping @Sendable ([Item]) -> [UInt8]
  ) {
    answer(call) { request in
      let path = (request.head.path ?? "").split(separator: "?")
      let query = path.count > 1 ? path[1].split(separator: "&") : []
      let start = query.first { $0.hasPrefix("offset=") }.flatMap { Int($0.dropFirst(7)) } ?? 0
      let page = Array(items.dropFirst(start).prefix(size))
      var fields = HTTPFields()
      if start + page.count < items.count, let link = HTTPField.Name("Link") {
        fields[link] = "<https://\(Self.host)\(path[0])?offset=\(start + page.count)>; rel=\"next\""
      }
      // Servers that send Link headers also send one with the last page.
      if fields.isEmpty, !page.isEmpty, let link = HTTPField.Name("Link") {
        fields[link] = "<https://\(Self.host)\(path[0])?since=0>; rel=\"prev\""
      }
      return .json(encode(page), fields: fields)
    }
  }

  /// Fails `call` with `error` instead of answering it, until `error` is nil.
  func fail(_ call: String, with error: TransportError?) { state.withLock { $0.failures[call] = error } }

  /// Holds responses to `call` until `gate` opens.
  func hold(_ call: String, by gate: Gate) { state.withLock { $0.gates[call] = gate } }

  // MARK: Recorded requests

  /// All calls with their queries, such as `GET /api/v1/notifications?limit=40`.
  var asked: [String] { state.withLock { $0.asked } }

  /// The request bodies of the calls that start with `call`.
  func bodies(of call: String) -> [String] {
    state.withLock { state in
      zip(state.asked, state.bodies).filter { $0.0.hasPrefix(call) }.map(\.1)
    }
  }

  // MARK: Answering

  func transport() -> ScriptedTransport {
    ScriptedTransport { [self] request in
      try await answer(to: request) ?? .json(WireEncoder.error("Record not found"), status: 404)
    }
  }

  /// Returns the response to `request`, or nil if no response is scripted.
  func answer(to request: TransportRequest) async throws -> TransportResponse? {
    let whole = "\(request.head.method.rawValue) \(request.head.path ?? "")"
    let call = String(whole.prefix { $0 != "?" })
    let gate = state.withLock { state in
      state.asked.append(whole)
      state.bodies.append(String(decoding: request.body, as: UTF8.self))
      return state.gates[call]
    }
    await gate?.whenOpen()
    let (failure, answer) = state.withLock { ($0.failures[call], $0.answers[call]) }
    if let failure { throw failure }
    return answer?(request)
  }
}
