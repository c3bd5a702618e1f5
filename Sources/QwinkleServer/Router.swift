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
    /// For any valid token, also an app's, whatever it allows.
    case app
  }

  typealias Handler = @Sendable (ServiceRequest, Session) throws -> ServiceResponse
  typealias LongHandler = @Sendable (ServiceRequest, Service) async throws -> ServiceResponse

  /// Where the answer is made.
  enum Work: Sendable {
    /// Inside one transaction.
    case inside(Handler)
    /// Outside the database, which it may go to several times: nobody waits for it.
    case outside(LongHandler)
  }

  let method: HTTPRequest.Method
  /// Pieces of the path; one that starts with `:` takes anything, one that starts with `@:` anything behind an `@`.
  let pattern: [String]
  let access: Access
  /// What a token has to allow.
  let scope: String
  let work: Work

  /// A handler at a path such as `/api/v1/statuses/:id`.
  init(_ method: HTTPRequest.Method, _ path: String, _ access: Access, _ handler: @escaping Handler) {
    self.init(method, path, access, .inside(handler))
  }

  /// A handler that takes its time, where tokens are not looked at.
  init(_ method: HTTPRequest.Method, _ path: String, outside handler: @escaping LongHandler) {
    self.init(method, path, .open, .outside(handler))
  }

  private init(_ method: HTTPRequest.Method, _ path: String, _ access: Access, _ work: Work) {
    self.method = method
    pattern = path.split(separator: "/").map(String.init)
    self.access = access
    scope = RouteScope.needed(for: method, at: pattern)
    self.work = work
  }

  /// Whether it changes the database.
  var writes: Bool { method != .get }

  func matches(_ segments: [String]) -> Bool {
    segments.count == pattern.count
      && zip(segments, pattern).allSatisfy { $0 == $1 || Self.argument(in: $0, at: $1) != nil }
  }

  /// The pieces that the pattern leaves open, in order.
  func arguments(in segments: [String]) -> [String] {
    zip(segments, pattern).compactMap(Self.argument)
  }

  private static func argument(in segment: String, at piece: String) -> String? {
    if piece.hasPrefix(":") { return segment }
    return piece.hasPrefix("@:") && segment.hasPrefix("@") ? String(segment.dropFirst()) : nil
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
