import HTTPTypes
import QwinkleWire
import SafeText

/// Registers apps, and returns the record of the app that sends the request.
enum SignInHandlers {
  static let routes =
    [
      Route(.post, "/api/v1/apps", outside: register),
      Route(.get, "/api/v1/apps/verify_credentials", .app, verify),
    ] + TokenHandlers.routes + AuthorizeHandlers.routes

  private static let mostNameCharacters = 200
  private static let mostCharacters = 2000

  private static func register(_ request: ServiceRequest, _ service: Service) async throws -> ServiceResponse {
    let parameters = try request.parameters()
    guard let name = parameters["client_name"], !isBlank(SafeText.line(name)), name.count <= mostNameCharacters else {
      throw Refusal.invalid("client_name is missing or too long.")
    }
    let addresses = parameters.list("redirect_uris").flatMap { $0.split(whereSeparator: \.isWhitespace) }.uniqued()
    guard !addresses.isEmpty, addresses.reduce(0, { $0 + $1.utf8.count }) <= mostCharacters else {
      throw Refusal.invalid("redirect_uris is missing or too long.")
    }
    if let wrong = addresses.first(where: { RedirectURI(String($0)) == nil }) {
      throw Refusal.invalid(
        "\(SafeText.line(String(wrong))) is not a valid redirect URI: use an absolute URI, https or your own scheme.")
    }
    let scopes = parameters["scopes"].map(Scopes.init) ?? .usual
    let website = parameters["website"]
    guard scopes.text.utf8.count <= mostCharacters, (website ?? "").utf8.count <= mostCharacters else {
      throw Refusal.invalid("scopes or website is too long.")
    }
    guard scopes.areKnown, !scopes.names.isEmpty else {
      throw Refusal.invalid("Unknown scope. Use read, write, follow or their parts.")
    }
    let redirectURIs = addresses.joined(separator: "\n")
    let made = try await service.write(request) { transaction in
      try transaction.forgetUnusedApps()
      return try transaction.addApp(name: name, website: website, redirectURIs: redirectURIs, scopes: scopes.text)
    }
    return ServiceResponse(.json(SmallJSON.bytes(AppEntity(made.app, clientID: made.clientID, secret: made.secret))))
  }

  private static func verify(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    guard let id = transaction.app, let app = try transaction.app(id) else {
      throw Refusal.unauthorized("This token does not belong to an app.")
    }
    return ServiceResponse(.json(SmallJSON.bytes(AppEntity(app))))
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
  /// 0 means never.
  var secretExpiresAt: Int?

  init(_ app: AppRecord, clientID: String? = nil, secret: String? = nil) {
    id = String(app.id)
    name = app.name
    website = app.website
    scopes = Scopes(app.scopes).names
    redirectURI = app.redirectURIs
    redirectURIs = app.redirectURIs.split(whereSeparator: \.isWhitespace).map(String.init)
    self.clientID = clientID
    self.secret = secret
    secretExpiresAt = secret == nil ? nil : 0
  }

  enum CodingKeys: String, CodingKey {
    case id, name, website, scopes
    case redirectURI = "redirect_uri"
    case redirectURIs = "redirect_uris"
    case clientID = "client_id"
    case secret = "client_secret"
    case secretExpiresAt = "client_secret_expires_at"
  }
}
