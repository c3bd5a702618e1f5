/// Unpredictable bytes for keys, salts and tokens.
public enum RandomBytes {
  /// Returns `count` bytes of the system's cryptographic generator.
  public static func make(_ count: Int) -> [UInt8] {
    // Reads the kernel's generator as libsodium would, without libsodium's initialization.
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in generator.next() }
  }
}
