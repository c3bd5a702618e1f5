import HTTPTypes
import LibC
import Synchronization

/// Details of a request for the logs, filled in while the request is handled. Contains no text, token or query of the
/// request.
final class RequestNote: Sendable {
  private struct Content {
    var route: [String]?
    var viewer: Int64?
    var unixUser: uid_t?
  }

  private let content = Mutex(Content())

  /// The pattern of the request's route, or nil if no route matches.
  var route: [String]? {
    get { content.withLock { $0.route } }
    set { content.withLock { $0.route = newValue } }
  }

  var viewer: Int64? {
    get { content.withLock { $0.viewer } }
    set { content.withLock { $0.viewer = newValue } }
  }

  /// The uid of the user who sent the request through the Unix socket.
  var unixUser: uid_t? {
    get { content.withLock { $0.unixUser } }
    set { content.withLock { $0.unixUser = newValue } }
  }

  /// Method and route, such as `GET /api/v1/statuses/:id`. The route is `-` if no route matches.
  func line(for method: HTTPRequest.Method) -> String {
    // A client can send any text as its method, so long methods aren't logged.
    let name = method.rawValue.utf8.count <= 10 ? method.rawValue : "-"
    return "\(name) \(route.map { "/" + $0.joined(separator: "/") } ?? "-")"
  }
}
