import Hashing

/// A short hash of a token. It names the folder of an account that the user specified only by a token.
enum TokenFingerprint {
  static func of(_ token: String) -> String {
    let digest = SHA256.digest(of: Array("qwinkle account folder:\(token)".utf8))
    return digest.prefix(6).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}
