import Foundation
import Hashing

/// A stored password: a derived key with its salt and cost. New hashes use Argon2id. Databases of older versions may
/// contain scrypt hashes.
struct PasswordHash: Sendable {
  /// The cost of computing an Argon2id hash, and thus of each guess.
  struct Cost: Hashable, Sendable {
    var kibibytes = 32 << 10
    var passes = 3
  }

  private enum Method: Hashable {
    case argon2id(Cost)
    case scrypt(logRounds: Int, blockSize: Int, parallelism: Int)

    /// Maximum memory for checking a stored hash. No version has created hashes that need more.
    private static let mostKibibytes = 32 << 10

    /// Parses the method of a stored hash. Returns nil for unknown methods and for excessive costs, so that a corrupt
    /// row can't exhaust the memory.
    init?(_ parts: [Substring]) {
      switch (parts.first, parts.count) {
      case ("argon2id", 3):
        guard parts[1] == "v=19", let numbers = Self.numbers(in: parts[2], named: ["m", "t", "p"]),
          (8...Self.mostKibibytes).contains(numbers[0]), (1...16).contains(numbers[1]), numbers[2] == 1
        else { return nil }
        self = .argon2id(Cost(kibibytes: numbers[0], passes: numbers[1]))
      case ("scrypt", 2):
        guard let numbers = Self.numbers(in: parts[1], named: ["ln", "r", "p"]), (1...20).contains(numbers[0]),
          (1...32).contains(numbers[1]), (1...16).contains(numbers[2]),
          // A scrypt block has 128 bytes per unit of block size.
          numbers[1] << numbers[0] <= Self.mostKibibytes * 1024 / 128
        else { return nil }
        self = .scrypt(logRounds: numbers[0], blockSize: numbers[1], parallelism: numbers[2])
      default: return nil
      }
    }

    /// Returns the numbers in a text such as `m=1,t=2`, or nil if its names differ from `names`.
    private static func numbers(in text: Substring, named names: [Substring]) -> [Int]? {
      let pairs = text.split(separator: ",").map { $0.split(separator: "=", maxSplits: 1) }
      guard pairs.allSatisfy({ $0.count == 2 }), pairs.map({ $0[0] }) == names else { return nil }
      let numbers = pairs.compactMap { Int($0[1]) }
      return numbers.count == names.count ? numbers : nil
    }
  }

  private static let keyBytes = 32

  /// The text to store, in PHC string format: `$argon2id$v=19$m=32768,t=3,p=1$SALT$KEY` or
  /// `$scrypt$ln=15,r=8,p=3$SALT$KEY`.
  let stored: String
  private let method: Method
  private let salt: [UInt8]
  private let key: [UInt8]

  /// Hashes a password with a new salt. Blocks for about 70 ms. Returns nil if memory is short.
  init?(of password: String, cost: Cost) {
    method = .argon2id(cost)
    salt = RandomBytes.make(PasswordKey.saltBytes)
    guard let key = Self.key(of: password, method, salt) else { return nil }
    self.key = key
    let numbers = "m=\(cost.kibibytes),t=\(cost.passes),p=1"
    stored = "$argon2id$v=19$\(numbers)$\(Self.text(of: salt))$\(Self.text(of: key))"
  }

  /// Parses a text in the format of ``stored``. Returns nil for any other text.
  init?(stored text: String) {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count > 3, parts[0].isEmpty, let method = Method(Array(parts[1..<(parts.count - 2)])),
      let salt = Self.bytes(in: parts[parts.count - 2]), let key = Self.bytes(in: parts[parts.count - 1]),
      key.count == Self.keyBytes
    else { return nil }
    stored = text
    self.method = method
    self.salt = salt
    self.key = key
  }

  /// Returns whether the password is correct, in constant time.
  func matches(_ password: String) -> Bool {
    guard let other = Self.key(of: password, method, salt) else { return false }
    return ConstantTime.areEqual(other, key)
  }

  /// Returns whether a new hash would use another method or cost.
  func isOutdated(for cost: Cost) -> Bool { method != .argon2id(cost) }

  /// Derives the key, or returns nil if that fails. Normalizes the password first: terminals and browsers compose
  /// accents differently, but the same password must result in the same bytes (RFC 8265).
  private static func key(of password: String, _ method: Method, _ salt: [UInt8]) -> [UInt8]? {
    let password = Array(password.precomposedStringWithCanonicalMapping.utf8)
    return switch method {
    case .argon2id(let cost):
      PasswordKey.argon2id(
        of: password, salt: salt, kibibytes: cost.kibibytes, passes: cost.passes, byteCount: keyBytes)
    case .scrypt(let logRounds, let blockSize, let parallelism):
      PasswordKey.scrypt(
        of: password, salt: salt, logRounds: logRounds, blockSize: blockSize, parallelism: parallelism,
        byteCount: keyBytes)
    }
  }

  private static func text(of bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("=", with: "")
  }

  private static func bytes(in text: Substring) -> [UInt8]? {
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    return Data(base64Encoded: text + padding).map(Array.init)
  }
}

/// The requirements for passwords.
enum PasswordRule {
  static let fewestCharacters = 8
  /// In UTF-8 bytes.
  static let mostBytes = 1024

  /// - Throws: ``ServiceError/badPassword(_:)``.
  static func check(_ password: String) throws(ServiceError) {
    if password.count < fewestCharacters { throw .badPassword("too short") }
    if password.utf8.count > mostBytes { throw .badPassword("too long") }
    if password.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { throw .badPassword("contains control characters") }
  }
}
