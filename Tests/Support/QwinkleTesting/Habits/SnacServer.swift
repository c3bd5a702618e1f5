public import Foundation
import QwinkleWire
import Synchronization

/// A writable snac server. It ignores idempotency keys, so repeated requests create duplicates. Editing a status
/// changes its id, and deletion isn't supported.
public final class SnacServer: Sendable {
  /// The part of a post's exchange that is lost.
  public enum Loss: Sendable {
    /// The request never arrives.
    case request
    /// The request arrives, but the response doesn't.
    case answer
  }

  private struct State {
    var statuses: [RecordedAnswers.Item] = []
    var losses: [Loss] = []
    var count = 0
  }

  /// The id of the signed-in account.
  public static let me = "89aefd0fb736e29e8cd3774ed97147f4"
  /// The creation time of all new posts.
  public static let time = Date(timeIntervalSince1970: 1_795_300_000)
  /// Number of trailing id characters that stay the same when a status is edited.
  private static let fixedLength = 32

  private let state = Mutex(State())
  private let sample: RecordedAnswers.Item?

  /// Creates a server with the recorded home timeline.
  public init() {
    let home = RecordedAnswers(of: "snac").items("timelines_home")
    sample = home.first { $0.id == "1795226033a86361858aa6a4e4435198c0aa8cc0dc" }
    state.withLock { $0.statuses = home }
  }

  /// All statuses, newest first.
  public var statuses: [RecordedAnswers.Item] { state.withLock { $0.statuses } }

  /// Loses a part of each of the next posts, in this order.
  public func lose(_ losses: Loss...) { state.withLock { $0.losses = losses } }

  /// Edits a status as another client would.
  public func edit(_ id: String, to text: String) { _ = edited(id, text) }

  /// Returns the response to a request.
  public func answer(_ request: ScriptedServer.Request) -> Script {
    let words = request.place.split(separator: "/").dropFirst(2).map(String.init)
    switch (request.method, words.first, words.count) {
    case ("GET", "timelines", 2) where words[1] == "home", ("GET", "timelines", 2) where words[1] == "public":
      return script(request.page(of: statuses, most: 20).list)
    case ("GET", "accounts", 3) where words[1] == Self.me && words[2] == "statuses":
      return script(request.page(of: own, most: 20).list)
    case ("POST", "statuses", 1): return post(request)
    case ("PUT", "statuses", 2): return script(edited(words[1], request.member("status") as? String ?? "")?.body)
    case ("GET", "statuses", 2): return script(find(words[1])?.body)
    case ("POST", "statuses", 3) where words[2] == "favourite":
      return script(find(words[1])?.with(["favourited": true, "favourites_count": 1]).body)
    default: return HabitServer.snac(request)
    }
  }

  private var own: [RecordedAnswers.Item] {
    statuses.filter { String(decoding: $0.body, as: UTF8.self).contains("\"id\":\"\(Self.me)\"") }
  }

  private func script(_ body: [UInt8]?) -> Script {
    guard let body else { return .text("<h1>404 Not Found</h1>", status: 404).then(.close) }
    return .json(body).then(.close)
  }

  /// Compares only the fixed part of ids, so that an edited status is also found by its former id.
  private func find(_ id: String) -> RecordedAnswers.Item? {
    statuses.first { $0.id.suffix(Self.fixedLength) == id.suffix(Self.fixedLength) }
  }

  private func post(_ request: ScriptedServer.Request) -> Script {
    let loss = state.withLock { $0.losses.isEmpty ? nil : $0.losses.removeFirst() }
    if loss == .request { return .close }
    let item = state.withLock { state -> RecordedAnswers.Item? in
      state.count += 1
      let fixed = String(state.count, radix: 16)
      let item = sample?.with([
        "id": "1795300000" + String(repeating: "f", count: Self.fixedLength - fixed.count) + fixed,
        "content": "\(request.member("status") as? String ?? "")<br>", "created_at": WireDate.text(Self.time),
        "visibility": request.member("visibility") as? String ?? "public", "edited_at": NSNull(),
      ])
      if let item { state.statuses.insert(item, at: 0) }
      return item
    }
    return loss == .answer ? .close : script(item?.body)
  }

  private func edited(_ id: String, _ text: String) -> RecordedAnswers.Item? {
    guard let old = find(id) else { return nil }
    let new = old.with([
      "id": "1795300099" + old.id.suffix(Self.fixedLength), "edited_at": WireDate.text(Self.time),
      "content": "\(text)<br>",
    ])
    state.withLock { state in
      if let index = state.statuses.firstIndex(where: { $0.id == old.id }) { state.statuses[index] = new }
    }
    return new
  }
}
