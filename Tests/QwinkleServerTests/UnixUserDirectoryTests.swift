import Dispatch
import LibC
import QwinkleTesting
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// A user database in which some lookups don't return until they are released.
private final class SlowUsers: Sendable {
  private struct State {
    var names: [uid_t: String] = [:]
    var isFailing = false
    var running = 0
    var mostRunning = 0
    var lookups = 0
  }

  private let state = Mutex(State())
  private let released = DispatchSemaphore(value: 0)
  /// Lookups of uids from this one on are slow.
  private let firstSlow: uid_t

  init(_ names: [uid_t: String] = [:], slowFrom firstSlow: uid_t = 100_000) {
    self.firstSlow = firstSlow
    state.withLock { $0.names = names }
  }

  var running: Int { state.withLock { $0.running } }
  var mostRunning: Int { state.withLock { $0.mostRunning } }
  var lookups: Int { state.withLock { $0.lookups } }

  func setFailing(_ isFailing: Bool) { state.withLock { $0.isFailing = isFailing } }

  func release(_ count: Int) { for _ in 0..<count { released.signal() } }

  func find(_ query: UnixUser.Query) -> UnixUser.Lookup {
    guard case .uid(let uid) = query else { return .absent }
    state.withLock { state in
      state.lookups += 1
      state.running += 1
      state.mostRunning = max(state.mostRunning, state.running)
    }
    if uid >= firstSlow { released.wait() }
    return state.withLock { state in
      state.running -= 1
      if state.isFailing { return .failed }
      return state.names[uid].map { .found(UnixUser(name: $0)) } ?? .absent
    }
  }
}

extension UnixUser.Lookup {
  fileprivate var word: String {
    switch self {
    case .found(let user): user.name
    case .absent: "absent"
    case .failed: "failed"
    }
  }
}

/// Lookups in the host's user database.
@Suite(.bounded) struct UnixUserDirectoryTests {
  @Test func `any number of slow lookups occupy four threads`() async throws {
    let users = SlowUsers()
    let directory = UnixUserDirectory(clock: VirtualClock(), find: users.find)
    let count = 200
    try await withThrowingTaskGroup(of: String.self) { group in
      defer { users.release(count) }
      for uid in 0..<count { group.addTask { await directory.user(.uid(100_000 + uid_t(uid))).word } }
      try await wait(for: "the first lookups") { users.running == UnixUserDirectory.mostLookups }
      users.release(count)
      var words: Set<String> = []
      for try await word in group { words.insert(word) }
      #expect(words == ["absent"])
    }
    #expect(users.lookups == count)
    #expect(users.mostRunning == UnixUserDirectory.mostLookups)
  }

  @Test func `a user who was found before isn't delayed by slow lookups of other uids`() async throws {
    let users = SlowUsers([1001: "anna"])
    let clock = VirtualClock()
    let directory = UnixUserDirectory(clock: clock, find: users.find)
    let count = 3 * UnixUserDirectory.mostLookups
    #expect(await directory.user(.uid(1001)).word == "anna")
    await clock.advance(by: UnixUserDirectory.longest)
    #expect(directory.cached(.uid(1001))?.word == nil && directory.hasFound(.uid(1001)))
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { users.release(count) }
      for uid in 0..<count { group.addTask { _ = await directory.user(.uid(100_000 + uid_t(uid))) } }
      try await wait(for: "the first lookups") { users.running == UnixUserDirectory.mostLookups }
      #expect(await directory.user(.uid(1001)).word == "anna")
      users.release(count)
      try await group.waitForAll()
    }
  }

  @Test func `a slow lookup of a user doesn't delay lookups of other users`() async throws {
    let others = Array(1001...uid_t(1000 + 3 * UnixUserDirectory.mostLookups))
    let users = SlowUsers(Dictionary(uniqueKeysWithValues: (others + [100_000]).map { ($0, "user\($0)") }))
    let clock = VirtualClock()
    let directory = UnixUserDirectory(clock: clock, find: users.find)
    users.release(1)
    for uid in others + [100_000] { #expect(await directory.user(.uid(uid)).word == "user\(uid)") }
    await clock.advance(by: UnixUserDirectory.longest)
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { users.release(1) }
      group.addTask { _ = await directory.user(.uid(100_000)) }
      try await wait(for: "the slow lookup") { users.running == 1 }
      for uid in others { group.addTask { _ = await directory.user(.uid(uid)) } }
      try await wait(for: "the other lookups") { others.allSatisfy { directory.cached(.uid($0)) != nil } }
      #expect(directory.cached(.uid(100_000)) == nil && users.running == 1)
      users.release(1)
      try await group.waitForAll()
    }
  }

  @Test func `callers don't wait longer than a few seconds for a slow lookup`() async throws {
    let users = SlowUsers([100_000: "anna"])
    let clock = VirtualClock()
    let directory = UnixUserDirectory(clock: clock, find: users.find)
    async let first = directory.user(.uid(100_000)).word
    try await wait(for: "the lookup and the timer") { users.running == 1 && clock.nextDue != nil }
    await clock.advance(by: .seconds(3))
    async let second = directory.user(.uid(100_001)).word
    try await wait(for: "the second lookup") { users.running == 2 }
    await clock.advance(by: .seconds(2))
    // No other call is needed to end the wait.
    #expect(await first == "failed")
    #expect(await directory.user(.uid(100_000)).word == "failed")
    try await wait(for: "the next timer") { clock.nextDue == .seconds(8) }
    await clock.advance(by: .seconds(3))
    #expect(await second == "failed")
    #expect(users.lookups == 2)
    // The lookup continues, and later callers get its result.
    users.release(2)
    try await wait(for: "the result") { directory.cached(.uid(100_000))?.word == "anna" }
  }

  @Test func `a failure is cached for seconds, and a result for less than a minute`() async throws {
    let users = SlowUsers([1001: "anna"])
    let clock = VirtualClock()
    let directory = UnixUserDirectory(clock: clock, find: users.find)
    // Whether lookups fail, the time since the previous row, the result, and the number of lookups until then.
    let rows: [(isFailing: Bool, pause: Duration, word: String, lookups: Int)] = [
      (true, .zero, "failed", 1), (false, .seconds(4), "failed", 1), (false, .seconds(1), "anna", 2),
      (true, .seconds(44), "anna", 2), (true, .seconds(1), "failed", 3), (false, .seconds(5), "anna", 4),
    ]
    for (index, row) in rows.enumerated() {
      users.setFailing(row.isFailing)
      await clock.advance(by: row.pause)
      #expect(await directory.user(.uid(1001)).word == row.word, "row \(index)")
      #expect(users.lookups == row.lookups, "row \(index)")
      #expect(directory.hasFound(.uid(1001)) == (index >= 2), "row \(index)")
    }
    await clock.advance(by: .seconds(60))
    #expect(await directory.user(.uid(4242)).word == "absent")
    #expect(await directory.user(.uid(4242)).word == "absent")
    #expect(users.lookups == 5)
  }
}
