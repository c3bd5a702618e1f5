public import QwinkleWire

/// Why a download failed. ``sentence`` tells a person: what failed, why, what they can do.
public enum DownloadError: Error, Hashable, Sendable {
  /// There was no whole answer.
  case transport(TransportError)
  /// The server wants to know who asks (401, 403 while signed out).
  case needsAuthentication(host: String, message: String)
  /// The token that was good once is not any more (401 while signed in); `server` is the address to sign in at again.
  case signInExpired(host: String, server: String)
  /// Signed in, but not allowed (403).
  case forbidden(host: String, message: String)
  /// It is not there, or no longer (404, 410).
  case notFound(host: String, message: String)
  /// What was sent is not acceptable (400, 422); `message` is the server's reason.
  case rejected(host: String, message: String)
  /// Too many requests (429). `retryAfter` where the server said.
  case rateLimited(host: String, retryAfter: Duration?)
  /// What was sent is larger than the server takes (413).
  case tooLargeToSend(host: String)
  /// The server has no room to keep anything (507); `message` is its reason. Nothing was kept.
  case noRoom(host: String, message: String)
  /// The server failed (5xx).
  case serverFailed(host: String, status: Int)
  /// The answer is not what the Mastodon client API says: HTML, nothing, or cut off.
  case unreadable(host: String, reason: String)
  /// Too many redirects, or one that leads nowhere or to plain http.
  case badRedirect(host: String)
  /// Any other status.
  case unexpectedStatus(host: String, status: Int)
}

extension DownloadError {
  /// Somebody gave it up.
  public static let cancelled = DownloadError.transport(.cancelled)

  /// Whether somebody gave it up: then nothing has failed.
  public var isCancelled: Bool { self == .cancelled }
}

extension DownloadError {
  /// Whether the server may just not know the call. Those that answer everything with a web page don't say so.
  var mayBeOfUnknownCall: Bool {
    switch self {
    case .notFound, .unreadable: true
    default: false
    }
  }
}
