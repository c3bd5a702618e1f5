import Hashing
import Testing

/// Expected values are published, or computed by Python's hashlib and the reference `argon2`.
@Suite struct HashingTests {
  private func hexadecimal(_ bytes: [UInt8]?) -> String? {
    bytes?.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      String(repeating: "a", count: 1000),
      "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
    ),
  ])
  func `SHA-256 matches published digests`(_ text: String, _ digest: String) {
    #expect(hexadecimal(SHA256.digest(of: Array(text.utf8))) == digest)
    #expect(SHA256.hexDigest(of: Array(text.utf8)) == digest)
  }

  /// From RFC 4231, sections 4.3 and 4.7.
  @Test(arguments: [
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func `HMAC-SHA-256 matches published codes`(_ key: [UInt8], _ text: String, _ code: String) {
    #expect(hexadecimal(SHA256.authenticationCode(for: Array(text.utf8), key: key)) == code)
  }

  @Test func `secrets are equal only if all bytes are equal`() {
    #expect(ConstantTime.areEqual([1, 2, 3], [1, 2, 3]))
    #expect(ConstantTime.areEqual([], []))
    for other: [UInt8] in [[1, 2, 4], [0, 2, 3], [1, 2], [1, 2, 3, 0], []] {
      #expect(!ConstantTime.areEqual([1, 2, 3], other))
    }
  }

  @Test func `random bytes have the requested length and differ`() {
    #expect(RandomBytes.make(0).isEmpty)
    #expect(RandomBytes.make(13).count == 13)
    #expect(Set((0..<100).map { _ in RandomBytes.make(16) }).count == 100)
  }

  @Test func `Argon2id matches the reference implementation`() {
    let small = PasswordKey.argon2id(
      of: Array("password".utf8), salt: Array("saltsaltsaltsalt".utf8), kibibytes: 64, passes: 2, byteCount: 32)
    #expect(hexadecimal(small) == "8ba3fa702bd2c08fc6a7830ede5f30be3a1751ed492f31cd7d76a0a480725b5a")
    let large = PasswordKey.argon2id(
      of: Array("P\u{E4}sswort 🐎".utf8), salt: Array("0123456789abcdef".utf8), kibibytes: 32 << 10, passes: 3,
      byteCount: 32)
    #expect(hexadecimal(large) == "f9c21060e9d48230570baecad042604ec3171ae0e92733b3660566f280f8d404")
  }

  /// From RFC 7914, section 12: the first 32 of 64 bytes.
  @Test func `scrypt matches a published key`() {
    let key = PasswordKey.scrypt(
      of: Array("password".utf8), salt: Array("NaCl".utf8), logRounds: 10, blockSize: 8, parallelism: 16,
      byteCount: 32)
    #expect(hexadecimal(key) == "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162")
  }

  @Test func `an empty password has a key`() {
    let salt = [UInt8](repeating: 7, count: 16)
    #expect(PasswordKey.argon2id(of: [], salt: salt, kibibytes: 8, passes: 1, byteCount: 32)?.count == 32)
    #expect(
      PasswordKey.scrypt(of: [], salt: salt, logRounds: 4, blockSize: 8, parallelism: 1, byteCount: 32)?.count == 32)
  }

  @Test(arguments: [(16, 7, 1), (16, 8, 0), (15, 8, 1), (17, 8, 1), (16, -8, 1), (16, 8, -1), (16, .max, 1)])
  func `Argon2id rejects out-of-range parameters`(_ saltBytes: Int, _ kibibytes: Int, _ passes: Int) {
    let salt = [UInt8](repeating: 7, count: saltBytes)
    #expect(PasswordKey.argon2id(of: [1], salt: salt, kibibytes: kibibytes, passes: passes, byteCount: 32) == nil)
  }

  @Test(arguments: [(0, 8, 1), (64, 8, 1), (-1, 8, 1), (4, -8, 1), (4, 8, -1), (4, 0, 1), (4, 8, 0)])
  func `scrypt rejects out-of-range parameters`(_ logRounds: Int, _ blockSize: Int, _ parallelism: Int) {
    #expect(
      PasswordKey.scrypt(
        of: [1], salt: [2], logRounds: logRounds, blockSize: blockSize, parallelism: parallelism, byteCount: 32) == nil)
  }

  @Test func `concurrent first derivations return the same key`() async {
    let salt = [UInt8](repeating: 7, count: 16)
    await withTaskGroup(of: [UInt8]?.self) { group in
      for _ in 0..<16 {
        group.addTask { PasswordKey.argon2id(of: [1], salt: salt, kibibytes: 64, passes: 1, byteCount: 32) }
      }
      let keys = await group.reduce(into: Set<[UInt8]?>()) { $0.insert($1) }
      #expect(keys.count == 1 && !keys.contains(nil))
    }
  }
}
