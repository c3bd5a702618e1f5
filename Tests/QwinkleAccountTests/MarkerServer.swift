import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization

/// A server with a home timeline and markers. It saves every marker, unless the client names an outdated version.
final class MarkerServer: Sendable {
  /// Returns a response, or nil to use the server's own.
  typealias Script = @Sendable (_ request: TransportRequest, _ isPost: Bool) async throws -> TransportResponse?

  private struct Posted: Decodable {
    struct Marker: Decodable {
      var last_read_id: String
      var version: Int?
    }
    var home: Marker?
    var notifications: Marker?
  }

  private struct State {
    var home: [Qwink] = []
    var markers: [ReadPosition.Place: ReadPosition] = [:]
    var checksVersions = true
    var script: Script?
    var asked: [String] = []
    var posted: [String] = []
    var now = MarkerServer.start
  }

  static let start = Date(timeIntervalSince1970: 1_767_225_600)

  private let state = Mutex(State())

  init(_ ids: [String] = []) {
    for id in ids.reversed() { add(id) }
  }

  static func qwink(_ id: String, at date: Date) -> Qwink {
    .sample(id: Qwink.ID(id), text: "Qwink \(id)", author: .sample("bob"), at: date)
  }

  /// Adds a qwink at the top, a minute newer than the one below.
  func add(_ id: String) {
    state.withLock { state in
      state.home.insert(Self.qwink(id, at: Self.start.addingTimeInterval(60 * Double(state.home.count - 500))), at: 0)
    }
  }

  func remove(_ id: String) { state.withLock { $0.home.removeAll { $0.id.rawValue == id } } }

  /// Ids of the timeline, newest first.
  var home: [String] { state.withLock { $0.home.map(\.id.rawValue) } }

  func setMarker(_ id: String, _ place: ReadPosition.Place = .home, at date: Date? = nil) {
    state.withLock { state in
      let version = (state.markers[place]?.version ?? 0) + 1
      state.markers[place] = ReadPosition(place: place, lastReadID: id, version: version, updatedAt: date ?? state.now)
    }
  }

  func marker(_ place: ReadPosition.Place = .home) -> String? { state.withLock { $0.markers[place]?.lastReadID } }

  /// Accepts outdated versions, as Mastodon does.
  func ignoreVersions() { state.withLock { $0.checksVersions = false } }

  /// Answers marker requests by `script`.
  func setScript(_ script: Script?) { state.withLock { $0.script = script } }

  func setTime(_ date: Date) { state.withLock { $0.now = date } }

  /// Methods of the marker requests: `GET` or `POST`.
  var asked: [String] { state.withLock { $0.asked } }
  /// Bodies of the `POST` requests.
  var posted: [String] { state.withLock { $0.posted } }

  func transport() -> ScriptedTransport {
    ScriptedTransport { [self] request in
      let path = request.head.path ?? ""
      let isPost = request.head.method == .post
      switch path.prefix(while: { $0 != "?" }) {
      case "/api/v1/timelines/home": return .json(WireEncoder.qwinks(state.withLock { Array($0.home.prefix(40)) }))
      case "/api/v1/notifications": return .json(WireEncoder.notifications([]))
      case "/api/v1/markers":
        let script = state.withLock { state in
          state.asked.append(isPost ? "POST" : "GET")
          if isPost { state.posted.append(String(decoding: request.body, as: UTF8.self)) }
          return state.script
        }
        if let answer = try await script?(request, isPost) { return answer }
        return isPost
          ? try save(request) : .json(WireEncoder.readPositions(state.withLock { Array($0.markers.values) }))
      default: return .json(WireEncoder.error("Record not found"), status: 404)
      }
    }
  }

  /// Saves the markers of a `POST` request, unless a version is outdated.
  func save(_ request: TransportRequest) throws -> TransportResponse {
    let posted = try JSONDecoder().decode(Posted.self, from: Data(request.body))
    let new = [(ReadPosition.Place.home, posted.home), (.notifications, posted.notifications)]
    return state.withLock { state in
      for (place, marker) in new {
        guard let version = marker?.version, state.checksVersions else { continue }
        if version != state.markers[place]?.version ?? 0 { return .json(WireEncoder.error("Conflict"), status: 409) }
      }
      for (place, marker) in new {
        guard let marker else { continue }
        let version = (state.markers[place]?.version ?? 0) + 1
        state.markers[place] = ReadPosition(
          place: place, lastReadID: marker.last_read_id, version: version, updatedAt: state.now)
      }
      return .json(WireEncoder.readPositions(Array(state.markers.values)))
    }
  }
}
