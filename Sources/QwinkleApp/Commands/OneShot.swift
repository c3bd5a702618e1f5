import QwinkleModel
import QwinkleService

/// One question to a service, for a command that asks and ends.
@MainActor
final class OneShot: DownloadServiceDelegate {
  private var downloads: [Download] = []
  private var error: DownloadError?
  private let done: @MainActor (OneShot) -> Void

  private init(_ done: @escaping @MainActor (OneShot) -> Void) {
    self.done = done
  }

  /// The signed-in account and its default visibility, which is nil if the server doesn't say.
  struct Account {
    var me: Qwinker
    var usualVisibility: Visibility?
  }

  private static var current: OneShot?

  /// The answer to `request`.
  static func answer(to request: DownloadRequest, from service: DownloadService) async throws(DownloadError) -> Download
  {
    let asked = await asked(request, of: service)
    if let error = asked.error { throw error }
    guard let answer = asked.downloads.first else {
      throw .unreadable(host: service.serverURL, reason: "there is none")
    }
    return answer
  }

  /// Who asks; nil where the server does not say.
  static func me(_ service: DownloadService) async -> Qwinker? { await account(service)?.me }

  /// Who asks, and who may read what they write unless they say otherwise; nil where the server does not say.
  static func account(_ service: DownloadService) async -> Account? {
    let asked = await asked(.connect, of: service)
    return asked.downloads.lazy.compactMap {
      if case .me(let me, let usual) = $0 { Account(me: me, usualVisibility: usual) } else { nil }
    }.first
  }

  /// Asks, and returns when all has been said.
  private static func asked(_ request: DownloadRequest, of service: DownloadService) async -> OneShot {
    let asked = await withCheckedContinuation { continuation in
      let asker = OneShot { continuation.resume(returning: $0) }
      current = asker
      service.start(request, delegate: asker)
    }
    current = nil
    return asked
  }

  func downloadService(
    _ service: DownloadService, didDownload download: Download, for identifier: DownloadIdentifier
  ) {
    downloads.append(download)
  }

  func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) {
    self.error = error
  }

  func downloadService(_ service: DownloadService, didFinish identifier: DownloadIdentifier) {
    done(self)
  }
}
