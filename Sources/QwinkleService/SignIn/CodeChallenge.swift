import FoundationEssentials
import Hashing

/// Binds a code to the program that requested it (PKCE, RFC 7636): the server gets a hash first and the word behind it
/// later, so that a code is useless to anybody else who has seen it.
struct CodeChallenge: Sendable {
  /// The word. It leaves this machine only together with the code.
  let verifier = RandomWord.make()

  /// The hash, which the server gets first (method S256).
  var challenge: String {
    RandomWord.base64URL(SHA256.digest(of: Array(verifier.utf8)))
  }
}

/// Unguessable words.
enum RandomWord {
  /// 256 bits of the system's randomness, in 43 characters that need no escape in a URL.
  static func make() -> String {
    base64URL(RandomBytes.make(32))
  }

  /// RFC 4648, section 5, without padding.
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
