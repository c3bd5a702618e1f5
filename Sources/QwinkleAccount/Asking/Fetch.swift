public import QwinkleService

/// Waits for one answer, for callers that own no list of data: commands, and screens that look something up. It is the
/// delegate of its download, and is created by ``AccountConnection``.
@MainActor
public final class Fetch: DownloadServiceDelegate {
  var identifier: DownloadIdentifier?
  /// Whether the caller is notified of a cancellation. False for writes, because a cancelled write may still reach the
  /// server.
  private let tellsCancellation: Bool
  private var completion: (@MainActor (Result<any Sendable, DownloadError>) -> Void)?

  init(
    tellsCancellation: Bool, completion: @escaping @MainActor (Result<any Sendable, DownloadError>) -> Void
  ) {
    self.tellsCancellation = tellsCancellation
    self.completion = completion
  }

  private func complete(_ result: Result<any Sendable, DownloadError>) {
    let completion = completion
    self.completion = nil
    completion?(result)
  }

  public func downloadService<Answer>(
    _ service: DownloadService, didDownload answer: Answer, of request: Request<Answer>,
    for identifier: DownloadIdentifier
  ) { complete(.success(answer)) }

  public func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) { complete(.failure(error)) }

  public func downloadService(_ service: DownloadService, didFinish identifier: DownloadIdentifier) {
    if tellsCancellation { complete(.failure(.cancelled)) }
    completion = nil
  }
}
