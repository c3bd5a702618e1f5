public import QwinkleService
import Timekeeping

/// One answer that its owner waits for. Releasing it gives it up, except for what changes something on the server: that
/// goes on, and nobody hears how it ended.
@MainActor
public final class Fetch: DownloadServiceDelegate {
  private let completion: @MainActor (Result<Download, DownloadError>) -> Void
  /// Told before anybody else how it ended.
  private let note: @MainActor (DownloadError?) -> Void
  private var hasEnded = false

  fileprivate init(
    note: @escaping @MainActor (DownloadError?) -> Void,
    completion: @escaping @MainActor (Result<Download, DownloadError>) -> Void
  ) {
    self.note = note
    self.completion = completion
  }

  public func downloadService(
    _ service: DownloadService, didDownload download: Download, for identifier: DownloadIdentifier
  ) {
    note(nil)
    end(.success(download))
  }

  public func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) {
    note(error)
    end(.failure(error))
  }

  public func downloadService(_ service: DownloadService, didFinish identifier: DownloadIdentifier) {
    // Whoever waits hears that it was given up.
    if !hasEnded { end(.failure(.cancelled)) }
  }

  private func end(_ result: Result<Download, DownloadError>) {
    hasEnded = true
    completion(result)
  }
}

/// A fetch that can be given up.
struct WeakFetch {
  weak var fetch: Fetch?
  let identifier: DownloadIdentifier
}

extension QwinkFeed {
  /// Asks the server for something that no list keeps. `completion` is called at most once for each answer, on the main
  /// actor, while the result of this is held; it should hold what it uses weakly.
  public func fetch(
    _ request: DownloadRequest, completion: @escaping @MainActor (Result<Download, DownloadError>) -> Void
  ) -> Fetch {
    let note: @MainActor (DownloadError?) -> Void = { [contact, clock] in contact.note($0, at: clock.now) }
    let fetch = Fetch(note: note, completion: completion)
    let identifier = service.start(request, delegate: fetch)
    if !request.isWrite {
      fetches.removeAll { $0.fetch == nil }
      fetches.append(WeakFetch(fetch: fetch, identifier: identifier))
    }
    return fetch
  }
}
