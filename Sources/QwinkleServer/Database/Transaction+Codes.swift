import GRDB

extension Transaction {
  /// Lifetime of a code, in milliseconds: ten minutes.
  private static let codeLifetime: Int64 = 600_000

  func forgetOldCodes() throws {
    try run("DELETE FROM codes WHERE created_at <= ?", [nowInMilliseconds - Self.codeLifetime])
  }

  /// Creates a code that the app can exchange for a token. The database stores only the code's hash. Also deletes
  /// expired codes.
  func addCode(for request: AuthorizationRequest, account: Int64) throws -> String {
    try forgetOldCodes()
    let code = Secrets.make()
    try run(
      """
      INSERT INTO codes (hash, account_id, app_id, redirect_uri, scopes, challenge, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        Secrets.hash(code), account, request.app.id, request.redirect.text, request.scopes.text, request.challenge,
        nowInMilliseconds,
      ])
    return code
  }

  /// Exchanges a code for a token. Returns nil if the code isn't valid. The first attempt uses up the code, even if the
  /// attempt fails. A second attempt fails and also revokes the token that the first attempt returned, because the code
  /// may have been stolen (RFC 6749, section 4.1.2).
  func token(
    forCode code: String, app: AppRecord, redirectURI: String, verifier: String?
  ) throws -> (token: String, scopes: Scopes)? {
    let hash = Secrets.hash(code)
    let stored = try row(
      "SELECT account_id, app_id, redirect_uri, scopes, challenge, created_at, used, token_hash FROM codes WHERE hash = ?",
      [hash])
    guard let stored else { return nil }
    if stored[6] {
      let token: String? = stored[7]
      try run("DELETE FROM tokens WHERE hash = ?", [token])
      tokensWereDeleted()
      return nil
    }
    try run("UPDATE codes SET used = 1 WHERE hash = ?", [hash])
    guard stored[1] == app.id, stored[2] == redirectURI, stored[5] > nowInMilliseconds - Self.codeLifetime,
      CodeVerifier.matches(verifier, challenge: stored[4])
    else { return nil }
    let scopes = Scopes(stored[3])
    let token = try addToken(account: stored[0], app: app.id, scopes: scopes)
    try run("UPDATE codes SET token_hash = ? WHERE hash = ?", [Secrets.hash(token), hash])
    return (token, scopes)
  }
}
