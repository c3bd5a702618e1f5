import Hashing

/// Binds an authorization code to the program that requested it (PKCE, RFC 7636). The program first sends only a hash
/// of a random verifier, and later sends the verifier together with the code. An attacker who intercepts the code
/// doesn't have the verifier, so the code is useless to them.
struct CodeChallenge: Sendable {
  /// The random secret, sent only together with the code.
  let verifier = RandomWord.make()

  /// Hash of ``verifier`` (method S256), sent with the request for a code.
  var challenge: String {
    SHA256.digest(of: Array(verifier.utf8)).base64URL
  }
}

enum RandomWord {
  /// Returns 256 random bits in 43 characters that need no escaping in a URL.
  static func make() -> String {
    RandomBytes.make(32).base64URL
  }
}
