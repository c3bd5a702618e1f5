import SafeText

/// The reason why signing in or out failed. ``sentence`` describes it to the user.
public enum SignInError: Error, Hashable, Sendable {
  /// The request failed as any download can: the server couldn't be reached, or it reported an error.
  case server(DownloadError)
  /// The server has no Mastodon-like API.
  case notMastodonLike(host: String)
  /// The server has the API, but doesn't let apps register. `message` is the server's reason, or empty.
  case noSignIn(host: String, message: String)
  /// The server's accounts are at another address.
  case elsewhere(host: String, serverURL: String)
  /// The typed text can't be a code.
  case noCode
  /// The code belongs to another sign-in.
  case otherSignIn
  /// The code is wrong or no longer valid.
  case wrongCode(host: String)
  /// The user denied access.
  case denied(host: String)
  /// The token is wrong or no longer valid; `message` is the server's reason, or empty.
  case badToken(host: String, message: String)
  /// The server still accepts the token after it was asked to revoke it.
  case stillValid(host: String)
  /// The server can't revoke tokens.
  case cannotRevoke(host: String)
  /// Any other refusal, with OAuth's error code and message.
  case refused(host: String, code: String, message: String)

  /// One line of safe text: the failure, its reason and a remedy.
  public var sentence: String {
    switch self {
    case .server(let error): error.sentence
    case .notMastodonLike(let host):
      "\(safe(host)) does not offer the Mastodon client API. Check the address: it must be the server's own."
    case .noSignIn(let host, let message):
      "\(safe(host)) does not let apps sign in\(quoting(message)). "
        + "Create a token in its web settings and pass it with --token-stdin."
    case .elsewhere(let host, let serverURL):
      "\(safe(host)) redirects sign-ins to another address. "
        + "If you trust it: qwinkle login \(shortened(SafeText.line(serverURL)))"
    case .noCode: "Not a code. Copy the whole code that the page shows after you allow Qwinkle."
    case .otherSignIn: "This code belongs to a different sign-in. Open the address above and copy the code from there."
    case .wrongCode(let host):
      "\(safe(host)) rejected the code: it is mistyped, already used or expired. "
        + "Copy it again, or start over: qwinkle login URL"
    case .denied(let host): "You denied Qwinkle access at \(safe(host)). To allow it, start over: qwinkle login URL"
    case .badToken(let host, let message):
      "\(safe(host)) rejected the token\(quoting(message)). It may be mistyped, revoked or for a different server."
    case .stillValid(let host):
      "\(safe(host)) still accepts the token after revoking it. Revoke it in the server's web settings."
    case .cannotRevoke(let host):
      "\(safe(host)) cannot revoke tokens for apps. Revoke it in the server's web settings."
    case .refused(let host, let code, let message):
      "\(safe(host)) refused the sign-in\(quoting(message.isEmpty ? code : message)). "
        + "Try again. If this persists, tell the server's admin."
    }
  }

  /// Whether the user can try another code.
  public var isAboutCode: Bool {
    switch self {
    case .noCode, .otherSignIn, .wrongCode: true
    default: false
    }
  }
}
