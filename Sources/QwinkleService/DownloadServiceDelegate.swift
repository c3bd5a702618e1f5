public import FoundationEssentials

/// Hears of the progress and the end of a download. All methods are optional. Held weakly: a download ends when its
/// delegates are gone, unless it changes something on the server.
@MainActor
public protocol DownloadServiceDelegate: AnyObject, Sendable {
  func downloadService(_ service: DownloadService, didStart identifier: DownloadIdentifier)

  /// `expected` is nil if the server gave no length.
  func downloadService(
    _ service: DownloadService, didReceive bytes: Int, of expected: Int?, for identifier: DownloadIdentifier)

  /// So many bytes of a large body were sent.
  func downloadService(
    _ service: DownloadService, didSend bytes: Int, of total: Int, for identifier: DownloadIdentifier)

  /// Whether to follow a redirect to another origin (scheme, host and port). It carries no credentials either way.
  /// Followed by default.
  func downloadService(
    _ service: DownloadService, shouldFollowRedirectTo url: String, for identifier: DownloadIdentifier
  ) -> Bool

  func downloadService(
    _ service: DownloadService, didFollowRedirectTo url: String, for identifier: DownloadIdentifier)

  /// The server requires signing in: nobody is signed in, or the sign-in has expired.
  /// ``downloadService(_:didFailWith:for:)`` follows.
  func downloadService(_ service: DownloadService, needsAuthenticationFor identifier: DownloadIdentifier)

  /// The server said what time it was when it answered, with or without success.
  func downloadService(_ service: DownloadService, didLearn date: Date, for identifier: DownloadIdentifier)

  /// `request` is the one passed to ``DownloadService/start(_:delegate:)``. By default its handler gets the answer.
  func downloadService<Answer>(
    _ service: DownloadService, didDownload answer: Answer, of request: Request<Answer>,
    for identifier: DownloadIdentifier)

  func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier)

  /// The last call for a download, after it succeeded, failed or was cancelled.
  func downloadService(_ service: DownloadService, didFinish identifier: DownloadIdentifier)
}

extension DownloadServiceDelegate {
  public func downloadService(_ service: DownloadService, didStart identifier: DownloadIdentifier) {}
  public func downloadService(
    _ service: DownloadService, didReceive bytes: Int, of expected: Int?, for identifier: DownloadIdentifier
  ) {}
  public func downloadService(
    _ service: DownloadService, didSend bytes: Int, of total: Int, for identifier: DownloadIdentifier
  ) {}
  public func downloadService(
    _ service: DownloadService, shouldFollowRedirectTo url: String, for identifier: DownloadIdentifier
  ) -> Bool { true }
  public func downloadService(
    _ service: DownloadService, didFollowRedirectTo url: String, for identifier: DownloadIdentifier
  ) {}
  public func downloadService(_ service: DownloadService, needsAuthenticationFor identifier: DownloadIdentifier) {}
  public func downloadService(
    _ service: DownloadService, didLearn date: Date, for identifier: DownloadIdentifier
  ) {}
  public func downloadService<Answer>(
    _ service: DownloadService, didDownload answer: Answer, of request: Request<Answer>,
    for identifier: DownloadIdentifier
  ) { request.handle(answer) }
  public func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) {}
  public func downloadService(_ service: DownloadService, didFinish identifier: DownloadIdentifier) {}
}
