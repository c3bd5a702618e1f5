import GRDB
import LibC
import SafeText

extension Transaction {
  /// Returns the account of a user of this host, if they have one.
  func accountID(ofUnixUser uid: uid_t) throws -> Int64? {
    try numbers("SELECT account_id FROM unix_users WHERE uid = ?", [Int64(uid)]).first
  }

  /// Returns the user of this host who owns an account, if any.
  func unixUser(of account: Int64) throws -> uid_t? {
    try numbers("SELECT uid FROM unix_users WHERE account_id = ?", [account]).first.flatMap { uid_t(exactly: $0) }
  }

  /// Returns the users of this host who own the accounts of credentials.
  func unixUsers(of credentials: Set<Credential>) throws -> [Credential: uid_t] {
    var users: [Credential: uid_t] = [:]
    for credential in credentials {
      switch credential {
      case .unixUser(let uid, _): users[credential] = uid
      case .token(let hash):
        let uid = try numbers(
          "SELECT u.uid FROM tokens t JOIN unix_users u ON u.account_id = t.account_id WHERE t.hash = ?", [hash])
        users[credential] = uid.first.flatMap { uid_t(exactly: $0) }
      }
    }
    return users
  }

  /// Returns the account of a user of this host. Adds it if it's missing, with the user's name or a similar one.
  func addAccount(ofUnixUser uid: uid_t, named name: String) throws -> Int64 {
    // Another request of the user may have added the account.
    if let account = try accountID(ofUnixUser: uid) { return account }
    let free = try freeName(for: AccountName.reduced(name, else: "user\(uid)") ?? "user\(uid)")
    let account = try addAccount(name: free, displayName: free)
    try run(
      "INSERT INTO unix_users (uid, account_id, name) VALUES (?, ?, ?)", [Int64(uid), account, SafeText.line(name)])
    return account
  }

  /// Detaches an account from its user of this host. Returns false if it had none.
  func releaseUnixUser(of account: Int64) throws -> Bool {
    guard try row("SELECT 1 FROM unix_users WHERE account_id = ?", [account]) != nil else { return false }
    try run("DELETE FROM unix_users WHERE account_id = ?", [account])
    tokensWereDeleted()
    return true
  }

  /// Bars the user of this host who owns an account, if any, until ``liftBar(of:)`` or ``liftBars(named:)``.
  func barUnixUser(of account: Int64) throws {
    try run(
      """
      INSERT OR REPLACE INTO barred_unix_users (uid, name)
      SELECT u.uid, a.name FROM unix_users u JOIN accounts a ON a.id = u.account_id WHERE a.id = ?
      """, [account])
  }

  /// Lifts the bar of the user who owns an account. Returns false if the account has no barred user.
  func liftBar(of account: Int64) throws -> Bool {
    try run(
      "DELETE FROM barred_unix_users WHERE uid IN (SELECT uid FROM unix_users WHERE account_id = ?)", [account])
    return db.changesCount > 0
  }

  /// Lifts the bar of a user whose suspended account has or had this name. Returns false if no user is barred.
  func liftBars(named name: String) throws -> Bool {
    try run("DELETE FROM barred_unix_users WHERE name = ?", [name])
    return db.changesCount > 0
  }

  /// Returns whether a user of this host is barred.
  func isBarred(unixUser uid: uid_t) throws -> Bool {
    try row("SELECT 1 FROM barred_unix_users WHERE uid = ?", [Int64(uid)]) != nil
  }

  /// Returns the barred users of this host who have no account, by uid.
  func barredUsersWithoutAccount() throws -> [BarredUnixUser] {
    try rows(
      "SELECT uid, name FROM barred_unix_users WHERE uid NOT IN (SELECT uid FROM unix_users) ORDER BY uid"
    ).compactMap { row in
      uid_t(exactly: row[0] as Int64).map { BarredUnixUser(uid: $0, name: row[1]) }
    }
  }

  /// Returns `name`, or the first free name of `name2`, `name3` and so on.
  private func freeName(for name: String) throws -> String {
    var (free, number) = (name, 1)
    while try accountID(named: free) != nil {
      number += 1
      let digits = String(number)
      free = name.prefix(AccountName.mostCharacters - digits.count) + digits
    }
    return free
  }
}
