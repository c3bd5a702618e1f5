import FoundationEssentials
import Hashing

/// Binds an authorization code to the program that requested it (PKCE, RFC 7636). The program first sends only a hash
/// of a random verifier, and later sends the verifier together with the code. An attacker who intercepts the code
/// doesn't have the verifier, so the code is useless to them.
struct CodeChallenge: Sendable {
  /// The random secret, sent only together with the code.
  let verifier = RandomWord.make()

  /// Hash of ``verifier`` (method S256), sent with the request for a code.
  var challenge: String {
    RandomWord.base64URL(SHA256.digest(of: Array(verifier.utf8)))
  }
}

enum RandomWord {
  /// Returns 256 random bits in 43 characters that need no escaping in a URL.
  static func make() -> String {
    base64URL(RandomBytes.make(32))
  }

  /// Encodes bytes in unpadded Base64url (RFC 4648, section 5).
  static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
    let replaced = Data(bytes).base64EncodedString().compactMap { character -> Character? in
      switch character {
      case "+": "-"
      case "/": "_"
      case "=": nil
      default: character
      }
    }
    return String(replaced)
  }
}
