import FoundationEssentials
import Hashing

/// Binds an authorization code to the program that requested it (PKCE, RFC 7636). The server receives a hash first and
/// the verifier later, so an intercepted code is useless.
struct CodeChallenge: Sendable {
  /// The verifier is sent only together with the code.
  let verifier = RandomWord.make()

  /// Sent to the server first (method S256).
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
