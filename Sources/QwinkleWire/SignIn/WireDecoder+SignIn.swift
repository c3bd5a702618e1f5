public import QwinkleModel

// Secrets and the names of apps are taken as they are: what could not stand in a header or a form is none.
extension WireDecoder {
  /// How one signs in at a server.
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

  /// Why a step of signing in was refused; nil where the body does not say it in OAuth's way.
  public static func signInRefusal(from body: [UInt8]) -> SignInRefusal? {
    try? BodyReader(body).single(SignInRefusalEntity.self)
  }
}
