public import FoundationEssentials

/// Receives the progress and the result of downloads. Only `didDownload` and `didFailWith` are required.
///
/// A download's own delegate is the object passed to ``DownloadService/start(_:delegate:)``. The service holds it
/// weakly. When this delegate is released, the download is cancelled, unless its request is a write. Delegates added
/// with ``DownloadService/addDelegate(_:)`` are notified of all downloads.
@MainActor
public protocol DownloadServiceDelegate: AnyObject, Sendable {
  func downloadService(_ service: DownloadService, didStart identifier: DownloadIdentifier)

  /// Called as the response arrives. `expected` is nil if the server reported no length.
  func downloadService(
    _ service: DownloadService, didReceive bytes: Int, of expected: Int?, for identifier: DownloadIdentifier)

  /// Called while a large body is being sent.
  func downloadService(
    _ service: DownloadService, didSend bytes: Int, of total: Int, for identifier: DownloadIdentifier)

  /// Returns whether to follow a redirect to another origin (scheme, host and port). The redirected request carries no
  /// credentials. Defaults to true. Only a download's own delegate is asked.
  func downloadService(
    _ service: DownloadService, shouldFollowRedirectTo url: String, for identifier: DownloadIdentifier
  ) -> Bool

  func downloadService(
    _ service: DownloadService, didFollowRedirectTo url: String, for identifier: DownloadIdentifier)

  /// Called when the server requires signing in, because the user is signed out or the sign-in has expired.
  /// ``downloadService(_:didFailWith:for:)`` follows.
  func downloadService(_ service: DownloadService, needsAuthenticationFor identifier: DownloadIdentifier)

  /// Called with the server's clock time, from any response that reports it, successful or not.
  func downloadService(_ service: DownloadService, didLearn date: Date, for identifier: DownloadIdentifier)

  /// Called with the decoded answer. `request` equals the one passed to ``DownloadService/start(_:delegate:)``.
  func downloadService<Answer>(
    _ service: DownloadService, didDownload answer: Answer, of request: Request<Answer>,
    for identifier: DownloadIdentifier)

  func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier)

  /// Called last for each download, after it succeeded, failed or was cancelled. By default, calls
  /// ``downloadService(_:didFailWith:for:)`` with ``DownloadError/cancelled``. This suits delegates that ignore a
  /// download after its result.
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
  public func downloadService(_ service: DownloadService, didFinish identifier: DownloadIdentifier) {
    downloadService(service, didFailWith: .cancelled, for: identifier)
  }
}
