import GRDB

extension Session {
  /// How long a code is valid, in milliseconds: ten minutes.
  private static let codesKeptFor: Int64 = 600_000

  /// Deletes expired codes.
  func forgetOldCodes() throws {
    try run("DELETE FROM codes WHERE created_at <= ?", [nowInMilliseconds - Self.codesKeptFor])
  }

  /// Makes a code for the app to exchange for a token, storing only its hash. Deletes expired codes.
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

  /// Exchanges a code for a token; nil if the code isn't valid. The first attempt uses the code up, whatever its
  /// result. A second one also revokes the token that the code was exchanged for: one of the two callers wasn't meant
  /// to have the code (RFC 6749, 4.1.2).
  func token(
    forCode code: String, app: AppRecord, redirectURI: String, verifier: String?
  ) throws -> (token: String, scopes: Scopes)? {
    let hash = Secrets.hash(code)
    let kept = try row(
      "SELECT account_id, app_id, redirect_uri, scopes, challenge, created_at, used, token_hash FROM codes WHERE hash = ?",
      [hash])
    guard let kept else { return nil }
    if kept[6] {
      let token: String? = kept[7]
      try run("DELETE FROM tokens WHERE hash = ?", [token])
      return nil
    }
    try run("UPDATE codes SET used = 1 WHERE hash = ?", [hash])
    guard kept[1] == app.id, kept[2] == redirectURI, kept[5] > nowInMilliseconds - Self.codesKeptFor,
      CodeVerifier.matches(verifier, challenge: kept[4])
    else { return nil }
    let scopes = Scopes(kept[3])
    let token = try addToken(account: kept[0], app: app.id, scopes: scopes)
    try run("UPDATE codes SET token_hash = ? WHERE hash = ?", [Secrets.hash(token), hash])
    return (token, scopes)
  }
}
