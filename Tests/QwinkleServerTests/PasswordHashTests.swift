import Testing

@testable import QwinkleServer

@Suite struct PasswordHashTests {
  private let quick = PasswordHash.Cost(logRounds: 4)

  @Test func `a password is known again, another one is not`() throws {
    let hash = try PasswordHash(of: "Pässwort 🐎", cost: quick)
    let kept = try #require(PasswordHash(stored: hash.stored))
    // Precomposed or decomposed, it is the same password.
    for same in ["Pässwort 🐎", "Pa\u{308}sswort 🐎"] { #expect(kept.matches(same)) }
    for other in ["Passwort 🐎", "pässwort 🐎", "Pässwort 🐎 ", "", "Pässwort"] { #expect(!kept.matches(other)) }
  }

  @Test func `the same password is kept as something else each time, with what it cost`() throws {
    let first = try PasswordHash(of: "password", cost: quick).stored
    let second = try PasswordHash(of: "password", cost: PasswordHash.Cost(logRounds: 5, blockSize: 4, parallelism: 2))
      .stored
    #expect(first.hasPrefix("$scrypt$ln=4,r=8,p=3$"))
    #expect(second.hasPrefix("$scrypt$ln=5,r=4,p=2$"))
    #expect(try PasswordHash(of: "password", cost: quick).stored != first)
    #expect(PasswordHash(stored: second)?.matches("password") == true)
  }

  /// From RFC 7914, section 12: N 1024, r 8, p 16. Only the first 32 bytes are stored here.
  @Test func `the key is scrypt's`() throws {
    let stored = "$scrypt$ln=10,r=8,p=16$TmFDbA$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWI"
    #expect(try #require(PasswordHash(stored: stored)).matches("password"))
  }

  @Test(arguments: [
    "", "password", "$scrypt$ln=4,r=8,p=3$$", "$scrypt$ln=40,r=8,p=3$AAAA$AAAA", "$scrypt$r=8,ln=4,p=3$AAAA$AAAA",
    "$argon2$ln=4,r=8,p=3$AAAA$AAAA", "$scrypt$ln=4,r=8,p=3$****$****",
    "$scrypt$ln=30,r=8,p=1$TmFDbA$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWI",
  ])
  func `what is damaged in the file is no password`(_ stored: String) {
    #expect(PasswordHash(stored: stored) == nil)
  }

  @Test func `an unknown name costs what a known one costs`() async throws {
    let desk = PasswordDesk(cost: quick)
    #expect(await desk.check("password", against: nil) == false)
    #expect(await desk.check("password", against: "damaged") == false)
    let hash = try desk.hash(of: "password")
    #expect(await desk.check("password", against: hash) == true)
    #expect(await desk.check(String(repeating: "x", count: 100_000), against: hash) == false)
    let clock = ContinuousClock()
    let costly = PasswordDesk(cost: PasswordHash.Cost(logRounds: 10))
    let known = try costly.hash(of: "password")
    _ = await costly.check("warm", against: nil)
    // The shortest of several in turns, as a busy machine makes any of them longer.
    var (toKnown, toUnknown) = (Duration.seconds(3600), Duration.seconds(3600))
    for _ in 0..<5 {
      toKnown = min(toKnown, await clock.measure { _ = await costly.check("wrong", against: known) })
      toUnknown = min(toUnknown, await clock.measure { _ = await costly.check("wrong", against: nil) })
    }
    // Without the work it would take a thousandth.
    #expect(toUnknown > toKnown / 20)
  }

  @Test func `more at once than a queue's length are turned away`() async throws {
    let desk = PasswordDesk(cost: PasswordHash.Cost(logRounds: 12))
    let answers = await withTaskGroup(of: Bool?.self) { group in
      for _ in 0..<40 { group.addTask { await desk.check("x", against: nil) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.contains(nil))
    #expect(answers.contains(false))
    #expect(await desk.check("x", against: nil) == false)
  }
}
