public import FoundationEssentials
public import QwinkleService

/// One request that its owner waits for: the delegate of its download. Made by ``AccountConnection``.
@MainActor
public final class Fetch: DownloadServiceDelegate {
  /// What would be lost if the program ended now.
  let kind: UnderWay?
  /// Whether it goes on when downloads are cancelled.
  var isKept: Bool
  /// Whether its owner hears that it was cancelled. The owner of a write doesn't: it may arrive all the same.
  var tellsCancellation: Bool
  var identifier: DownloadIdentifier?
  private(set) var progress: AccountConnection.Progress?
  /// Called as a large body is sent.
  var didSend: (@MainActor (_ bytes: Int, _ total: Int) -> Void)?

  private weak var connection: AccountConnection?
  /// The connection's ``AccountConnection/rejections`` when this was asked.
  private let rejections: Int
  /// The same of its ``AccountConnection/renewals``.
  private let renewals: Int
  private let isWrite: Bool
  private let didFail: @MainActor (DownloadError) -> Void
  private var hasEnded = false

  init(
    _ connection: AccountConnection, kind: UnderWay?, isWrite: Bool,
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
