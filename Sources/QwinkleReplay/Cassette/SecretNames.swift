/// Which headers, fields of forms and members of JSON hold secrets, by their names.
enum SecretNames {
  /// What stands in place of a secret.
  static let replacement = "scrubbed"

  private static let parts = [
    "token", "secret", "password", "passwd", "passphrase", "authorization", "cookie", "api_key", "apikey",
    "private_key", "credential", "session_id", "signature",
  ]
  private static let whole: Set<String> = [
    "code", "code_verifier", "device_code", "user_code", "otp_attempt", "otp", "pin", "assertion", "client_assertion",
    "session", "sid", "auth",
    // Browsers give a stream its token there.
    "sec_websocket_protocol",
  ]
  /// Names that say something about secrets. Without them nobody could sign in from a cassette.
  private static let harmless: Set<String> = ["token_type", "token_type_hint"]
  private static let harmlessEndings = ["_endpoint", "_supported"]

  /// Whether what `name` names is never kept.
  static func isSecret(_ name: String) -> Bool {
    let name = String(name.lowercased().map { $0 == "-" || $0 == " " ? "_" : $0 })
    if harmless.contains(name) || harmlessEndings.contains(where: name.hasSuffix) { return false }
    return whole.contains(name) || parts.contains { name.contains($0) }
  }
}
