/// Told what becomes of a download. Every method has a default that does nothing. Held weakly: a
/// delegate that has gone hears nothing more, and its download ends when nobody else waits for it.
@MainActor
public protocol DownloadServiceDelegate: AnyObject, Sendable {
  func downloadService(_ service: DownloadService, didStart identifier: DownloadIdentifier)

  /// `expected` is nil where the server did not say how long its answer is.
  func downloadService(
    _ service: DownloadService, didReceive bytes: Int, of expected: Int?, for identifier: DownloadIdentifier)

  /// Whether a redirect to another origin (scheme, host and port) may be followed. It is without
  /// credentials either way. By default it may.
  func downloadService(
    _ service: DownloadService, shouldFollowRedirectTo url: String, for identifier: DownloadIdentifier
  ) -> Bool

  func downloadService(
    _ service: DownloadService, didFollowRedirectTo url: String, for identifier: DownloadIdentifier)

  /// The server wants to know who asks, and nobody has signed in or the sign-in is no longer good.
  /// ``downloadService(_:didFailWith:for:)`` follows.
  func downloadService(_ service: DownloadService, needsAuthenticationFor identifier: DownloadIdentifier)

  /// `request` is as it was started: by default its handler gets the answer.
  func downloadService<Answer>(
    _ service: DownloadService, didDownload answer: Answer, of request: Request<Answer>,
    for identifier: DownloadIdentifier)

  func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier)

  /// The last word on a download, after it succeeded, failed or was cancelled.
  func downloadService(_ service: DownloadService, didFinish identifier: DownloadIdentifier)
}

extension DownloadServiceDelegate {
  public func downloadService(_ service: DownloadService, didStart identifier: DownloadIdentifier) {}
  public func downloadService(
    _ service: DownloadService, didReceive bytes: Int, of expected: Int?, for identifier: DownloadIdentifier
  ) {}
  public func downloadService(
    _ service: DownloadService, shouldFollowRedirectTo url: String, for identifier: DownloadIdentifier
  ) -> Bool { true }
  public func downloadService(
    _ service: DownloadService, didFollowRedirectTo url: String, for identifier: DownloadIdentifier
  ) {}
  public func downloadService(_ service: DownloadService, needsAuthenticationFor identifier: DownloadIdentifier) {}
  public func downloadService<Answer>(
    _ service: DownloadService, didDownload answer: Answer, of request: Request<Answer>,
    for identifier: DownloadIdentifier
  ) { request.handle(answer) }
  public func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) {}
  public func downloadService(_ service: DownloadService, didFinish identifier: DownloadIdentifier) {}
}
