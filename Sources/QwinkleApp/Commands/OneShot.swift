import QwinkleService

/// One question to a service, for a command that asks and ends.
@MainActor
final class OneShot: DownloadServiceDelegate {
  private let done: @MainActor (Result<Download, DownloadError>) -> Void

  private init(_ done: @escaping @MainActor (Result<Download, DownloadError>) -> Void) {
    self.done = done
  }

  private static var current: OneShot?

  /// The answer to `request`.
  static func answer(to request: DownloadRequest, from service: DownloadService) async throws(DownloadError) -> Download
  {
    let result = await withCheckedContinuation { continuation in
      let asker = OneShot { continuation.resume(returning: $0) }
      current = asker
      service.start(request, delegate: asker)
    }
    current = nil
    return try result.get()
  }

  func downloadService(
    _ service: DownloadService, didDownload download: Download, for identifier: DownloadIdentifier
  ) {
    done(.success(download))
  }

  func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) {
    done(.failure(error))
  }
}
