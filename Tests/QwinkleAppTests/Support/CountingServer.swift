import Foundation
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting

/// A server that stores posts. It loses some requests and some responses.
final class CountingServer: Sendable {
  private struct State {
    var statuses: [(id: Int, text: String, json: String)] = []
    var random: SplitMix
    /// Ids by idempotency key.
    var keys: [String: Int] = [:]
  }

  /// Outcome of a request to post.
  private enum Fate {
    case answered, lostOnTheWay, answerLost

    init(using random: inout SplitMix) {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: self = .lostOnTheWay
      case 1: self = .answerLost
      default: self = .answered
      }
    }
  }

  private static let author = String(
    decoding: WireEncoder.qwinker(.sample("mara", displayName: "Mara")), as: UTF8.self)

  let accounts = SignInDouble()
  private let honoursKeys: Bool
  private let showsPosts: Bool
  private let state: Mutex<State>

  /// - Parameters:
  ///   - honoursKeys: Whether a repeated idempotency key creates no second status.
  ///   - showsPosts: Whether posts are in the public timeline.
  init(seed: UInt64, honoursKeys: Bool, showsPosts: Bool = true) {
    self.honoursKeys = honoursKeys
    self.showsPosts = showsPosts
    state = Mutex(State(random: SplitMix(seed: seed)))
    for number in 1...60 { _ = commit("Boat \(number)", key: nil) }
  }

  func texts(beginningWith start: String) -> [String] {
    state.withLock { $0.statuses.map(\.text).filter { $0.hasPrefix(start) } }
  }

  func answer(_ request: ScriptedServer.Request) -> Script {
    let authorization = request.field("Authorization")
    if request.path == "/api/v1/accounts/verify_credentials", accounts.accepts(authorization: authorization) {
      return .json(Array((Self.author.dropLast() + #","source":{"privacy":"public","note":""}}"#).utf8))
    }
    let known = accounts.answer(
      method: request.method, path: request.path, authorization: authorization, body: request.body)
    if let known { return .json(known.json, status: known.status) }
    let path = request.path.prefix { $0 != "?" }
    if request.method == "POST", path == "/api/v1/statuses" { return post(request) }
    if path.hasPrefix("/api/v1/timelines/") || path.hasSuffix("/statuses") { return page(request) }
    return .json(Array(#"{"error":"Record not found"}"#.utf8), status: 404)
  }

  private func post(_ request: ScriptedServer.Request) -> Script {
    guard let entry = try? RequestParameters(body: request.body, contentType: request.field("Content-Type")).entry()
    else { return .json(Array(#"{"error":"Validation failed"}"#.utf8), status: 422) }
    let fate = state.withLock { Fate(using: &$0.random) }
    if fate == .lostOnTheWay { return .reset }
    let json = commit(entry.text, key: request.field("Idempotency-Key"))
    return fate == .answerLost ? .reset : .json(Array(json.utf8))
  }

  private func commit(_ text: String, key: String?) -> String {
    state.withLock { state in
      if honoursKeys, let key, let id = state.keys[key], let known = state.statuses.first(where: { $0.id == id }) {
        return known.json
      }
      let id = 1000 + state.statuses.count
      let date = Date().ISO8601Format(.init(includingFractionalSeconds: true))
      let json = """
        {"id":"\(id)","uri":"http://x/\(id)","url":"http://x/\(id)","created_at":"\(date)","visibility":"public",
        "content":"<p>\(text)</p>","spoiler_text":"","sensitive":false,"media_attachments":[],"mentions":[],"tags":[],
        "emojis":[],"in_reply_to_id":null,"reblogs_count":0,"favourites_count":0,"replies_count":0,
        "account":\(Self.author)}
        """
      state.statuses.append((id, text, json))
      if let key { state.keys[key] = id }
      return json
    }
  }

  private func page(_ request: ScriptedServer.Request) -> Script {
    let items = URLComponents(string: request.path)?.queryItems ?? []
    func number(_ name: String) -> Int? { items.first { $0.name == name }?.value.flatMap { Int($0) } }
    let isHidden = !showsPosts && request.path.hasPrefix("/api/v1/timelines/public")
    let statuses = state.withLock { $0.statuses }.filter { !isHidden || $0.text.hasPrefix("Boat ") }.reversed()
    let (below, above) = (number("max_id") ?? .max, number("min_id") ?? number("since_id") ?? 0)
    let page = statuses.filter { $0.id < below && $0.id > above }.prefix(number("limit") ?? 20)
    let address = "http://\(request.field("Host") ?? "")\(request.path.prefix { $0 != "?" })"
    let fields = page.last.map { last in
      [("Link", "<\(address)?limit=40&max_id=\(last.id)>; rel=\"next\"")]
    }
    return .json(Array("[\(page.map(\.json).joined(separator: ","))]".utf8), fields: fields ?? [])
  }
}
