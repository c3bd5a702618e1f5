import QwinkleModel
import SafeText

/// A server's sign-in metadata (RFC 8414, section 2).
enum SignInOfferEntity: WireEntity {
  static func read(_ fields: WireFields) -> SignInOffer {
    func strings(_ key: WireKey) -> [String]? { fields.contains(key) ? fields.list(key) : nil }
    return SignInOffer(
      authorizeURL: SafeURL.link(fields.string("authorization_endpoint")),
      tokenURL: SafeURL.link(fields.string("token_endpoint")),
      revokeURL: SafeURL.link(fields.string("revocation_endpoint")),
      registerURL: SafeURL.link(fields.string("app_registration_endpoint")),
      scopes: strings("scopes_supported"),
      hasCodeChallenge: strings("code_challenge_methods_supported")?.contains("S256") == true)
  }
}

/// <https://docs.joinmastodon.org/entities/Application/#CredentialApplication>
enum RegisteredAppEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> RegisteredApp {
    let id = try fields.required(fields.secret("client_id"), "client_id").value
    return RegisteredApp(
      clientID: id, clientSecret: try fields.required(fields.secret("client_secret"), "client_secret"))
  }
}

/// <https://docs.joinmastodon.org/entities/Token/>
enum TokenEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> Secret {
    let token = try fields.required(fields.secret("access_token"), "access_token")
    // Only bearer tokens are supported. Other types are sent differently (RFC 6749, section 7.1).
    guard (fields.string("token_type") ?? "bearer").lowercased() == "bearer" else {
      throw MissingField(name: "a token_type of Bearer")
    }
    return token
  }

  static func write(_ token: String, scope: String, createdAt: Int, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("access_token", token)
      writer.field("token_type", "Bearer")
      writer.field("scope", scope)
      writer.field("created_at", createdAt)
    }
  }
}

/// An OAuth error response (RFC 6749, section 5.2).
enum SignInRefusalEntity: WireEntity {
  private static let mostCharacters = 300

  static func read(_ fields: WireFields) throws -> SignInRefusal {
    guard let code = fields.string("error"), !code.isEmpty else { throw MissingField(name: "error") }
    let message = SafeText.line(String(fields.text("error_description").prefix(4 * Self.mostCharacters)))
    return SignInRefusal(
      code: SafeText.line(String(code.prefix(Self.mostCharacters))),
      message: String(message.prefix(Self.mostCharacters)).trimmed())
  }
}

extension KeyedDecodingContainer {
  /// Returns an identifier that can be sent in a header, if any.
  fileprivate func secret(_ key: Key) -> Secret? { identifier(key).flatMap { Secret($0) } }
}
