/// Cryptographically secure random bytes for keys, salts and tokens.
public enum RandomBytes {
  /// Returns `count` bytes from the system's cryptographic generator.
  public static func make(_ count: Int) -> [UInt8] {
    // Uses the kernel's generator like libsodium, but without initializing libsodium.
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in generator.next() }
  }
}
