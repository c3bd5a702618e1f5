import Dispatch
import Synchronization
import Timekeeping

/// Checks and hashes passwords one at a time on a separate queue, so that neither the database nor other requests have
/// to wait. Clients take turns (see ``Turns``).
final class PasswordVerifier: Sendable {
  let cost: PasswordHash.Cost
  /// The hash of a random password. If an account has no hash, the password is checked against this hash, so that
  /// checks of unknown names take as long as checks of known names.
  private let nobody: Mutex<PasswordHash?> = Mutex(nil)
  private let budget: Budget
  private let queue = DispatchQueue(label: "qwinkle.passwords")

  init(cost: PasswordHash.Cost, _ budget: Budget) {
    self.cost = cost
    self.budget = budget
  }

  /// Returns whether `password` matches the hash `stored`, or nil if the client has too many queued checks. A hash is
  /// computed even if `stored` is nil, so that the response time doesn't reveal user names.
  ///
  /// - Parameter outdated: A stored hash of any user, made by a former hashing method. If it is set, every check
  ///   computes one hash by the former method and one by the current method. Otherwise the response time would reveal
  ///   which method an account's hash uses.
  func check(
    _ password: String, against stored: String?, besides outdated: String? = nil, for client: Client
  ) async -> Bool? {
    await inTurn(for: client) { self.matches(password, stored, besides: outdated) }
  }

  /// Returns the hash to store instead of `stored`, which is a hash of `password`. Returns nil if `stored` is up to
  /// date, if hashing fails, or if the client has too many queued checks.
  func renewed(_ stored: String, of password: String, for client: Client) async -> String? {
    guard PasswordHash(stored: stored)?.isOutdated(for: cost) == true else { return nil }
    return try? await hash(of: password, for: client)
  }

  /// Returns the hash to store for a password, or nil if the client has too many queued checks.
  ///
  /// - Throws: ``ServiceError/badPassword(_:)`` if hashing fails.
  func hash(of password: String, for client: Client) async throws -> String? {
    try await inTurn(for: client) { Result { try self.hash(of: password) } }?.get()
  }

  /// Runs `work` on the queue when it is the client's turn. Returns nil if the client has too many queued checks.
  private func inTurn<Value: Sendable>(
    for client: Client, _ work: @escaping @Sendable () -> Value
  ) async -> Value? {
    guard let share = try? budget.take(.passwordChecks, for: client) else { return nil }
    await budget.turns.enter(.passwordCheck, client)
    let start = budget.clock.uptime
    defer {
      budget.turns.leave(.passwordCheck, client, used: budget.clock.uptime - start)
      withExtendedLifetime(share) {}
    }
    return await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
  }

  /// Returns the hash to store for a password. Blocks while computing it.
  ///
  /// - Throws: ``ServiceError/badPassword(_:)`` if hashing fails.
  func hash(of password: String) throws(ServiceError) -> String {
    guard let hash = PasswordHash(of: password, cost: cost) else { throw .badPassword("could not be hashed") }
    return hash.stored
  }

  private func matches(_ password: String, _ stored: String?, besides outdated: String?) -> Bool {
    let isPossible = password.utf8.count <= PasswordRule.mostBytes
    let password = isPossible ? password : ""
    let hash = stored.flatMap(PasswordHash.init(stored:))
    let matches = (hash ?? someHash())?.matches(password) ?? false
    if let outdated = outdated.flatMap(PasswordHash.init(stored:)) {
      _ = (hash?.isOutdated(for: cost) == true ? someHash() : outdated)?.matches(password)
    }
    return matches && hash != nil && isPossible
  }

  private func someHash() -> PasswordHash? {
    nobody.withLock { nobody in
      if nobody == nil { nobody = PasswordHash(of: Secrets.make(), cost: cost) }
      return nobody
    }
  }
}
