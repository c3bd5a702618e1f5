import HTTPTypes

/// Streams: what happens, as it happens. The HTTP front keeps the connection open and writes to it.
enum StreamHandlers {
  static let routes = [
    Route(.get, "/api/v1/streaming/health", .open) { _, _ in ServiceResponse(.text("OK")) },
    Route(.get, "/api/v1/streaming", .optional) { request, session in
      let name = request["stream"]
      // A WebSocket may name its streams later.
      if name == nil, WebSocketRequest.isAsked(request.headers) { return try listen(to: nil, request, session) }
      return try listen(
        to: StreamName(name ?? "", tag: request["tag"], list: request["list"]), isNamed: true, request, session)
    },
    route("user", .required),
    route("user/notification", .required),
    route("public", .optional),
    route("public/local", .optional),
    route("hashtag", .optional),
    route("hashtag/local", .optional),
    route("list", .required),
    route("direct", .required),
  ]

  /// Whether a request asks for a stream, or for what is about streams.
  static func isStream(_ request: ServiceRequest) -> Bool {
    request.method == .get && request.segments.starts(with: ["api", "v1", "streaming"])
  }

  private static func route(_ path: String, _ access: Route.Access) -> Route {
    let name = path.replacing("/", with: ":")
    return Route(.get, "/api/v1/streaming/\(path)", access) { request, session in
      try listen(to: StreamName(name, tag: request["tag"], list: request["list"]), isNamed: true, request, session)
    }
  }

  private static func listen(
    to stream: StreamName?, isNamed: Bool = false, _ request: ServiceRequest, _ session: Session
  ) throws -> ServiceResponse {
    if isNamed, stream == nil { throw Refusal.unknownStream }
    var listening = Listening(
      client: request.client, viewer: session.viewer, scopes: session.scopes,
      tokenHash: request.token.map(Secrets.hash), origin: request.origin, stream: stream)
    if let stream { try listening.check(stream) }
    if case .list(let list) = stream { _ = try session.list(list) }
    let count = stream == nil ? 0 : 1
    listening.subscriptions = try session.service?.budget.take(.subscriptions, count, for: request.client)
    return ServiceResponse(.stream(listening))
  }
}
