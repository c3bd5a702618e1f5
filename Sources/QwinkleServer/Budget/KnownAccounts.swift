import Synchronization

/// The accounts of recently used tokens. They decide whose turn a write is, before the write checks its token. They
/// never grant access.
final class KnownAccounts: Sendable {
  /// More accounts than write within a minute. At this number, all entries are removed.
  private static let maximumCount = 10_000

  /// Account ids by hash value of the token. The hash values differ in each run of the program.
  private let accounts = Mutex<[Int: Int64]>([:])

  /// Remembers that `account` uses `token`.
  func note(_ account: Int64, of token: String) {
    accounts.withLock { accounts in
      if accounts.count >= Self.maximumCount { accounts = [:] }
      accounts[token.hashValue] = account
    }
  }

  /// Forgets a token that is no longer valid.
  func forget(_ token: String) {
    _ = accounts.withLock { $0.removeValue(forKey: token.hashValue) }
  }

  /// Returns the client that a request with `token` counts as: the token's account, or `client` if the account isn't
  /// known.
  func client(ofToken token: String?, else client: Client) -> Client {
    guard client != .process, let token else { return client }
    return accounts.withLock { $0[token.hashValue] }.map { .account($0) } ?? client
  }
}
