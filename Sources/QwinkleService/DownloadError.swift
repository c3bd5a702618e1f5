public import QwinkleModel
public import QwinkleWire

/// Why a download failed. ``sentence`` explains it to a person: what failed, why, and what to do.
public enum DownloadError: Error, Hashable, Sendable {
  /// There was no complete answer.
  case transport(TransportError)
  /// The server requires signing in (401, or 403 while signed out).
  case needsAuthentication(host: String, message: String)
  /// The token is no longer valid (401 while signed in); `server` is the address to sign in at again.
  case signInExpired(host: String, server: String)
  /// Signed in, but not allowed (403).
  case forbidden(host: String, message: String)
  /// It doesn't exist, or no longer (404, 410).
  case notFound(host: String, message: String)
  /// The server can't do this at all: it doesn't know the call.
  case unsupported(host: String, Ability)
  /// The server answers as if it didn't know the call, but maybe for one object alone.
  case unsupportedHere(host: String, Ability)
  /// The server doesn't accept what was sent (400, 422); `message` is its reason.
  case rejected(host: String, message: String)
  /// Too many requests (429). `retryAfter` is nil if the server gave no time.
  case rateLimited(host: String, retryAfter: Duration?)
  /// What was sent is too large for the server (413).
  case tooLargeToSend(host: String)
  /// The server has no storage left (507); `message` is its reason. Nothing was stored.
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
  /// The download was cancelled.
  public static let cancelled = DownloadError.transport(.cancelled)

  /// Whether it was cancelled: then nothing has failed.
  public var isCancelled: Bool { self == .cancelled }

  /// Whether a local file failed, not the server or the network.
  public var isOfFile: Bool {
    if case .transport(.file) = self { true } else { false }
  }
}

extension DownloadError {
  /// Whether the server may just not know the call. An unreadable answer counts: some servers answer everything with a
  /// web page.
  var mayBeOfUnknownCall: Bool {
    switch self {
    case .notFound, .unreadable: true
    default: false
    }
  }

  /// The error if this one means that the server doesn't know the call, for which it needs `ability`; else nil.
  public func lacking(_ ability: Ability) -> DownloadError? {
    switch self {
    case .notFound(let host, _), .unexpectedStatus(let host, 405), .serverFailed(let host, 501):
      .unsupported(host: host, ability)
    // snac answers so to calls that it doesn't know. Other servers give a reason for what they reject.
    case .rejected(let host, ""): .unsupportedHere(host: host, ability)
    default: nil
    }
  }
}

extension DownloadError {
  /// Whether the same request may succeed later: the server, the network or the sign-in is at fault, not the request.
  public var mayPass: Bool {
    switch self {
    case .forbidden, .notFound, .unsupported, .unsupportedHere, .rejected, .tooLargeToSend, .badRedirect,
      .transport(.file):
      false
    case .unexpectedStatus: isTransient
    default: true
    }
  }
}
