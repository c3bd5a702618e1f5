public import QwinkleModel

// Secrets and client IDs are not sanitized. Instead, a value that can't be sent in a header or a form is rejected.
extension WireDecoder {
  /// Decodes a server's sign-in metadata.
  public static func signInOffer(from body: [UInt8]) throws(WireError) -> SignInOffer {
    try SignInOfferEntity.single(body)
  }

  /// Decodes the response to POST apps.
  public static func registeredApp(from body: [UInt8]) throws(WireError) -> RegisteredApp {
    try RegisteredAppEntity.single(body)
  }

  /// Decodes the response to POST oauth/token: a bearer token.
  public static func token(from body: [UInt8]) throws(WireError) -> Secret { try TokenEntity.single(body) }

  /// Decodes the reason for refusing a sign-in step. Returns nil if the body isn't an OAuth error.
  public static func signInRefusal(from body: [UInt8]) -> SignInRefusal? { try? SignInRefusalEntity.single(body) }
}
