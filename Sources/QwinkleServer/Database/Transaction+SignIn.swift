import FoundationEssentials
import GRDB

struct AppRecord: Sendable {
  var id: Int64
  var name: String
  var website: String?
  var redirectURIs: String
  var scopes: String
}

struct TokenHolder {
  var account: Int64?
  var app: Int64?
  var scopes: Scopes
}

// MARK: - Tokens

extension Transaction {
  /// Returns a token's holder, or nil if the token isn't valid.
  func holder(ofToken token: String) throws -> TokenHolder? {
    try row("SELECT account_id, app_id, scopes FROM tokens WHERE hash = ?", [Secrets.hash(token)]).map {
      TokenHolder(account: $0[0], app: $0[1], scopes: Scopes($0[2]))
    }
  }

  /// Returns whether a credential still belongs to its account, and the account isn't suspended.
  func isValid(_ credential: Credential) throws -> Bool {
    switch credential {
    case .token(let hash):
      try row(
        "SELECT 1 FROM tokens WHERE hash = ? AND coalesce(account_id, 0) NOT IN (SELECT account_id FROM suspensions)",
        [hash]) != nil
    case .unixUser(let uid, let account): try accountID(ofUnixUser: uid) == account && !isSuspended(account)
    }
  }

  /// Creates a token. Only its hash is stored.
  func addToken(account: Int64?, app: Int64?, scopes: Scopes) throws -> String {
    let token = Secrets.make()
    try run(
      "INSERT INTO tokens (hash, account_id, app_id, scopes, created_at) VALUES (?, ?, ?, ?, ?)",
      [Secrets.hash(token), account, app, scopes.text, nowInMilliseconds])
    return token
  }

  /// Returns an account's tokens, newest first.
  func tokens(of account: Int64) throws -> [ServedToken] {
    try rows(
      """
      SELECT substr(t.hash, 1, 12), p.name, t.scopes, t.created_at FROM tokens t LEFT JOIN apps p ON p.id = t.app_id
      WHERE t.account_id = ? ORDER BY t.created_at DESC, t.hash
      """, [account]
    ).map { ServedToken(id: $0[0], app: $0[1], scopes: $0[2], createdAt: Date(milliseconds: $0[3])) }
  }

  /// Deletes an account's token by its ``ServedToken/id``. Returns false if the account has no such token.
  func deleteToken(withID id: String, of account: Int64) throws -> Bool {
    guard try tokens(of: account).contains(where: { $0.id == id }) else { return false }
    try run("DELETE FROM tokens WHERE account_id = ? AND substr(hash, 1, 12) = ?", [account, id])
    tokensWereDeleted()
    return true
  }

  func deleteToken(_ token: String) throws {
    try run("DELETE FROM tokens WHERE hash = ?", [Secrets.hash(token)])
    tokensWereDeleted()
  }

  /// Deletes all of an account's tokens. Also deletes its authorization codes, which apps could otherwise exchange for
  /// new tokens. Returns whether there were any.
  func deleteTokens(of account: Int64) throws -> Bool {
    try run("DELETE FROM tokens WHERE account_id = ?", [account])
    let hadTokens = db.changesCount > 0
    tokensWereDeleted()
    try run("DELETE FROM codes WHERE account_id = ?", [account])
    return hadTokens || db.changesCount > 0
  }
}

// MARK: - Apps

extension Transaction {
  /// A day, in milliseconds.
  private static let appLifetime: Int64 = 86_400_000

  /// Deletes expired authorization codes. Then deletes apps that are older than a day and have neither a code nor a
  /// signed-in account.
  func forgetUnusedApps() throws {
    try forgetOldCodes()
    try run(
      """
      DELETE FROM apps WHERE created_at <= ?
      AND NOT EXISTS (SELECT 1 FROM tokens t WHERE t.app_id = apps.id AND t.account_id IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM codes c WHERE c.app_id = apps.id)
      """, [nowInMilliseconds - Self.appLifetime])
  }

  /// Registers an app and generates its client id and secret. Only the secret's hash is stored.
  func addApp(
    name: String, website: String?, redirectURIs: String, scopes: String
  ) throws -> (app: AppRecord, clientID: String, secret: String) {
    let id = try nextID()
    let (clientID, secret) = (Secrets.make(), Secrets.make())
    try run(
      """
      INSERT INTO apps (id, name, website, redirect_uris, scopes, client_id, secret_hash, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, [id, name, website, redirectURIs, scopes, clientID, Secrets.hash(secret), nowInMilliseconds])
    let app = AppRecord(id: id, name: name, website: website, redirectURIs: redirectURIs, scopes: scopes)
    return (app, clientID, secret)
  }

  /// Returns the app with this client id. Returns nil if the id is unknown, or if `secret` is given and wrong.
  func app(clientID: String, secret: String? = nil) throws -> AppRecord? {
    try row(
      """
      SELECT id, name, website, redirect_uris, scopes FROM apps
      WHERE client_id = ?1 AND (?2 IS NULL OR secret_hash = ?2)
      """, [clientID, secret.map(Secrets.hash)]
    ).map(Self.app)
  }

  func app(_ id: Int64) throws -> AppRecord? {
    try row("SELECT id, name, website, redirect_uris, scopes FROM apps WHERE id = ?", [id]).map(Self.app)
  }

  private static func app(_ row: StoredRow) -> AppRecord {
    AppRecord(id: row[0], name: row[1], website: row[2], redirectURIs: row[3], scopes: row[4])
  }
}

// MARK: - Passwords

extension Transaction {
  func passwordHash(of account: Int64) throws -> String? {
    try row("SELECT hash FROM passwords WHERE account_id = ?", [account])?[0]
  }

  /// Returns a scrypt hash of any account. Returns nil once no scrypt hashes are left: when a user signs in, an
  /// Argon2id hash replaces the user's scrypt hash.
  func scryptHash() throws -> String? {
    try row("SELECT hash FROM passwords WHERE hash LIKE '$scrypt$%' LIMIT 1", [])?[0]
  }

  /// Stores the hash of a password. Nil removes the password.
  func setPasswordHash(_ hash: String?, of account: Int64) throws {
    if let hash {
      try run(
        "INSERT OR REPLACE INTO passwords (account_id, hash, changed_at) VALUES (?, ?, ?)",
        [account, hash, nowInMilliseconds])
    } else {
      try run("DELETE FROM passwords WHERE account_id = ?", [account])
    }
  }

  /// Replaces a hash with a new hash of the same password. Does nothing if the stored hash is no longer `former`.
  func replacePasswordHash(_ former: String, with hash: String, of account: Int64) throws {
    try run("UPDATE passwords SET hash = ? WHERE account_id = ? AND hash = ?", [hash, account, former])
  }
}
