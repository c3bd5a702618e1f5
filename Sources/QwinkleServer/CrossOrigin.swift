import HTTPTypes

/// Lets clients that run in a browser use the API from any site (CORS). They have no cookies here, and so nothing that
/// the person at the browser didn't give them. The pages for signing in are for no other site.
enum CrossOrigin {
  private static let exposed = "Link, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After"
  private static let sent = ["authorization", "content-type", "idempotency-key"]
  /// How long a browser remembers, in seconds.
  private static let age = "7200"

  /// Whether other sites may use a path.
  static func isOpen(_ segments: [String]) -> Bool {
    switch segments.first {
    case "api", ".well-known", "nodeinfo": true
    case "oauth": segments == ["oauth", "token"] || segments == ["oauth", "revoke"]
    default: false
    }
  }

  /// Whether a request is a browser's question whether it may send another one.
  static func isQuestion(_ request: ServiceRequest) -> Bool {
    request.method == .options && isOpen(request.segments)
      && request.headers[.accessControlRequestMethod] != nil
  }

  /// The answer to such a question, for a path with these methods.
  static func answer(_ request: ServiceRequest, methods: [String]) -> ServiceResponse {
    var response = ServiceResponse(.text(""), status: .noContent)
    response.headers[.accessControlAllowMethods] = methods.joined(separator: ", ")
    let wanted = request.headers[.accessControlRequestHeaders]?.split(separator: ",").map {
      $0.filter { $0 != " " }.lowercased()
    }
    // Whatever else a client wants to send is ignored here, so it may.
    let names = sent + (wanted ?? []).filter { !sent.contains($0) && HTTPField.Name($0) != nil }
    response.headers[.accessControlAllowHeaders] = names.prefix(50).joined(separator: ", ")
    response.headers[.accessControlMaxAge] = age
    return response
  }

  /// Opens a response to other sites, where its path is open.
  static func open(_ fields: inout HTTPFields, _ segments: [String]) {
    guard isOpen(segments) else { return }
    fields[.accessControlAllowOrigin] = "*"
    fields[.accessControlExposeHeaders] = exposed
  }
}
