import CSodium

/// SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104).
public enum SHA256 {
  private static let byteCount = 32

  /// Returns the 32-byte digest of `bytes`.
  public static func digest(of bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: byteCount) { digest, count in
      qw_sha256(bytes, bytes.count, digest.baseAddress)
      count = byteCount
    }
  }

  /// Returns the digest of `bytes` as 64 hexadecimal digits.
  public static func hexDigest(of bytes: [UInt8]) -> String { digest(of: bytes).hexadecimal }

  /// Returns the 32-byte HMAC of `bytes`. To check a received code, compare the two with
  /// ``ConstantTime/areEqual(_:_:)``, not with `==`.
  public static func authenticationCode(for bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: byteCount) { code, count in
      qw_hmac_sha256(bytes, bytes.count, key, key.count, code.baseAddress)
      count = byteCount
    }
  }
}
