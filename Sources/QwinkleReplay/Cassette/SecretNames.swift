/// Recognises secret headers, form fields and JSON members by their names.
enum SecretNames {
  /// The text that replaces every secret.
  static let replacement = "scrubbed"

  private static let parts = [
    "token", "secret", "password", "passwd", "passphrase", "authorization", "cookie", "api_key", "apikey",
    "private_key", "credential", "session_id", "signature",
  ]
  private static let whole: Set<String> = [
    "code", "code_verifier", "device_code", "user_code", "otp_attempt", "otp", "pin", "assertion", "client_assertion",
    "session", "sid", "auth",
    // Browsers send a stream's token in this header.
    "sec_websocket_protocol",
  ]
  /// Names that look secret but are not. Replaying a sign-in from a cassette needs their values.
  private static let harmless: Set<String> = ["token_type", "token_type_hint"]
  private static let harmlessEndings = ["_endpoint", "_supported"]

  static func isSecret(_ name: String) -> Bool {
    let name = String(name.lowercased().map { $0 == "-" || $0 == " " ? "_" : $0 })
    if harmless.contains(name) || harmlessEndings.contains(where: name.hasSuffix) { return false }
    return whole.contains(name) || parts.contains { name.contains($0) }
  }
}
