public import QwinkleModel

/// How to sign in at a server, as it says itself: RFC 8414, `/.well-known/oauth-authorization-server`.
public struct SignInOffer: Hashable, Sendable {
  /// Where the user authorizes a program.
  public var authorizeURL: String?
  /// Where a code is exchanged for a token.
  public var tokenURL: String?
  /// Where a token is revoked.
  public var revokeURL: String?
  /// Where a program registers; Mastodon's own addition.
  public var registerURL: String?
  /// The scopes a program may ask for; nil if the server doesn't say.
  public var scopes: [String]?
  /// Whether a code can be bound to the program that requested it (PKCE with SHA-256, RFC 7636).
  public var hasCodeChallenge: Bool

  /// An offer. Nil stands for what the server doesn't say.
  public init(
    authorizeURL: String? = nil, tokenURL: String? = nil, revokeURL: String? = nil, registerURL: String? = nil,
    scopes: [String]? = nil, hasCodeChallenge: Bool = false
  ) {
    self.authorizeURL = authorizeURL
    self.tokenURL = tokenURL
    self.revokeURL = revokeURL
    self.registerURL = registerURL
    self.scopes = scopes
    self.hasCodeChallenge = hasCodeChallenge
  }
}

/// This program as registered at a server.
public struct RegisteredApp: Hashable, Sendable {
  /// Its id there. Not secret: it is part of the address that the user opens.
  public var clientID: String
  /// The secret that proves its identity.
  public var clientSecret: Secret

  /// An app with this id and secret.
  public init(clientID: String, clientSecret: Secret) {
    self.clientID = clientID
    self.clientSecret = clientSecret
  }
}

/// Why a server refuses a step of signing in (RFC 6749, section 5.2).
public struct SignInRefusal: Hashable, Sendable {
  /// `invalid_grant`, `invalid_client`, …
  public var code: String
  /// The server's explanation, one safe line; may be empty.
  public var message: String

  /// A refusal.
  public init(code: String, message: String = "") {
    self.code = code
    self.message = message
  }
}
