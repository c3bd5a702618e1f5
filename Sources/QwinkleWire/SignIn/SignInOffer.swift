public import QwinkleModel

/// What a server says of how one signs in there: RFC 8414, `/.well-known/oauth-authorization-server`.
public struct SignInOffer: Hashable, Sendable {
  /// Where a person allows a program in.
  public var authorizeURL: String?
  /// Where a code is given for a token.
  public var tokenURL: String?
  /// Where a token is given up.
  public var revokeURL: String?
  /// Where a program registers itself; Mastodon's own addition.
  public var registerURL: String?
  /// What a program may ask for; nil where the server does not say.
  public var scopes: [String]?
  /// Whether codes can be tied to who asked for them (PKCE with SHA-256, RFC 7636).
  public var hasCodeChallenge: Bool

  /// An offer; what is left out was not said.
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

/// What a server calls this program, once it has registered itself.
public struct RegisteredApp: Hashable, Sendable {
  /// Its name there. No secret: it stands in the address that a person opens.
  public var clientID: String
  /// What it proves to be itself with.
  public var clientSecret: Secret

  /// An app of that name.
  public init(clientID: String, clientSecret: Secret) {
    self.clientID = clientID
    self.clientSecret = clientSecret
  }
}

/// Why a server refuses a step of signing in, in the words of RFC 6749, section 5.2.
public struct SignInRefusal: Hashable, Sendable {
  /// `invalid_grant`, `invalid_client`, …
  public var code: String
  /// What the server says of it, one safe line; may be empty.
  public var message: String

  /// A refusal.
  public init(code: String, message: String = "") {
    self.code = code
    self.message = message
  }
}
