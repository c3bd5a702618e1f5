public import QwinkleService

/// One answer that its owner waits for. Releasing it gives it up, except for what changes something on the server: that
/// goes on, and nobody hears how it ended.
@MainActor
public final class Fetch: DownloadServiceDelegate {
  private let completion: @MainActor (Result<Download, DownloadError>) -> Void

  fileprivate init(completion: @escaping @MainActor (Result<Download, DownloadError>) -> Void) {
    self.completion = completion
  }

  public func downloadService(
    _ service: DownloadService, didDownload download: Download, for identifier: DownloadIdentifier
  ) {
    completion(.success(download))
  }

  public func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) {
    completion(.failure(error))
  }
}

extension QwinkFeed {
  /// Asks the server for something that no list keeps. `completion` is called at most once for each answer, on the main
  /// actor, while the result of this is held; it should hold what it uses weakly.
  public func fetch(
    _ request: DownloadRequest, completion: @escaping @MainActor (Result<Download, DownloadError>) -> Void
  ) -> Fetch {
    let fetch = Fetch(completion: completion)
    service.start(request, delegate: fetch)
    return fetch
  }
}
