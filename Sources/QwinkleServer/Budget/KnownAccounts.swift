import LibC
import Synchronization

/// The accounts of recently used tokens and of users of this host. They decide whose turn a write is, before the write
/// checks its token. They never grant access.
final class KnownAccounts: Sendable {
  /// More accounts than write within a minute. At this number, all entries are removed.
  private static let maximumCount = 10_000

  /// Account ids by hash value of the token. The hash values differ in each run of the program.
  private let accounts = Mutex<[Int: Int64]>([:])
  private let unixAccounts = Mutex<[uid_t: Int64]>([:])

  /// Remembers that `account` uses `token`.
  func note(_ account: Int64, of token: String) {
    accounts.withLock { accounts in
      if accounts.count >= Self.maximumCount { accounts = [:] }
      accounts[token.hashValue] = account
    }
  }

  /// Remembers that `account` belongs to a user of this host.
  func note(_ account: Int64, ofUnixUser uid: uid_t) {
    unixAccounts.withLock { accounts in
      if accounts.count >= Self.maximumCount { accounts = [:] }
      accounts[uid] = account
    }
  }

  /// Forgets a token that is no longer valid.
  func forget(_ token: String) {
    _ = accounts.withLock { $0.removeValue(forKey: token.hashValue) }
  }

  /// Returns the client that a request counts as: the account of its token, or of its Unix user if it has no token.
  /// Returns `client` if the account isn't known.
  func client(ofToken token: String?, orUnixUser uid: uid_t? = nil, else client: Client) -> Client {
    guard client != .process else { return client }
    guard let token else {
      return uid.flatMap { uid in unixAccounts.withLock { $0[uid] } }.map { .account($0) } ?? client
    }
    return accounts.withLock { $0[token.hashValue] }.map { .account($0) } ?? client
  }
}
