import CSodium

/// Keys derived from passwords, at a cost that makes guessing expensive. Both functions block the thread.
public enum PasswordKey {
  /// Length of the salt for Argon2id, in bytes.
  public static let saltBytes = 16

  /// Returns a key by Argon2id 1.3 (RFC 9106) with one lane; nil if memory is short or a parameter is out of range.
  ///
  /// - Parameters:
  ///   - salt: ``saltBytes`` long.
  ///   - kibibytes: Memory, at least 8.
  ///   - byteCount: Length of the key, at least 16.
  public static func argon2id(
    of password: [UInt8], salt: [UInt8], kibibytes: Int, passes: Int, byteCount: Int
  ) -> [UInt8]? {
    guard salt.count == saltBytes, kibibytes > 0, passes > 0 else { return nil }
    return key(byteCount) { qw_argon2id(password, password.count, salt, kibibytes, passes, $0, byteCount) }
  }

  /// Returns a key by scrypt (RFC 7914); nil if memory is short or a parameter is out of range. It takes
  /// 128 × `blockSize` × 2 ^ `logRounds` bytes of memory.
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
