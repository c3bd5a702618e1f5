public import QwinkleModel

// Secrets and client IDs are not sanitized. Instead, a value that can't be sent in a header or a form is rejected.
extension WireDecoder {
  /// Decodes a server's sign-in metadata.
  public static func signInOffer(from body: [UInt8]) throws(WireError) -> SignInOffer {
    try BodyReader(body).single(SignInOfferEntity.self)
  }

  /// Decodes the response to POST apps.
  public static func registeredApp(from body: [UInt8]) throws(WireError) -> RegisteredApp {
    try BodyReader(body).single(RegisteredAppEntity.self)
  }

  /// Decodes the response to POST oauth/token: a bearer token.
  public static func token(from body: [UInt8]) throws(WireError) -> Secret {
    try BodyReader(body).single(TokenEntity.self)
  }

  /// Decodes the reason for refusing a sign-in step. Returns nil if the body isn't an OAuth error.
  public static func signInRefusal(from body: [UInt8]) -> SignInRefusal? {
    try? BodyReader(body).single(SignInRefusalEntity.self)
  }
}
