import Dispatch
import Synchronization
import Timekeeping

/// Checks and hashes passwords one at a time on a queue of its own, so that neither the database nor other requests
/// wait. Clients take turns.
final class PasswordDesk: Sendable {
  let cost: PasswordHash.Cost
  /// Checked against if no hash is stored, so that an unknown name takes as long as a known one.
  private let nobody: Mutex<PasswordHash?> = Mutex(nil)
  private let budget: Budget
  private let queue = DispatchQueue(label: "qwinkle.passwords")

  init(cost: PasswordHash.Cost, _ budget: Budget) {
    self.cost = cost
    self.budget = budget
  }

  /// Whether `password` is the one hashed in `stored`; nil if the client has too many checks waiting. If `stored` is
  /// nil, a hash is computed all the same, so that the response time reveals no user names.
  ///
  /// - Parameter outdated: A hash by a former method that some user still has. If it is set, every check computes both
  ///   methods, because their times differ.
  func check(
    _ password: String, against stored: String?, besides outdated: String? = nil, for client: Client
  ) async -> Bool? {
    await inTurn(for: client) { self.matches(password, stored, besides: outdated) }
  }

  /// The hash to store instead of `stored`, the hash of this password; nil if `stored` is current, or the
  /// client has too many checks waiting.
  func renewed(_ stored: String, of password: String, for client: Client) async -> String? {
    guard PasswordHash(stored: stored)?.isOutdated(for: cost) == true else { return nil }
    return try? await hash(of: password, for: client)
  }

  /// The hash to store for a password; nil if the client has too many checks waiting.
  ///
  /// - Throws: ``ServiceError/badPassword(_:)`` if hashing fails.
  func hash(of password: String, for client: Client) async throws -> String? {
    try await inTurn(for: client) { Result { try self.hash(of: password) } }?.get()
  }

  /// Does `work` on the queue when it is the client's turn; nil if too much of the client's is waiting.
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

  /// The hash to store for a password. Blocks while computing it.
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
