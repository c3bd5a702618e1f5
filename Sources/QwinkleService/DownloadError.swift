public import QwinkleModel
public import QwinkleWire

/// The reason that a download failed. ``sentence`` describes it to the user.
public enum DownloadError: Error, Hashable, Sendable {
  /// No complete response was received.
  case transport(TransportError)
  /// The server requires a sign-in (401, or 403 while signed out).
  case needsAuthentication(host: String, message: String)
  /// The token is no longer valid (401 while signed in). `server` is the address for signing in again.
  case signInExpired(host: String, server: String)
  /// The signed-in user isn't allowed to do this (403).
  case forbidden(host: String, message: String)
  /// The object doesn't exist or was deleted (404, 410).
  case notFound(host: String, message: String)
  /// The server doesn't implement the API call.
  case unsupported(host: String, Ability)
  /// Either the server doesn't implement the API call, or it rejects the call for this object, such as a qwink.
  case unsupportedHere(host: String, Ability)
  /// The server rejected the request's content (400, 422). `message` is its reason.
  case rejected(host: String, message: String)
  /// Too many requests (429). `retryAfter` is nil if the server didn't send a time.
  case rateLimited(host: String, retryAfter: Duration?)
  /// The request is too large for the server (413).
  case tooLargeToSend(host: String)
  /// The server has no storage left (507). `message` is its reason. Nothing was stored.
  case noRoom(host: String, message: String)
  /// The server failed (5xx).
  case serverFailed(host: String, status: Int)
  /// The response doesn't conform to the Mastodon client API, for example because it is HTML, empty or truncated.
  case unreadable(host: String, reason: String)
  /// Too many redirects, or a redirect to an invalid address or to plain http.
  case badRedirect(host: String)
  /// Any other status.
  case unexpectedStatus(host: String, status: Int)
}

extension DownloadError {
  /// The download was cancelled.
  public static let cancelled = DownloadError.transport(.cancelled)

  /// Whether the download was cancelled, which isn't a failure.
  public var isCancelled: Bool { self == .cancelled }

  /// Whether the cause is a local file rather than the server or the network.
  public var isOfFile: Bool {
    if case .transport(.file) = self { true } else { false }
  }
}

extension DownloadError {
  /// Whether the reason may be that the server doesn't implement the API call. Includes unreadable responses, because
  /// some servers answer every request with a web page.
  var mayBeOfUnknownCall: Bool {
    switch self {
    case .notFound, .unreadable: true
    default: false
    }
  }

  /// Returns the error for a missing `ability` if the server may not implement the call, otherwise nil. A `.notFound`
  /// can also mean that the object doesn't exist.
  public func lacking(_ ability: Ability) -> DownloadError? {
    switch self {
    case .notFound(let host, _), .unexpectedStatus(let host, 405), .serverFailed(let host, 501):
      .unsupported(host: host, ability)
    // The server software snac gives no reason when it rejects an unknown call. Other servers always give one.
    case .rejected(let host, ""): .unsupportedHere(host: host, ability)
    default: nil
    }
  }
}

extension DownloadError {
  /// Whether the same request may succeed later, because the cause is the server, the network or the sign-in, not the
  /// request.
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
