import Dispatch
import Synchronization

/// Checks and hashes passwords one at a time on a queue of its own, so that neither the database nor other requests
/// wait.
final class PasswordDesk: Sendable {
  /// Maximum number of checks at once, in all and for one client. Only somebody who wants to keep the machine busy
  /// exceeds it.
  private static let mostWaiting = 16
  private static let mostOfOne = 6

  let cost: PasswordHash.Cost
  /// Checked against if no hash is stored, so that an unknown name takes as long as a known one.
  private let nobody: Mutex<PasswordHash?> = Mutex(nil)
  /// The number of checks that wait, by client.
  private let waiting = Mutex<[String: Int]>([:])
  private let queue = DispatchQueue(label: "qwinkle.passwords")

  init(cost: PasswordHash.Cost) {
    self.cost = cost
  }

  /// Whether `password` is the one hashed in `stored`; nil if too many checks are waiting, in all or for this
  /// client. If `stored` is nil, a hash is computed all the same, so that the response time reveals no user names.
  ///
  /// - Parameter outdated: A hash by a former method that some user still has. If it is set, every check computes both
  ///   methods, because their times differ.
  func check(
    _ password: String, against stored: String?, besides outdated: String? = nil, for client: String = ""
  ) async -> Bool? {
    await inTurn(for: client) { self.matches(password, stored, besides: outdated) }
  }

  /// The hash to store instead of `stored`, the hash of this password; nil if `stored` is current, or too many checks
  /// are waiting, in all or for this client.
  func renewed(_ stored: String, of password: String, for client: String) async -> String? {
    guard PasswordHash(stored: stored)?.isOutdated(for: cost) == true else { return nil }
    return try? await hash(of: password, for: client)
  }

  /// The hash to store for a password; nil if too many checks are waiting, in all or for this client.
  ///
  /// - Throws: ``ServiceError/badPassword(_:)`` if hashing fails.
  func hash(of password: String, for client: String) async throws -> String? {
    try await inTurn(for: client) { Result { try self.hash(of: password) } }?.get()
  }

  /// Does `work` on the queue; nil if too much is waiting.
  private func inTurn<Value: Sendable>(
    for client: String, _ work: @escaping @Sendable () -> Value
  ) async -> Value? {
    let isIn = waiting.withLock { waiting in
      let mine = waiting[client, default: 0]
      guard mine < Self.mostOfOne, waiting.values.reduce(0, +) < Self.mostWaiting else { return false }
      waiting[client] = mine + 1
      return true
    }
    guard isIn else { return nil }
    defer {
      waiting.withLock { waiting in
        let left = waiting[client, default: 1] - 1
        waiting[client] = left > 0 ? left : nil
      }
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
