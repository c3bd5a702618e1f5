import Crypto
import CryptoExtras
import Foundation

/// A stored password: scrypt's key (RFC 7914), and the salt and cost it was made with.
struct PasswordHash: Sendable {
  /// The cost of a guess.
  struct Cost: Hashable, Sendable {
    /// Base-2 logarithm of the rounds. With the block size it determines the memory, 32 MiB by default.
    var logRounds = 15
    var blockSize = 8
    var parallelism = 3

    /// Whether a stored hash may have this cost: a damaged row must not take all memory.
    fileprivate var isBearable: Bool {
      (1...20).contains(logRounds) && (1...32).contains(blockSize) && (1...16).contains(parallelism)
    }
  }

  private static let saltBytes = 16
  private static let keyBytes = 32

  private let cost: Cost
  private let salt: [UInt8]
  private let key: SymmetricKey

  /// Hashes a password with a new salt. Takes a noticeable fraction of a second.
  init(of password: String, cost: Cost) throws {
    let salt = SymmetricKey(size: .init(bitCount: Self.saltBytes * 8)).withUnsafeBytes { Array($0) }
    self.cost = cost
    self.salt = salt
    key = try Self.key(of: password, salt: salt, cost: cost)
  }

  /// Reads what ``stored`` wrote; nil for anything else.
  init?(stored text: String) {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt", let cost = Self.cost(in: parts[2]),
      let salt = Self.bytes(in: parts[3]), let key = Self.bytes(in: parts[4]), key.count == Self.keyBytes
    else { return nil }
    self.cost = cost
    self.salt = salt
    self.key = SymmetricKey(data: key)
  }

  /// The text for the file, in the usual format: `$scrypt$ln=15,r=8,p=3$SALT$KEY`.
  var stored: String {
    let (salt, key) = (Self.text(of: salt), Self.text(of: key.withUnsafeBytes { Array($0) }))
    return "$scrypt$ln=\(cost.logRounds),r=\(cost.blockSize),p=\(cost.parallelism)$\(salt)$\(key)"
  }

  /// Whether this is the password. Takes the same time either way.
  func matches(_ password: String) -> Bool {
    guard let other = try? Self.key(of: password, salt: salt, cost: cost) else { return false }
    // Compares in constant time.
    return other == key
  }

  /// Normalizes the password: terminals and browsers compose accents differently, but the same password needs the same
  /// bytes (RFC 8265).
  private static func key(of password: String, salt: [UInt8], cost: Cost) throws -> SymmetricKey {
    try KDF.Scrypt.deriveKey(
      from: Array(password.precomposedStringWithCanonicalMapping.utf8), salt: salt, outputByteCount: keyBytes,
      rounds: 1 << cost.logRounds, blockSize: cost.blockSize, parallelism: cost.parallelism)
  }

  private static func cost(in text: Substring) -> Cost? {
    let values = text.split(separator: ",").map { $0.split(separator: "=", maxSplits: 1) }
    guard values.count == 3, values.allSatisfy({ $0.count == 2 }), values.map({ $0[0] }) == ["ln", "r", "p"],
      let logRounds = Int(values[0][1]), let blockSize = Int(values[1][1]), let parallelism = Int(values[2][1])
    else { return nil }
    let cost = Cost(logRounds: logRounds, blockSize: blockSize, parallelism: parallelism)
    return cost.isBearable ? cost : nil
  }

  private static func text(of bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("=", with: "")
  }

  private static func bytes(in text: Substring) -> [UInt8]? {
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    return Data(base64Encoded: text + padding).map(Array.init)
  }
}

/// Which passwords are allowed.
enum PasswordRule {
  static let fewestCharacters = 8
  /// In UTF-8.
  static let mostBytes = 1024

  /// - Throws: ``ServiceError/badPassword(_:)``.
  static func check(_ password: String) throws(ServiceError) {
    if password.count < fewestCharacters { throw .badPassword("too short") }
    if password.utf8.count > mostBytes { throw .badPassword("too long") }
    if password.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { throw .badPassword("contains control characters") }
  }
}
