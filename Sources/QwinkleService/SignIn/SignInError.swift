import SafeText

/// Why signing in or out failed. ``sentence`` explains it to a person.
public enum SignInError: Error, Hashable, Sendable {
  /// The server could not be asked, or failed, as in any download.
  case server(DownloadError)
  /// It has no Mastodon-like API.
  case notMastodonLike(host: String)
  /// It has the API, but lets no program register; `message` is its reason, or empty.
  case noSignIn(host: String, message: String)
  /// Its accounts are at another address.
  case elsewhere(host: String, serverURL: String)
  /// What was typed can't be a code.
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
  /// Any other refusal, in OAuth's words.
  case refused(host: String, code: String, message: String)

  /// What failed, why, and what to do: one line of safe text.
  public var sentence: String {
    switch self {
    case .server(let error): error.sentence
    case .notMastodonLike(let host):
      "\(safe(host)) does not speak the Mastodon client API. Check the address: it must be the one of the server itself."
    case .noSignIn(let host, let message):
      "\(safe(host)) lets no program sign in\(quoting(message)). "
        + "Make a token in its settings and give it with --token-stdin."
    case .elsewhere(let host, let serverURL):
      "\(safe(host)) sends sign-ins to another address. "
        + "If you trust that: qwinkle login \(shortened(SafeText.line(serverURL)))"
    case .noCode: "That is no code. Copy what the page shows after you have allowed Qwinkle, and nothing else."
    case .otherSignIn: "That code belongs to another sign-in. Open the address above and use the code it leads to."
    case .wrongCode(let host):
      "\(safe(host)) does not take that code: it is mistyped, was used before, or is too old. "
        + "Copy it again, or begin anew: qwinkle login URL"
    case .denied(let host): "\(safe(host)) was told not to let Qwinkle in. Begin anew if that was a mistake."
    case .badToken(let host, let message):
      "\(safe(host)) does not take that token\(quoting(message)). It may be mistyped, revoked, or of another server."
    case .stillValid(let host):
      "\(safe(host)) was asked to forget the token, but takes it still. Withdraw it in the server's settings."
    case .cannotRevoke(let host):
      "\(safe(host)) has no way for a program to give its token back. Withdraw it in the server's settings."
    case .refused(let host, let code, let message):
      "\(safe(host)) refuses to sign you in\(quoting(message.isEmpty ? code : message)). "
        + "Try again; if it stays so, tell who runs that server."
    }
  }

  /// Whether another code may work.
  public var isAboutCode: Bool {
    switch self {
    case .noCode, .otherSignIn, .wrongCode: true
    default: false
    }
  }
}
