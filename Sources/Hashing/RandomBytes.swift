/// Cryptographically secure random bytes for keys, salts and tokens.
public enum RandomBytes {
  /// Returns `count` bytes from the system's cryptographic generator.
  public static func make(_ count: Int) -> [UInt8] {
    // Like libsodium, this generator reads the kernel's random source, but it works before libsodium is initialized.
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in generator.next() }
  }
}
