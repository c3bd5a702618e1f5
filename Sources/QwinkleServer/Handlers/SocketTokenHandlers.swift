import GRDB
import HTTPTypes
import QwinkleWire
import SafeText

/// Tokens for other apps of a user of this host. The user gets them through the Unix socket, without a password, and
/// uses them over HTTP.
enum SocketTokenHandlers {
  static let routes = [
    Route(.post, path, .optional, make),
    Route(.get, path, .optional, list),
    Route(.delete, "\(path)/:id", .optional, revoke),
  ]

  private static let path = "/api/qwinkle/v1/tokens"
  private static let usual = Scopes("read write follow push")
  /// Maximum number of an account's tokens at which it can get another one.
  private static let mostTokens = 100
  private static let mostNameCharacters = 200

  private static func make(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    let me = try user(of: request, transaction)
    let sent = try request.parameters().refuseOthers(than: ["name", "scopes"])
    let name = sent["name"].map(SafeText.line) ?? ""
    guard name.count <= mostNameCharacters else {
      throw Refusal.invalid("name is too long: the limit is \(mostNameCharacters) characters.")
    }
    let scopes = sent["scopes"].map(Scopes.init) ?? usual
    guard scopes.areKnown, !scopes.names.isEmpty else {
      throw Refusal.invalid("Unknown scope. Use read, write, follow, push or their parts.")
    }
    guard try transaction.tokens(of: me).count < mostTokens else {
      throw Refusal.invalid("You have \(mostTokens) tokens. Revoke some of them first.")
    }
    _ = try transaction.service?.budget.count(.apps, of: .account(me))
    let app =
      try isBlank(name)
      ? nil
      : transaction.addApp(name: name, website: nil, redirectURIs: RedirectURI.outOfBand, scopes: scopes.text).app.id
    let token = try transaction.addToken(account: me, app: app, scopes: scopes)
    let createdAt = Int(transaction.nowInMilliseconds / 1000)
    var response = ServiceResponse(.json { WireEncoder.token(token, scope: scopes.text, createdAt: createdAt) })
    response.headers[.cacheControl] = "no-store"
    return response
  }

  private static func list(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    let tokens = try transaction.tokens(of: user(of: request, transaction))
    var response = ServiceResponse {
      $0.array(tokens) { writer, token in
        writer.object { writer in
          writer.field("app", token.app.map(SafeText.line))
          writer.field("created_at", token.createdAt)
          writer.field("id", token.id)
          writer.field("scopes", token.scopes)
        }
      }
    }
    response.headers[.cacheControl] = "no-store"
    return response
  }

  private static func revoke(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    let me = try user(of: request, transaction)
    guard let id = request.arguments.first, try transaction.deleteToken(withID: id, of: me) else {
      throw Refusal.notFound
    }
    return .done
  }

  /// Returns the account of the user of this host who sent a request.
  ///
  /// - Throws: ``Refusal`` if the request wasn't sent through the Unix socket, or if it has a token. An app with a
  ///   token can't get another one.
  private static func user(of request: ServiceRequest, _ transaction: Transaction) throws -> Int64 {
    guard request.unixUser != nil else { throw Refusal.notFound }
    guard request.token == nil else {
      throw Refusal(status: .forbidden, message: "This needs a request without a token, through the server's socket.")
    }
    return try transaction.me()
  }
}
