import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleWire

/// Issues and revokes tokens. An app requests a token for a user, with an authorization code, or a token for the app
/// itself. Passwords are accepted only on the sign-in page.
enum TokenHandlers {
  static let routes = [
    Route(
      .post, "/oauth/token",
      outside: { request, service in
        try await service.write(request) { try token(request, $0, service) }
      }),
    Route(.post, "/oauth/revoke", .open, revoke),
    Route(.get, "/.well-known/oauth-authorization-server", .open, metadata),
  ]

  private static func token(
    _ request: ServiceRequest, _ transaction: Transaction, _ service: Service
  ) throws -> ServiceResponse {
    let parameters = try request.bodyParameters()
    guard let kind = parameters["grant_type"], ["authorization_code", "client_credentials"].contains(kind) else {
      return failure("unsupported_grant_type", "Unsupported grant_type: use authorization_code or client_credentials.")
    }
    guard let app = try app(request, parameters, transaction) else { return wrongClient(request) }
    if kind == "client_credentials" {
      let scopes = parameters["scope"].map(Scopes.init) ?? .usual
      guard Scopes(app.scopes).allow(scopes) else {
        return failure("invalid_scope", "The app did not register these scopes.")
      }
      _ = try service.budget.count(.apps, of: request.client)
      return answer(try transaction.addToken(account: nil, app: app.id, scopes: scopes), scopes, transaction)
    }
    guard let code = parameters["code"], let redirectURI = parameters["redirect_uri"] else {
      return failure("invalid_request", "code or redirect_uri is missing.")
    }
    let made = try transaction.token(
      forCode: code, app: app, redirectURI: redirectURI, verifier: parameters["code_verifier"])
    guard let made else {
      return failure(
        "invalid_grant", "The code is wrong, already used, expired or issued for another request.")
    }
    return answer(made.token, made.scopes, transaction)
  }

  /// Revokes a token (RFC 7009). Also succeeds if the token is unknown. A token made by `serve add-user` belongs to no
  /// app, so anyone who has the token can revoke it.
  private static func revoke(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    let parameters = try request.bodyParameters()
    guard let token = parameters["token"], !token.isEmpty else {
      return failure("invalid_request", "token is missing.")
    }
    let app = try app(request, parameters, transaction)
    guard let holder = try transaction.holder(ofToken: token) else { return empty }
    guard holder.app == nil || holder.app == app?.id else {
      return failure(
        "unauthorized_client", "This token belongs to a different app.", status: .forbidden)
    }
    try transaction.deleteToken(token)
    return empty
  }

  /// Returns the server's OAuth metadata (RFC 8414).
  private static func metadata(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    let origin = request.origin
    return ServiceResponse {
      $0.object { writer in
        writer.field("app_registration_endpoint", origin.url("/api/v1/apps"))
        writer.field("authorization_endpoint", origin.url("/oauth/authorize"))
        writer.field("code_challenge_methods_supported", ["S256"])
        writer.field("grant_types_supported", ["authorization_code", "client_credentials"])
        writer.field("issuer", origin.url("/"))
        writer.field("response_modes_supported", ["query"])
        writer.field("response_types_supported", ["code"])
        writer.field("revocation_endpoint", origin.url("/oauth/revoke"))
        writer.field("scopes_supported", Scopes.offered)
        writer.field("token_endpoint", origin.url("/oauth/token"))
        writer.field("token_endpoint_auth_methods_supported", ["client_secret_basic", "client_secret_post"])
      }
    }
  }

  /// Returns the app that sends the request, or nil if the app's id or secret is missing or wrong. The app sends both
  /// in HTTP Basic or in the body.
  private static func app(
    _ request: ServiceRequest, _ parameters: RequestParameters, _ transaction: Transaction
  ) throws -> AppRecord? {
    let basic = request.basicCredentials
    guard let id = basic?.name ?? parameters["client_id"], let secret = basic?.secret ?? parameters["client_secret"]
    else { return nil }
    return try transaction.app(clientID: id, secret: secret)
  }

  private static func answer(_ token: String, _ scopes: Scopes, _ transaction: Transaction) -> ServiceResponse {
    let createdAt = Int(transaction.nowInMilliseconds / 1000)
    return unstored(.json { WireEncoder.token(token, scope: scopes.text, createdAt: createdAt) })
  }

  private static var empty: ServiceResponse { unstored(ServiceResponse.done.content) }

  private static func wrongClient(_ request: ServiceRequest) -> ServiceResponse {
    var response = failure("invalid_client", "No app has this client_id and client_secret.", status: .unauthorized)
    // Request HTTP Basic credentials only from a client that sent an Authorization header.
    if request.headers[.authorization] != nil { response.headers[.wwwAuthenticate] = "Basic realm=\"Qwinkle\"" }
    return response
  }

  /// An error in OAuth format (RFC 6749, section 5.2).
  private static func failure(
    _ error: String, _ description: String, status: HTTPResponse.Status = .badRequest
  ) -> ServiceResponse {
    unstored(.json { SmallJSON.bytes(["error": error, "error_description": description]) }, status: status)
  }

  private static func unstored(
    _ content: ServiceResponse.Content, status: HTTPResponse.Status = .ok
  ) -> ServiceResponse {
    var response = ServiceResponse(content, status: status)
    response.headers[.cacheControl] = "no-store"
    return response
  }
}

extension ServiceRequest {
  /// Name and secret from the HTTP Basic header. OAuth clients percent-encode them (RFC 6749, section 2.3.1).
  fileprivate var basicCredentials: (name: String, secret: String)? {
    guard let parts = headers[.authorization]?.split(separator: " "), parts.count == 2,
      parts[0].lowercased() == "basic", let data = Data(base64Encoded: String(parts[1]))
    else { return nil }
    let pair = String(decoding: data, as: UTF8.self).split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard pair.count == 2 else { return nil }
    return (
      PercentEncoding.decoded(pair[0].utf8, plusIsSpace: true), PercentEncoding.decoded(pair[1].utf8, plusIsSpace: true)
    )
  }
}
