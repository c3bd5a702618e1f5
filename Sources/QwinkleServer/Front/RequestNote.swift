import HTTPTypes
import Synchronization

/// Details of a request for the logs, filled in while the request is handled. Contains no text, token or query of the
/// request.
final class RequestNote: Sendable {
  private let content = Mutex<(route: [String]?, viewer: Int64?)>((nil, nil))

  /// The pattern of the request's route, or nil if no route matches.
  var route: [String]? {
    get { content.withLock { $0.route } }
    set { content.withLock { $0.route = newValue } }
  }

  var viewer: Int64? {
    get { content.withLock { $0.viewer } }
    set { content.withLock { $0.viewer = newValue } }
  }

  /// Method and route, such as `GET /api/v1/statuses/:id`. The route is `-` if no route matches.
  func line(for method: HTTPRequest.Method) -> String {
    // A client can send any text as its method, so long methods aren't logged.
    let name = method.rawValue.utf8.count <= 10 ? method.rawValue : "-"
    return "\(name) \(route.map { "/" + $0.joined(separator: "/") } ?? "-")"
  }
}
