import CSodium

/// Derives keys from passwords. The derivation is deliberately slow, which makes guessing expensive. Both functions
/// block the calling thread until they return.
public enum PasswordKey {
  /// Length of the Argon2id salt in bytes.
  public static let saltBytes = 16

  /// Derives a key with Argon2id 1.3 (RFC 9106) and one lane.
  ///
  /// - Parameter salt: ``saltBytes`` long.
  /// - Parameter kibibytes: Memory to use, in KiB. At least 8.
  /// - Parameter byteCount: Length of the key in bytes. At least 16.
  /// - Returns: The key, or nil if memory is insufficient or an argument is out of range.
  public static func argon2id(
    of password: [UInt8], salt: [UInt8], kibibytes: Int, passes: Int, byteCount: Int
  ) -> [UInt8]? {
    guard salt.count == saltBytes, kibibytes > 0, passes > 0 else { return nil }
    return key(byteCount) { qw_argon2id(password, password.count, salt, kibibytes, passes, $0, byteCount) }
  }

  /// Derives a key with scrypt (RFC 7914). Uses 128 × `blockSize` × 2 ^ `logRounds` bytes of memory. Returns nil if
  /// memory is insufficient or an argument is out of range.
  public static func scrypt(
    of password: [UInt8], salt: [UInt8], logRounds: Int, blockSize: Int, parallelism: Int, byteCount: Int
  ) -> [UInt8]? {
    guard let logRounds = UInt32(exactly: logRounds), let blockSize = UInt32(exactly: blockSize),
      let parallelism = UInt32(exactly: parallelism)
    else { return nil }
    return key(byteCount) {
      qw_scrypt(
        password, password.count, salt, salt.count, logRounds, blockSize, parallelism, $0, byteCount)
    }
  }

  private static func key(_ byteCount: Int, _ derive: (UnsafeMutablePointer<UInt8>?) -> Bool) -> [UInt8]? {
    var succeeded = false
    let key = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
      succeeded = derive(buffer.baseAddress)
      count = succeeded ? byteCount : 0
    }
    return succeeded ? key : nil
  }
}
