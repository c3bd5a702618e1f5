public import QwinkleModel

/// A server's sign-in metadata: RFC 8414, `/.well-known/oauth-authorization-server`. A value is nil if the server
/// doesn't specify it.
public struct SignInOffer: Hashable, Sendable {
  /// The page on which the user authorizes a program.
  public var authorizeURL: String?
  /// The endpoint that exchanges a code for a token.
  public var tokenURL: String?
  /// The endpoint that revokes a token.
  public var revokeURL: String?
  /// The endpoint that registers a program. An extension by Mastodon.
  public var registerURL: String?
  /// The scopes that a program is allowed to request, or nil if the server doesn't list them.
  public var scopes: [String]?
  /// Whether a code can be bound to the program that requested it (PKCE with SHA-256, RFC 7636).
  public var hasCodeChallenge = false
}

/// This program's registration at a server.
public struct RegisteredApp: Hashable, Sendable {
  /// The program's ID at the server. Not secret: it is part of the address that the user opens.
  public var clientID: String
  /// The secret that proves the program's identity.
  public var clientSecret: Secret

  /// Creates a registered app.
  public init(clientID: String, clientSecret: Secret) {
    self.clientID = clientID
    self.clientSecret = clientSecret
  }
}

/// A server's reason for refusing a sign-in step (RFC 6749, section 5.2).
public struct SignInRefusal: Hashable, Sendable {
  /// The OAuth error code, such as `invalid_grant` or `invalid_client`.
  public var code: String
  /// The server's explanation as one sanitized line. May be empty.
  public var message = ""
}
