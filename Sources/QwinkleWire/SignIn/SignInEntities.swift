import QwinkleModel
import SafeText

/// A server's sign-in metadata (RFC 8414, section 2).
struct SignInOfferEntity: WireEntity {
  var model: SignInOffer

  enum CodingKeys: String, CodingKey {
    case authorize = "authorization_endpoint"
    case token = "token_endpoint"
    case revoke = "revocation_endpoint"
    case register = "app_registration_endpoint"
    case scopes = "scopes_supported"
    case challenges = "code_challenge_methods_supported"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func strings(_ key: CodingKeys) -> [String]? { container.contains(key) ? container.list(key) : nil }
    model = SignInOffer(
      authorizeURL: SafeURL.link(container.string(.authorize)), tokenURL: SafeURL.link(container.string(.token)),
      revokeURL: SafeURL.link(container.string(.revoke)), registerURL: SafeURL.link(container.string(.register)),
      scopes: strings(.scopes), hasCodeChallenge: strings(.challenges)?.contains("S256") == true)
  }
}

/// <https://docs.joinmastodon.org/entities/Application/#CredentialApplication>
struct RegisteredAppEntity: WireEntity {
  var model: RegisteredApp

  enum CodingKeys: String, CodingKey {
    case id = "client_id"
    case secret = "client_secret"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let id = try container.required(container.secret(.id), .id).value
    model = RegisteredApp(clientID: id, clientSecret: try container.required(container.secret(.secret), .secret))
  }
}

/// <https://docs.joinmastodon.org/entities/Token/>
struct TokenEntity: WireEntity {
  var model: Secret

  enum CodingKeys: String, CodingKey {
    case token = "access_token"
    case type = "token_type"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let token = try container.required(container.secret(.token), .token)
    // Only bearer tokens are supported. Other types are sent differently (RFC 6749, section 7.1).
    guard (container.string(.type) ?? "bearer").lowercased() == "bearer" else {
      throw MissingField(name: "a token_type of Bearer")
    }
    model = token
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
struct SignInRefusalEntity: WireEntity {
  private static let mostCharacters = 300

  var model: SignInRefusal

  enum CodingKeys: String, CodingKey {
    case error
    case description = "error_description"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard let code = container.string(.error), !code.isEmpty else { throw MissingField(name: "error") }
    let message = SafeText.line(String(container.text(.description).prefix(4 * Self.mostCharacters)))
    model = SignInRefusal(
      code: SafeText.line(String(code.prefix(Self.mostCharacters))),
      message: String(message.prefix(Self.mostCharacters)).trimmed())
  }
}

extension KeyedDecodingContainer {
  /// Returns an identifier that can be sent in a header, if any.
  fileprivate func secret(_ key: Key) -> Secret? { identifier(key).flatMap { Secret($0) } }
}
