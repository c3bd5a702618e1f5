public import FoundationEssentials
public import QwinkleService

/// A request that its owner waits for. It is the delegate of its download, and is created by ``AccountConnection``.
@MainActor
public final class Fetch: DownloadServiceDelegate {
  /// The write that would be lost if the program quit now.
  let kind: WriteKind?
  /// Whether the request continues when downloads are cancelled.
  var isKept: Bool
  /// Whether the owner is notified of a cancellation. False for writes, because a cancelled write may still reach the
  /// server.
  var tellsCancellation: Bool
  var identifier: DownloadIdentifier?
  private(set) var progress: AccountConnection.Progress?
  /// Called repeatedly while a large body is sent.
  var didSend: (@MainActor (_ bytes: Int, _ total: Int) -> Void)?

  private weak var connection: AccountConnection?
  /// The connection's ``AccountConnection/rejections`` when this request was sent.
  private let rejections: Int
  /// The connection's ``AccountConnection/renewals`` when this request was sent.
  private let renewals: Int
  private let isWrite: Bool
  private let didFail: @MainActor (DownloadError) -> Void
  private var hasEnded = false

  init(
    _ connection: AccountConnection, kind: WriteKind?, isWrite: Bool,
    didFail: @escaping @MainActor (DownloadError) -> Void
  ) {
    self.connection = connection
    rejections = connection.rejections
    renewals = connection.renewals
    self.kind = kind
    self.isWrite = isWrite
    self.didFail = didFail
    isKept = isWrite
    tellsCancellation = !isWrite
  }

  public func downloadService<Answer>(
    _ service: DownloadService, didDownload answer: Answer, of request: Request<Answer>,
    for identifier: DownloadIdentifier
  ) {
    hasEnded = true
    connection?.noteAnswer(isWrite: isWrite, sentAfter: rejections)
    request.handle(answer)
  }

  public func downloadService(
    _ service: DownloadService, didLearn date: Date, for identifier: DownloadIdentifier
  ) {
    connection?.noteServerDate(date)
  }

  public func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) {
    hasEnded = true
    connection?.note(error)
    didFail(error)
  }

  public func downloadService(_ service: DownloadService, didFinish identifier: DownloadIdentifier) {
    connection?.noteEnd(of: self)
    if !hasEnded, tellsCancellation { didFail(.cancelled) }
  }

  public func downloadService(_ service: DownloadService, needsAuthenticationFor identifier: DownloadIdentifier) {
    connection?.noteNeedsSignIn(sentAfter: renewals)
  }

  public func downloadService(
    _ service: DownloadService, didReceive bytes: Int, of expected: Int?, for identifier: DownloadIdentifier
  ) {
    progress = .init(received: bytes, expected: expected)
    connection?.noteProgress(of: self)
  }

  public func downloadService(
    _ service: DownloadService, didSend bytes: Int, of total: Int, for identifier: DownloadIdentifier
  ) {
    didSend?(bytes, total)
  }

  public func downloadService(
    _ service: DownloadService, didFollowRedirectTo url: String, for identifier: DownloadIdentifier
  ) {
    connection?.noteRedirect(to: url)
  }
}
