import HTTPTypes

/// A method and path pattern, with the handler for matching requests.
struct Route: Sendable {
  enum Access: Sendable {
    /// Tokens are ignored.
    case open
    /// A token isn't required, but signed-in users may see more. An invalid token is refused.
    case optional
    case required
    /// Requires a valid token with any scopes. An app's own token, which belongs to no account, is enough.
    case app
  }

  typealias Handler = @Sendable (ServiceRequest, Transaction) throws -> ServiceResponse
  typealias LongHandler = @Sendable (ServiceRequest, Service) async throws -> ServiceResponse

  /// A handler that runs inside or outside a transaction.
  enum Work: Sendable {
    case inside(Handler)
    /// The handler runs outside any transaction, but can open several.
    case outside(LongHandler)
  }

  let method: HTTPRequest.Method
  /// Path segments. `:name` matches any segment, `@:name` any segment that starts with `@`.
  let pattern: [String]
  let access: Access
  let scope: String
  let work: Work
  /// The rate limits that requests count towards.
  let limits: [Resource]

  /// Creates a route with a handler that runs in a transaction, for a path such as `/api/v1/statuses/:id`.
  init(_ method: HTTPRequest.Method, _ path: String, _ access: Access, _ handler: @escaping Handler) {
    self.init(method, path, access, .inside(handler))
  }

  /// Creates a route with a slow handler that runs outside any transaction and ignores tokens.
  init(_ method: HTTPRequest.Method, _ path: String, outside handler: @escaping LongHandler) {
    self.init(method, path, .open, .outside(handler))
  }

  /// Creates a route with a slow handler that runs outside any transaction. The sender's token is checked first, as
  /// `access` requires. The request's ``ServiceRequest/viewer`` is the signed-in account.
  init(_ method: HTTPRequest.Method, _ path: String, outsideFor access: Access, _ handler: @escaping LongHandler) {
    self.init(method, path, access, .outside(handler))
  }

  private init(_ method: HTTPRequest.Method, _ path: String, _ access: Access, _ work: Work) {
    self.method = method
    pattern = path.split(separator: "/").map(String.init)
    self.access = access
    scope = RouteScope.needed(for: method, at: pattern)
    self.work = work
    limits = Resource.limits(of: method.rawValue, at: pattern)
  }

  var writes: Bool { method != .get }

  /// Returns the values of the pattern's placeholders, in order.
  func arguments(in segments: [String]) -> [String] {
    zip(segments, pattern).compactMap(Self.argument)
  }

  private static func argument(in segment: String, at piece: String) -> String? {
    if piece.hasPrefix(":") { return segment }
    return piece.hasPrefix("@:") && segment.hasPrefix("@") ? String(segment.dropFirst()) : nil
  }
}

/// Finds the route for a request.
struct Router: Sendable {
  /// A node of the routing tree. Its children are keyed by the next segment of their patterns.
  private struct Node: Sendable {
    var literals: [String: Node] = [:]
    /// Children for `:name` and `@:name`.
    var placeholders: [String: Node] = [:]
    /// The routes that end at this node, with their positions in the list of all routes.
    var ends: [(place: Int, route: Route)] = []

    mutating func add(_ route: Route, at place: Int, _ rest: ArraySlice<String>) {
      guard let first = rest.first else { return ends.append((place, route)) }
      if first.hasPrefix(":") || first.hasPrefix("@:") {
        placeholders[first.hasPrefix("@") ? "@:" : ":", default: Node()].add(route, at: place, rest.dropFirst())
      } else {
        literals[first, default: Node()].add(route, at: place, rest.dropFirst())
      }
    }

    func find(_ rest: ArraySlice<String>, _ found: inout [(place: Int, route: Route)]) {
      guard let first = rest.first else { return found += ends }
      literals[first]?.find(rest.dropFirst(), &found)
      placeholders[":"]?.find(rest.dropFirst(), &found)
      if first.hasPrefix("@") { placeholders["@:"]?.find(rest.dropFirst(), &found) }
    }
  }

  private let root: Node

  init(_ routes: [Route]) {
    var root = Node()
    for (place, route) in routes.enumerated() { root.add(route, at: place, route.pattern[...]) }
    self.root = root
  }

  /// Returns the methods allowed for a path, sorted.
  func methods(at segments: [String]) -> [String] { Set(routes(at: segments).map(\.method.rawValue)).sorted() }

  private func routes(at segments: [String]) -> [Route] {
    var found: [(place: Int, route: Route)] = []
    root.find(segments[...], &found)
    return found.sorted { $0.place < $1.place }.map(\.route)
  }

  /// Returns the route for a request. HEAD requests use the GET route. The first of several matching routes wins.
  func route(for request: ServiceRequest) throws(Refusal) -> Route {
    let here = routes(at: request.segments)
    guard !here.isEmpty else { throw .notFound }
    let method = request.method == .head ? .get : request.method
    guard let route = here.first(where: { $0.method == method }) else {
      let methods = methods(at: request.segments).joined(separator: ", ")
      throw Refusal(
        status: .methodNotAllowed, message: "\(request.method.rawValue) is not allowed here. Allowed: \(methods).",
        headers: [.allow: methods])
    }
    return route
  }
}
