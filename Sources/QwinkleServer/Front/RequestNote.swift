import HTTPTypes
import Synchronization

/// What the logs say of one request: no text, token or query of anybody. Filled in while the request is answered.
final class RequestNote: Sendable {
  private struct Content {
    var route: [String]?
    var viewer: Int64?
  }

  private let content = Mutex(Content())

  /// The pattern of its route; nil if there is no such route.
  var route: [String]? {
    get { content.withLock { $0.route } }
    set { content.withLock { $0.route = newValue } }
  }

  /// The signed-in account.
  var viewer: Int64? {
    get { content.withLock { $0.viewer } }
    set { content.withLock { $0.viewer = newValue } }
  }

  /// Method and route, such as `GET /api/v1/statuses/:id`; `-` for a path that no route has.
  func line(for method: HTTPRequest.Method) -> String {
    // A method is whatever a client sent.
    let name = method.rawValue.utf8.count <= 10 ? method.rawValue : "-"
    return "\(name) \(route.map { "/" + $0.joined(separator: "/") } ?? "-")"
  }
}
