import Hashing

/// Tokens and other random secrets. Only their hashes are stored.
enum Secrets {
  /// Returns 256 random bits in hexadecimal.
  static func make() -> String {
    RandomBytes.make(32).hexadecimal
  }

  /// Returns whether a text has the format of ``make()``'s results.
  static func isOne(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Returns the secret's SHA-256 in hexadecimal, to be stored instead of the secret. 256 random bits need no salt.
  static func hash(_ secret: String) -> String {
    SHA256.hexDigest(of: Array(secret.utf8))
  }
}
