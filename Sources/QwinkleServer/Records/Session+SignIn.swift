import GRDB

/// A program that registered itself.
struct AppRecord: Sendable {
  var id: Int64
  var name: String
  var website: String?
  var redirectURIs: String
  var scopes: String
}

extension Session {
  /// Who a token belongs to; nil for one that is not valid.
  func holder(ofToken token: String) throws -> (account: Int64?, app: Int64?)? {
    try row("SELECT account_id, app_id FROM tokens WHERE hash = ?", [Secrets.hash(token)]).map { ($0[0], $0[1]) }
  }

  /// Makes a token. Only its hash is kept.
  func addToken(account: Int64?, app: Int64?, scopes: String) throws -> String {
    let token = Secrets.make()
    try run(
      "INSERT INTO tokens (hash, account_id, app_id, scopes, created_at) VALUES (?, ?, ?, ?, ?)",
      [Secrets.hash(token), account, app, scopes, nowInMilliseconds])
    return token
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

  /// The program with this id and secret; nil where either is wrong.
  func app(clientID: String, secret: String) throws -> AppRecord? {
    try row(
      """
      SELECT id, name, website, redirect_uris, scopes FROM apps WHERE client_id = ? AND secret_hash = ?
      """, [clientID, Secrets.hash(secret)]
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
