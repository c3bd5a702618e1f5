import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

@Suite(.bounded) struct PasswordHashTests {
  @Test func `a hash matches its password and no other`() throws {
    let hash = try #require(PasswordHash(of: "Pässwort 🐎", cost: .quick))
    let kept = try #require(PasswordHash(stored: hash.stored))
    // Precomposed and decomposed characters form the same password.
    for same in ["Pässwort 🐎", "Pa\u{308}sswort 🐎"] { #expect(kept.matches(same)) }
    for other in ["Passwort 🐎", "pässwort 🐎", "Pässwort 🐎 ", "", "Pässwort"] { #expect(!kept.matches(other)) }
  }

  @Test func `each hash of a password has a new salt and records its cost`() throws {
    let first = try #require(PasswordHash(of: "password", cost: .quick)).stored
    let second = try #require(PasswordHash(of: "password", cost: .init(kibibytes: 16, passes: 2))).stored
    #expect(first.hasPrefix("$argon2id$v=19$m=8,t=1,p=1$"))
    #expect(second.hasPrefix("$argon2id$v=19$m=16,t=2,p=1$"))
    #expect(PasswordHash(of: "password", cost: .quick)?.stored != first)
    #expect(PasswordHash(stored: second)?.matches("password") == true)
  }

  @Test func `a new hash uses 32 MiB and three passes`() throws {
    let stored = try PasswordVerifier(cost: .init(), Budget(clock: VirtualClock())).hash(of: "password")
    #expect(stored.hasPrefix("$argon2id$v=19$m=32768,t=3,p=1$"))
    #expect(PasswordHash(stored: stored)?.matches("password") == true)
    #expect(PasswordHash(stored: stored)?.matches("passwort") == false)
  }

  /// Created with the reference implementation's `argon2` tool.
  @Test func `Argon2id hashes of other programs match`() throws {
    let stored = "$argon2id$v=19$m=64,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$EQNRrkobsj4Fxls7lJLUs8afQlUsScAxKEZIrThw7iU"
    let hash = try #require(PasswordHash(stored: stored))
    #expect(hash.matches("Pässwort 🐎"))
    #expect(!hash.matches("Passwort 🐎"))
  }

  /// In the format used before Argon2id. Computed with Python's `hashlib.scrypt`.
  @Test func `a stored scrypt hash still matches`() throws {
    let stored = "$scrypt$ln=15,r=8,p=3$AAECAwQFBgcICQoLDA0ODw$QcEhHy2P3OvBVeIQRk6T+y97vjsMMYHphO8KmwvWzus"
    let hash = try #require(PasswordHash(stored: stored))
    #expect(hash.matches("Pa\u{308}sswort 🐎"))
    #expect(!hash.matches("Passwort 🐎"))
  }

  @Test func `a hash of another method or cost is renewed`() async throws {
    let desk = PasswordVerifier(cost: .quick, Budget(clock: VirtualClock()))
    let current = try desk.hash(of: "password")
    #expect(await desk.renewed(current, of: "password", for: .address("")) == nil)
    #expect(await desk.renewed("damaged", of: "password", for: .address("")) == nil)
    let costlier = try PasswordVerifier(cost: .slow, Budget(clock: VirtualClock())).hash(of: "password")
    for old in ["$scrypt$ln=10,r=8,p=16$TmFDbA$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWI", costlier] {
      let renewed = try #require(await desk.renewed(old, of: "password", for: .address("")))
      #expect(renewed.hasPrefix("$argon2id$v=19$m=8,t=1,p=1$"))
      #expect(await desk.check("password", against: renewed, for: .process) == true)
    }
  }

  /// From RFC 7914, section 12: N 1024, r 8, p 16. Only the first 32 bytes are stored here.
  @Test func `the scrypt test vector of the RFC matches`() throws {
    let stored = "$scrypt$ln=10,r=8,p=16$TmFDbA$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWI"
    #expect(try #require(PasswordHash(stored: stored)).matches("password"))
  }

  @Test(arguments: [
    "", "password", "$scrypt$ln=4,r=8,p=3$$", "$scrypt$ln=40,r=8,p=3$AAAA$AAAA", "$scrypt$r=8,ln=4,p=3$AAAA$AAAA",
    "$argon2$ln=4,r=8,p=3$AAAA$AAAA", "$scrypt$ln=4,r=8,p=3$****$****",
    "$scrypt$ln=30,r=8,p=1$TmFDbA$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWI",
    "$scrypt$ln=16,r=8,p=1$TmFDbA$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWI",
    "$argon2id$v=19$m=32769,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$EQNRrkobsj4Fxls7lJLUs8afQlUsScAxKEZIrThw7iU",
    "$argon2id$v=19$m=64,t=17,p=1$MDEyMzQ1Njc4OWFiY2RlZg$EQNRrkobsj4Fxls7lJLUs8afQlUsScAxKEZIrThw7iU",
    "$argon2id$v=19$m=64,t=1,p=2$MDEyMzQ1Njc4OWFiY2RlZg$EQNRrkobsj4Fxls7lJLUs8afQlUsScAxKEZIrThw7iU",
    "$argon2id$v=16$m=64,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$EQNRrkobsj4Fxls7lJLUs8afQlUsScAxKEZIrThw7iU",
    "$argon2id$m=64,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$EQNRrkobsj4Fxls7lJLUs8afQlUsScAxKEZIrThw7iU",
    "$argon2id$v=19$m=64,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg", "$$$$", "$argon2id$",
  ])
  func `a malformed stored hash is rejected`(_ stored: String) {
    #expect(PasswordHash(stored: stored) == nil)
  }

  @Test func `an unknown name takes as long to check as a known one`() async throws {
    let desk = PasswordVerifier(cost: .quick, Budget(clock: VirtualClock()))
    #expect(await desk.check("password", against: nil, for: .process) == false)
    #expect(await desk.check("password", against: "damaged", for: .process) == false)
    let hash = try desk.hash(of: "password")
    #expect(await desk.check("password", against: hash, for: .process) == true)
    #expect(await desk.check(String(repeating: "x", count: 100_000), against: hash, for: .process) == false)
    let clock = ContinuousClock()
    let costly = PasswordVerifier(cost: .init(kibibytes: 1 << 10), Budget(clock: VirtualClock()))
    let known = try costly.hash(of: "password")
    _ = await costly.check("warm", against: nil, for: .process)
    // The shortest of several alternating runs, because a busy machine only adds time.
    var (toKnown, toUnknown) = (Duration.seconds(3600), Duration.seconds(3600))
    for _ in 0..<5 {
      toKnown = min(toKnown, await clock.measure { _ = await costly.check("wrong", against: known, for: .process) })
      toUnknown = min(toUnknown, await clock.measure { _ = await costly.check("wrong", against: nil, for: .process) })
    }
    // Without the dummy hash it would take a thousandth of the time.
    #expect(toUnknown > toKnown / 20)
  }

  @Test func `every name takes as long as a scrypt hash while one exists`() async throws {
    let desk = PasswordVerifier(cost: .quick, Budget(clock: VirtualClock()))
    let scrypt = "$scrypt$ln=15,r=8,p=3$AAECAwQFBgcICQoLDA0ODw$QcEhHy2P3OvBVeIQRk6T+y97vjsMMYHphO8KmwvWzus"
    let current = try desk.hash(of: "password")
    #expect(await desk.check("Pa\u{308}sswort 🐎", against: scrypt, besides: scrypt, for: .process) == true)
    #expect(await desk.check("password", against: current, besides: scrypt, for: .process) == true)
    #expect(await desk.check("wrong", against: current, besides: scrypt, for: .process) == false)
    #expect(await desk.check("password", against: nil, besides: "damaged", for: .process) == false)
    var times: [Duration] = []
    for stored in [scrypt, current, nil] {
      var least = Duration.seconds(3600)
      for _ in 0..<3 {
        least = min(
          least,
          await ContinuousClock().measure {
            _ = await desk.check("wrong", against: stored, besides: scrypt, for: .process)
          })
      }
      times.append(least)
    }
    // The quick hash alone takes a thousandth of scrypt's time.
    #expect(times.allSatisfy { $0 > times[0] / 2 && $0 < times[0] * 2 }, "\(times)")
  }

  @Test func `a client with too many waiting checks is rejected`() async throws {
    let desk = PasswordVerifier(cost: .slow, Budget(clock: VirtualClock()))
    let answers = await withTaskGroup(of: Bool?.self) { group in
      for _ in 0..<40 { group.addTask { await desk.check("x", against: nil, for: .address("a")) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.contains(nil))
    #expect(answers.contains(false))
    #expect(await desk.check("x", against: nil, for: .process) == false)
  }
}
