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
    return answer(made.app, clientID: made.clientID, secret: made.secret)
  }

  private static func verify(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    guard let id = transaction.app, let app = try transaction.app(id) else {
      throw Refusal.unauthorized("This token does not belong to an app.")
    }
    return answer(app)
  }

  /// Application and CredentialApplication: <https://docs.joinmastodon.org/entities/Application/>.
  private static func answer(_ app: AppRecord, clientID: String? = nil, secret: String? = nil) -> ServiceResponse {
    ServiceResponse {
      $0.object { writer in
        if let clientID { writer.field("client_id", clientID) }
        if let secret {
          writer.field("client_secret", secret)
          // 0 means never.
          writer.field("client_secret_expires_at", 0)
        }
        writer.field("id", String(app.id))
        writer.field("name", app.name)
        writer.field("redirect_uri", app.redirectURIs)
        writer.field("redirect_uris", app.redirectURIs.split(whereSeparator: \.isWhitespace).map { String($0) })
        writer.field("scopes", Scopes(app.scopes).names)
        if let website = app.website { writer.field("website", website) }
      }
    }
  }
}
