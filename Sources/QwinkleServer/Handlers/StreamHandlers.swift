import HTTPTypes

/// Streams of events. A handler only checks the request and describes the stream. Its caller then sends the events:
/// ``RequestHandler`` over an open connection, ``InProcessStreams`` within this process.
enum StreamHandlers {
  static let routes = [
    Route(.get, "/api/v1/streaming/health", .open) { _, _ in ServiceResponse(.text("OK")) },
    Route(.get, "/api/v1/streaming", .optional) { request, transaction in
      let name = request["stream"]
      // A WebSocket client can connect without naming a stream and subscribe later.
      if name == nil, WebSocketRequest.isAsked(request.headers) { return try listen(to: nil, request, transaction) }
      return try listen(
        to: StreamChannel(name ?? "", tag: request["tag"], list: request["list"]), isNamed: true, request, transaction)
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

  /// Whether a request belongs to the streaming API.
  static func isStream(_ request: ServiceRequest) -> Bool {
    request.method == .get && request.segments.starts(with: ["api", "v1", "streaming"])
  }

  private static func route(_ path: String, _ access: Route.Access) -> Route {
    let name = path.replacing("/", with: ":")
    return Route(.get, "/api/v1/streaming/\(path)", access) { request, transaction in
      try listen(
        to: StreamChannel(name, tag: request["tag"], list: request["list"]), isNamed: true, request, transaction)
    }
  }

  private static func listen(
    to stream: StreamChannel?, isNamed: Bool = false, _ request: ServiceRequest, _ transaction: Transaction
  ) throws -> ServiceResponse {
    if isNamed, stream == nil { throw Refusal.unknownStream }
    var listening = Listening(
      client: request.client, unixUser: request.unixUser, viewer: transaction.viewer, scopes: transaction.scopes,
      credential: request.credential(of: transaction.viewer), origin: request.origin, stream: stream)
    if let stream { try listening.check(stream) }
    if case .list(let list) = stream { _ = try transaction.list(list) }
    let count = stream == nil ? 0 : 1
    listening.subscriptions = try transaction.service?.budget.take(.subscriptions, count, for: request.client)
    return ServiceResponse(.stream(listening))
  }
}

extension ServiceRequest {
  /// Returns the proof that this request belongs to the account `viewer`, or nil if the request is signed out.
  fileprivate func credential(of viewer: Int64?) -> Credential? {
    if let token { return .token(Secrets.hash(token)) }
    guard let unixUser, let viewer else { return nil }
    return .unixUser(unixUser, account: viewer)
  }
}
