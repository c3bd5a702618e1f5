import FoundationEssentials
import HTTPTypes
import Hashing
import Timekeeping

/// Checks that a form is submitted by the browser that displayed it. The form contains a seal: its expiry time, and an
/// authentication code of that time and the browser's cookie. Nothing is stored and the key is new at each start, so a
/// restart invalidates open forms.
struct FormGuard: Sendable {
  private static let cookie = "qwinkle_form"
  private static let validForSeconds = 3600

  let clock: any ProgramClock
  private let key = RandomBytes.make(32)

  init(clock: any ProgramClock) {
    self.clock = clock
  }

  /// Returns a seal for a form at `path`, and the cookie to send with it. An existing cookie is reused, because several
  /// forms may be open.
  func seal(for request: ServiceRequest, path: String = "/oauth/authorize") -> (seal: String, cookie: String) {
    let secret = Self.secret(in: request) ?? Secrets.make()
    let end = Int64(clock.now.timeIntervalSince1970) + Int64(Self.validForSeconds)
    let safety = request.origin.scheme == "https" ? "; Secure" : ""
    return (
      "\(end).\(code(secret, end).hexadecimal)",
      "\(Self.cookie)=\(secret); Path=\(path); Max-Age=\(Self.validForSeconds); HttpOnly; SameSite=Strict\(safety)"
    )
  }

  /// Returns whether a form was shown within the last hour in the browser that submits it.
  func accepts(_ seal: String?, from request: ServiceRequest) -> Bool {
    guard let parts = seal?.split(separator: ".", maxSplits: 1), parts.count == 2, let end = Int64(parts[0]),
      let secret = Self.secret(in: request), end >= Int64(clock.now.timeIntervalSince1970)
    else { return false }
    return ConstantTime.areEqual(Array(parts[1].utf8), Array(code(secret, end).hexadecimal.utf8))
  }

  private func code(_ secret: String, _ end: Int64) -> [UInt8] {
    SHA256.authenticationCode(for: Array("\(end).\(secret)".utf8), key: key)
  }

  private static func secret(in request: ServiceRequest) -> String? {
    for field in request.headers[values: .cookie] {
      for pair in field.split(separator: ";") {
        let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, String(parts[0]) == cookie, Secrets.isOne(parts[1]) { return String(parts[1]) }
      }
    }
    return nil
  }
}
