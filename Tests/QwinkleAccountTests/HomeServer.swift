import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization

/// A server with a long home timeline: posts numbered from 1, a minute apart, on pages of 40. It can be down, late, and
/// wrong in several ways.
final class HomeServer: Sendable {
  struct State {
    var newest: Int
    /// Number of the read position.
    var marker: Int?
    var deleted: Set<Int> = []
    /// Changes to the posts that the server sends.
    var change: @Sendable (Int, inout Qwink) -> Void = { _, _ in }
    /// Whether pages have Link headers.
    var isLinked = true
    /// Whether every page after the newest is the newest one again, with a new cursor.
    var repeatsPages = false
    /// Whether every page after the newest is empty and names another page.
    var isEmptyBelow = false
    var isDown = false
    /// Pages that begin below this number fail.
    var failsBelow = 0
    /// The page that begins at or below this number waits for the gate.
    var gate: (number: Int, gate: Gate)?
    var pagesAsked = 0
  }

  static let now = Date(timeIntervalSince1970: 1_767_225_600)

  let state: Mutex<State>
  private let last: Int

  init(newest: Int, marker: Int? = nil) {
    state = Mutex(State(newest: newest, marker: marker))
    last = newest
  }

  func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

  /// Replaces row `number` with a boost by Ben of post `original`.
  func setBoost(_ number: Int, of original: Int) {
    set { state in
      state.change = { [self] row, qwink in
        guard row == number else { return }
        let time = qwink.createdAt
        qwink = self.qwink(original)
        qwink.id = Qwink.ID("\(number)")
        qwink.booster = .sample("ben")
        qwink.boostedAt = time
      }
    }
  }

  /// Number of requests for pages after the newest one.
  var pagesAsked: Int { state.withLock { $0.pagesAsked } }

  func qwink(_ number: Int) -> Qwink {
    .sample(
      id: Qwink.ID("\(number)"), text: "Post \(number)", author: .sample("user\(number % 7)"),
      at: Self.now.addingTimeInterval(60 * Double(number - last)))
  }

  func transport() -> ScriptedTransport {
    ScriptedTransport { [self] request in
      if state.withLock({ $0.isDown }) { throw TransportError.refused(host: "tilde.example") }
      switch (request.head.path ?? "").prefix(while: { $0 != "?" }) {
      case "/api/v1/timelines/home": return try await page(request.url)
      case "/api/v1/markers":
        let marker = state.withLock { $0.marker }
        let positions = marker.map { [ReadPosition(place: .home, lastReadID: "\($0)", updatedAt: Self.now)] } ?? []
        return .json(WireEncoder.readPositions(positions))
      default: return .json(WireEncoder.error("Record not found"), status: 404)
      }
    }
  }

  private func page(_ url: String) async throws -> TransportResponse {
    let start = url.firstRange(of: "max_id=").flatMap { Int(url[$0.upperBound...].prefix { $0.isNumber }) }
    let (state, number) = state.withLock { state in
      if start != nil { state.pagesAsked += 1 }
      return (state, state.pagesAsked)
    }
    if let start {
      if let (limit, gate) = state.gate, start <= limit { await gate.whenOpen() }
      if start < state.failsBelow { throw TransportError.interrupted(host: "tilde.example") }
    }
    let isRepeated = start != nil && state.repeatsPages
    let first = isRepeated ? state.newest : start.map { $0 - 1 } ?? state.newest
    var numbers = Array((1...max(1, first)).reversed().lazy.filter { !state.deleted.contains($0) }.prefix(40))
    if first < 1 || (start != nil && state.isEmptyBelow) { numbers = [] }
    let next = isRepeated || state.isEmptyBelow ? 1_000_000 + number : numbers.last ?? 1
    var fields = HTTPFields()
    if state.isLinked, next != 1, let name = HTTPField.Name("Link") {
      fields[name] = "<https://tilde.example/api/v1/timelines/home?limit=40&max_id=\(next)>; rel=\"next\""
    }
    let qwinks = numbers.map { number in
      var qwink = qwink(number)
      state.change(number, &qwink)
      return qwink
    }
    return .json(WireEncoder.qwinks(qwinks), fields: fields)
  }
}
