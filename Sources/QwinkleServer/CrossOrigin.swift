import HTTPTypes

/// Allows browser clients on any site to use the API (CORS). The API uses no cookies, so a site can only use
/// credentials that the user has given it. The sign-in pages are closed to other sites.
enum CrossOrigin {
  private static let exposed = "Link, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After"
  private static let sent = ["authorization", "content-type", "idempotency-key"]
  /// Seconds for which a browser caches a preflight response.
  private static let age = "7200"

  /// Whether other sites are allowed to use a path.
  static func isOpen(_ segments: [String]) -> Bool {
    switch segments.first {
    case "api", ".well-known", "nodeinfo": true
    case "oauth": segments == ["oauth", "token"] || segments == ["oauth", "revoke"]
    default: false
    }
  }

  /// Whether a request is a preflight request.
  static func isQuestion(_ request: ServiceRequest) -> Bool {
    request.method == .options && isOpen(request.segments)
      && request.headers[.accessControlRequestMethod] != nil
  }

  /// Returns the response to a preflight request, for a path with these methods.
  static func answer(_ request: ServiceRequest, methods: [String]) -> ServiceResponse {
    var response = ServiceResponse(.text(""), status: .noContent)
    response.headers[.accessControlAllowMethods] = methods.joined(separator: ", ")
    let wanted = request.headers[.accessControlRequestHeaders]?.split(separator: ",").map {
      $0.filter { $0 != " " }.lowercased()
    }
    // Other headers are allowed too, because the server ignores them.
    let names = sent + (wanted ?? []).filter { !sent.contains($0) && HTTPField.Name($0) != nil }
    response.headers[.accessControlAllowHeaders] = names.prefix(50).joined(separator: ", ")
    response.headers[.accessControlMaxAge] = age
    return response
  }

  /// Adds CORS headers to a response if its path is open.
  static func open(_ fields: inout HTTPFields, _ segments: [String]) {
    guard isOpen(segments) else { return }
    fields[.accessControlAllowOrigin] = "*"
    fields[.accessControlExposeHeaders] = exposed
  }
}
