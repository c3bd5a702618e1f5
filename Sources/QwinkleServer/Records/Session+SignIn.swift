import GRDB

/// A registered app.
struct AppRecord: Sendable {
  var id: Int64
  var name: String
  var website: String?
  var redirectURIs: String
  var scopes: String
}

/// Whose token it is, and what it allows.
struct TokenHolder {
  var account: Int64?
  var app: Int64?
  var scopes: Scopes
}

// MARK: - Tokens

extension Session {
  /// A token's holder; nil if the token isn't valid.
  func holder(ofToken token: String) throws -> TokenHolder? {
    try row("SELECT account_id, app_id, scopes FROM tokens WHERE hash = ?", [Secrets.hash(token)]).map {
      TokenHolder(account: $0[0], app: $0[1], scopes: Scopes($0[2]))
    }
  }

  /// Whether there is a valid token with this hash, whose account is not suspended.
  func isToken(hash: String) throws -> Bool {
    try row(
      "SELECT 1 FROM tokens WHERE hash = ? AND coalesce(account_id, 0) NOT IN (SELECT account_id FROM suspensions)",
      [hash]) != nil
  }

  /// Makes a token. Only its hash is stored.
  func addToken(account: Int64?, app: Int64?, scopes: Scopes) throws -> String {
    let token = Secrets.make()
    try run(
      "INSERT INTO tokens (hash, account_id, app_id, scopes, created_at) VALUES (?, ?, ?, ?, ?)",
      [Secrets.hash(token), account, app, scopes.text, nowInMilliseconds])
    return token
  }

  /// Revokes a token.
  func deleteToken(_ token: String) throws {
    try run("DELETE FROM tokens WHERE hash = ?", [Secrets.hash(token)])
    tokensWereDeleted()
  }

  /// Revokes all of a qwinker's tokens, and the codes that could still become tokens.
  func deleteTokens(of account: Int64) throws {
    try run("DELETE FROM tokens WHERE account_id = ?", [account])
    tokensWereDeleted()
    try run("DELETE FROM codes WHERE account_id = ?", [account])
  }
}

// MARK: - Apps

extension Session {
  /// How long an app is kept that nobody signs in with, in milliseconds: a day.
  private static let appsKeptFor: Int64 = 86_400_000

  /// Deletes apps older than a day that nobody is signed in with, and their own tokens.
  func forgetUnusedApps() throws {
    try forgetOldCodes()
    try run(
      """
      DELETE FROM apps WHERE created_at <= ?
      AND NOT EXISTS (SELECT 1 FROM tokens t WHERE t.app_id = apps.id AND t.account_id IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM codes c WHERE c.app_id = apps.id)
      """, [nowInMilliseconds - Self.appsKeptFor])
  }

  /// Registers an app and makes its id and secret. Only the secret's hash is stored.
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

  /// The app with this client id, and with this secret if one is given; nil if either is wrong.
  func app(clientID: String, secret: String? = nil) throws -> AppRecord? {
    try row(
      """
      SELECT id, name, website, redirect_uris, scopes FROM apps
      WHERE client_id = ?1 AND (?2 IS NULL OR secret_hash = ?2)
      """, [clientID, secret.map(Secrets.hash)]
    ).map(Self.app)
  }

  /// The app with this id.
  func app(_ id: Int64) throws -> AppRecord? {
    try row("SELECT id, name, website, redirect_uris, scopes FROM apps WHERE id = ?", [id]).map(Self.app)
  }

  private static func app(_ row: StoredRow) -> AppRecord {
    AppRecord(id: row[0], name: row[1], website: row[2], redirectURIs: row[3], scopes: row[4])
  }
}

// MARK: - Passwords

extension Session {
  /// The hash of a qwinker's password; nil if they have none.
  func passwordHash(of account: Int64) throws -> String? {
    try row("SELECT hash FROM passwords WHERE account_id = ?", [account])?[0]
  }

  /// A hash by scrypt that some qwinker still has; nil once all who have a password signed in again.
  func scryptHash() throws -> String? {
    try row("SELECT hash FROM passwords WHERE hash LIKE '$scrypt$%' LIMIT 1", [])?[0]
  }

  /// Stores the hash of a password; nil removes the password.
  func setPasswordHash(_ hash: String?, of account: Int64) throws {
    if let hash {
      try run(
        "INSERT OR REPLACE INTO passwords (account_id, hash, changed_at) VALUES (?, ?, ?)",
        [account, hash, nowInMilliseconds])
    } else {
      try run("DELETE FROM passwords WHERE account_id = ?", [account])
    }
  }

  /// Replaces a hash by another one of the same password, unless the password has changed since.
  func replacePasswordHash(_ former: String, with hash: String, of account: Int64) throws {
    try run("UPDATE passwords SET hash = ? WHERE account_id = ? AND hash = ?", [hash, account, former])
  }
}
