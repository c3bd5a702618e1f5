import HTTPTypes

/// A method and a pattern of a path, and who answers there.
struct Route: Sendable {
  /// Whether a handler asks who is there.
  enum Access: Sendable {
    /// Tokens are not looked at.
    case open
    /// Somebody signed in may see more. A token that is not valid is refused.
    case optional
    /// Only for somebody signed in.
    case required
    /// For any valid token, also an app's.
    case app
  }

  typealias Handler = @Sendable (ServiceRequest, Session) throws -> ServiceResponse

  let method: HTTPRequest.Method
  /// Pieces of the path; one that starts with `:` takes anything.
  let pattern: [String]
  let access: Access
  let handler: Handler

  /// A handler at a path such as `/api/v1/statuses/:id`.
  init(_ method: HTTPRequest.Method, _ path: String, _ access: Access, _ handler: @escaping Handler) {
    self.method = method
    pattern = path.split(separator: "/").map(String.init)
    self.access = access
    self.handler = handler
  }

  /// Whether it changes the database.
  var writes: Bool { method != .get }

  func matches(_ segments: [String]) -> Bool {
    segments.count == pattern.count && zip(segments, pattern).allSatisfy { $0 == $1 || $1.hasPrefix(":") }
  }

  /// The pieces that the pattern leaves open, in order.
  func arguments(in segments: [String]) -> [String] {
    zip(segments, pattern).compactMap { $1.hasPrefix(":") ? $0 : nil }
  }
}

/// Finds who answers. Both fronts use the same one.
struct Router: Sendable {
  private let routes: [Route]

  init(_ routes: [Route]) {
    self.routes = routes
  }

  /// The route of a request. HEAD goes where GET goes. Of two that match, the one written first answers.
  func route(for request: ServiceRequest) throws(Refusal) -> Route {
    let here = routes.filter { $0.matches(request.segments) }
    guard !here.isEmpty else { throw .notFound }
    let method = request.method == .head ? .get : request.method
    guard let route = here.first(where: { $0.method == method }) else {
      let methods = Set(here.map(\.method.rawValue)).sorted().joined(separator: ", ")
      throw Refusal(
        status: .methodNotAllowed, message: "\(request.method.rawValue) is not possible here, only \(methods).",
        headers: [.allow: methods])
    }
    return route
  }
}
