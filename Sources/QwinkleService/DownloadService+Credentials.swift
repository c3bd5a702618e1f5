/// Refusals that may be about the token, or about one object alone.
extension DownloadService {
  /// Returns the meaning of `error`, which a request sent with `configuration` got. Takahe answers 401 for a qwink of
  /// another user, and 400 for each request with a revoked token; snac answers 422 then. So the server is asked whose
  /// the token is before either is believed.
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
      // Without delegates, so that its progress isn't reported as progress of the request.
      _ = try await call(check, for: AnswerExchange(check, activity: exchange.activity))
      refusal = nil
    } catch {
      refusal = error
    }
    guard let refusal else { return error.needsSignIn ? .forbidden(host: host, message: "") : error }
    // Any other failure proves nothing.
    guard refusal.refusingHost != nil else { return error }
    refusedToken = token
    return expired
  }
}

extension DownloadError {
  /// The server, if the token may be why it refused a signed-in request; else nil.
  fileprivate var refusingHost: String? {
    switch self {
    case .signInExpired(let host, _), .rejected(let host, _): host
    default: nil
    }
  }
}
