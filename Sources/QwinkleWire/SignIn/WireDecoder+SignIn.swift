public import QwinkleModel

// Secrets and client ids are not cleaned: one that couldn't be sent in a header or a form is refused.
extension WireDecoder {
  /// How to sign in at a server.
  public static func signInOffer(from body: [UInt8]) throws(WireError) -> SignInOffer {
    try BodyReader(body).single(SignInOfferEntity.self)
  }

  /// The answer to POST apps.
  public static func registeredApp(from body: [UInt8]) throws(WireError) -> RegisteredApp {
    try BodyReader(body).single(RegisteredAppEntity.self)
  }

  /// The answer to POST oauth/token: a bearer token.
  public static func token(from body: [UInt8]) throws(WireError) -> Secret {
    try BodyReader(body).single(TokenEntity.self)
  }

  /// Why a step of signing in was refused; nil if the body is no OAuth error.
  public static func signInRefusal(from body: [UInt8]) -> SignInRefusal? {
    try? BodyReader(body).single(SignInRefusalEntity.self)
  }
}
