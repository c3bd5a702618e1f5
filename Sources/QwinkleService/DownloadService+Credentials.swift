/// Handling of refusals whose reason may be either the token or a single object.
extension DownloadService {
  /// Interprets the `error` of a request that was sent with `configuration`. Status codes are ambiguous: Takahe
  /// responds 401 for another user's qwink and 400 to every request with a revoked token, and snac responds 422 to a
  /// revoked token. A refusal is therefore checked by requesting the token's own account.
  func checked<Answer>(
    _ error: DownloadError, of request: Request<Answer>, sentWith configuration: Configuration, for exchange: Exchange
  ) async -> DownloadError {
    guard let token = configuration.token, token == self.configuration.token, let host = error.refusingHost else {
      return error
    }
    let expired = DownloadError.signInExpired(host: host, server: configuration.serverURL)
    let check = Request<OwnAccount>.ownAccount
    if refusedToken == token || (request.place == check.place && !request.isWrite) {
      refusedToken = token
      return expired
    }
    let refusal: DownloadError?
    do throws(DownloadError) {
      // The check has no delegates, so that its progress isn't reported as the request's progress.
      _ = try await call(check, for: AnswerExchange(check, activity: exchange.activity))
      refusal = nil
    } catch {
      refusal = error
    }
    guard let refusal else { return error.needsSignIn ? .forbidden(host: host, message: "") : error }
    // The check failed for another reason, such as the network, so it proves nothing about the token.
    guard refusal.refusingHost != nil else { return error }
    refusedToken = token
    return expired
  }
}

extension DownloadError {
  /// The host that refused the request, if the token may be the reason. Otherwise nil.
  fileprivate var refusingHost: String? {
    switch self {
    case .signInExpired(let host, _), .rejected(let host, _): host
    default: nil
    }
  }
}
