import GRDB

/// A program that registered itself.
struct AppRecord: Sendable {
  var id: Int64
  var name: String
  var website: String?
  var redirectURIs: String
  var scopes: String
}

/// Who a token belongs to.
struct TokenHolder {
  var account: Int64?
  var app: Int64?
  var scopes: Scopes
}

// MARK: - Tokens

extension Session {
  /// Who a token belongs to; nil for one that is not valid.
  func holder(ofToken token: String) throws -> TokenHolder? {
    try row("SELECT account_id, app_id, scopes FROM tokens WHERE hash = ?", [Secrets.hash(token)]).map {
      TokenHolder(account: $0[0], app: $0[1], scopes: Scopes($0[2]))
    }
  }

  /// Makes a token. Only its hash is kept.
  func addToken(account: Int64?, app: Int64?, scopes: Scopes) throws -> String {
    let token = Secrets.make()
    try run(
      "INSERT INTO tokens (hash, account_id, app_id, scopes, created_at) VALUES (?, ?, ?, ?, ?)",
      [Secrets.hash(token), account, app, scopes.text, nowInMilliseconds])
    return token
  }

  /// Makes a token invalid.
  func deleteToken(_ token: String) throws {
    try run("DELETE FROM tokens WHERE hash = ?", [Secrets.hash(token)])
  }

  /// Makes all of a qwinker's tokens invalid, and the codes that could still become some.
  func deleteTokens(of account: Int64) throws {
    try run("DELETE FROM tokens WHERE account_id = ?", [account])
    try run("DELETE FROM codes WHERE account_id = ?", [account])
  }
}

// MARK: - Programs

extension Session {
  /// How long a program is kept that nobody signs in with: a day, in milliseconds.
  private static let appsKeptFor: Int64 = 86_400_000

  /// Forgets the programs, and their own tokens, with which nobody has signed in for a day.
  func forgetUnusedApps() throws {
    try forgetOldCodes()
    try run(
      """
      DELETE FROM apps WHERE created_at <= ?
      AND NOT EXISTS (SELECT 1 FROM tokens t WHERE t.app_id = apps.id AND t.account_id IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM codes c WHERE c.app_id = apps.id)
      """, [nowInMilliseconds - Self.appsKeptFor])
  }

  /// Registers a program and makes its id and secret. Only the secret's hash is kept.
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

  /// The program with this public id, and the one with this secret where one is given; nil where either is wrong.
  func app(clientID: String, secret: String? = nil) throws -> AppRecord? {
    try row(
      """
      SELECT id, name, website, redirect_uris, scopes FROM apps
      WHERE client_id = ?1 AND (?2 IS NULL OR secret_hash = ?2)
      """, [clientID, secret.map(Secrets.hash)]
    ).map(Self.app)
  }

  /// The program with this id.
  func app(_ id: Int64) throws -> AppRecord? {
    try row("SELECT id, name, website, redirect_uris, scopes FROM apps WHERE id = ?", [id]).map(Self.app)
  }

  private static func app(_ row: Row) -> AppRecord {
    AppRecord(id: row[0], name: row[1], website: row[2], redirectURIs: row[3], scopes: row[4])
  }
}

// MARK: - Passwords

extension Session {
  /// What is kept of a qwinker's password; nil where they have none.
  func passwordHash(of account: Int64) throws -> String? {
    try row("SELECT hash FROM passwords WHERE account_id = ?", [account])?[0]
  }

  /// Keeps what is to be kept of a password; nil takes it away.
  func setPasswordHash(_ hash: String?, of account: Int64) throws {
    if let hash {
      try run(
        "INSERT OR REPLACE INTO passwords (account_id, hash, changed_at) VALUES (?, ?, ?)",
        [account, hash, nowInMilliseconds])
    } else {
      try run("DELETE FROM passwords WHERE account_id = ?", [account])
    }
  }
}
