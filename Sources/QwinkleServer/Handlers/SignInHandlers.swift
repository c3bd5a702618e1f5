import HTTPTypes

/// Programs and their own tokens. People get theirs from whoever runs the service: `serve add-user` prints one.
enum SignInHandlers {
  static let routes = [
    Route(.post, "/api/v1/apps", .open, register),
    Route(.get, "/api/v1/apps/verify_credentials", .app, verify),
    Route(.post, "/oauth/token", .open, token),
  ]

  private static let mostNameCharacters = 200
  private static let mostCharacters = 2000

  private static func register(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    let parameters = try RequestParameters(request)
    guard let name = parameters["client_name"], !isBlank(name), name.count <= mostNameCharacters else {
      throw Refusal.invalid("client_name is missing or too long.")
    }
    guard let uris = parameters["redirect_uris"], !isBlank(uris), uris.utf8.count <= mostCharacters else {
      throw Refusal.invalid("redirect_uris is missing or too long.")
    }
    let scopes = parameters["scopes"] ?? "read"
    let website = parameters["website"]
    guard scopes.utf8.count <= mostCharacters, (website ?? "").utf8.count <= mostCharacters else {
      throw Refusal.invalid("scopes or website is too long.")
    }
    let made = try session.addApp(name: name, website: website, redirectURIs: uris, scopes: scopes)
    return answer(AppEntity(made.app, clientID: made.clientID, secret: made.secret))
  }

  private static func verify(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    guard let id = session.app, let app = try session.app(id) else {
      throw Refusal.unauthorized("This token belongs to no app.")
    }
    return answer(AppEntity(app))
  }

  private static func token(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    let parameters = try RequestParameters(request)
    guard parameters["grant_type"] == "client_credentials" else {
      return failure("unsupported_grant_type", "Only client_credentials is possible here.", status: .badRequest)
    }
    guard let clientID = parameters["client_id"], let secret = parameters["client_secret"],
      let app = try session.app(clientID: clientID, secret: secret)
    else { return failure("invalid_client", "There is no app with this id and secret.", status: .unauthorized) }
    let scopes = parameters["scope"] ?? "read"
    guard Set(scopes.split(separator: " ")).isSubset(of: app.scopes.split(separator: " ")) else {
      return failure("invalid_scope", "The app did not register these scopes.", status: .badRequest)
    }
    let token = try session.addToken(account: nil, app: app.id, scopes: scopes)
    var response = answer(
      TokenEntity(accessToken: token, scope: scopes, createdAt: session.nowInMilliseconds / 1000))
    response.headers[.cacheControl] = "no-store"
    return response
  }

  private static func answer(_ entity: some Encodable) -> ServiceResponse {
    ServiceResponse(.json(SmallJSON.bytes(entity)))
  }

  /// An error in OAuth's form (RFC 6749, section 5.2).
  private static func failure(
    _ error: String, _ description: String, status: HTTPResponse.Status
  ) -> ServiceResponse {
    ServiceResponse(.json(SmallJSON.bytes(["error": error, "error_description": description])), status: status)
  }
}

/// Application and CredentialApplication: <https://docs.joinmastodon.org/entities/Application/>.
private struct AppEntity: Encodable {
  var id: String
  var name: String
  var website: String?
  var scopes: [String]
  var redirectURI: String
  var redirectURIs: [String]
  var clientID: String?
  var secret: String?

  init(_ app: AppRecord, clientID: String? = nil, secret: String? = nil) {
    id = String(app.id)
    name = app.name
    website = app.website
    scopes = app.scopes.split(separator: " ").map(String.init)
    redirectURI = app.redirectURIs
    redirectURIs = app.redirectURIs.split(whereSeparator: \.isWhitespace).map(String.init)
    self.clientID = clientID
    self.secret = secret
  }

  enum CodingKeys: String, CodingKey {
    case id, name, website, scopes
    case redirectURI = "redirect_uri"
    case redirectURIs = "redirect_uris"
    case clientID = "client_id"
    case secret = "client_secret"
  }
}

/// Token: <https://docs.joinmastodon.org/entities/Token/>.
private struct TokenEntity: Encodable {
  var accessToken: String
  var scope: String
  /// Seconds since 1970.
  var createdAt: Int64
  var tokenType = "Bearer"

  enum CodingKeys: String, CodingKey {
    case accessToken = "access_token"
    case tokenType = "token_type"
    case scope
    case createdAt = "created_at"
  }
}
