/// Handling of refusals that may concern either the token or a single object.
extension DownloadService {
  /// Returns the actual meaning of `error`, which a request sent with `configuration` received. Status codes are
  /// ambiguous: Takahe responds 401 for another user's qwink and 400 to every request with a revoked token, and snac
  /// responds 422 to a revoked token. A refusal is therefore checked by requesting the token's own account.
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
    // Any other failure is inconclusive.
    guard refusal.refusingHost != nil else { return error }
    refusedToken = token
    return expired
  }
}

extension DownloadError {
  /// The server's host if it may have refused a signed-in request because of the token, otherwise nil.
  fileprivate var refusingHost: String? {
    switch self {
    case .signInExpired(let host, _), .rejected(let host, _): host
    default: nil
    }
  }
}
