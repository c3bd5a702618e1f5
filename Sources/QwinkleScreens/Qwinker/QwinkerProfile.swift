import QwinkleAccount
import QwinkleModel
import QwinkleService

/// A qwinker's profile. Updated while its page is open.
@MainActor
final class QwinkerProfile: AccountObserver {
  /// Higher than any server's limit on pinned qwinks.
  private static let pinnedLimit = 40

  private(set) var qwinker: Qwinker
  /// The server's response to the request for pinned qwinks. Some servers return all qwinks; see ``PinnedQwinks``.
  private(set) var answeredPinned: [Qwink] = []
  /// The error of the last fetch of the profile, if it failed.
  private(set) var error: DownloadError?
  var didChange: (@MainActor () -> Void)?

  private let account: Account
  private var download: DownloadIdentifier?
  private var pinnedDownload: DownloadIdentifier?

  /// - Parameter qwinker: The version that is already loaded, shown until the fetch completes.
  init(_ qwinker: Qwinker, account: Account) {
    self.qwinker = qwinker
    self.account = account
    account.addObserver(self)
  }

  /// Fetches the profile, its pinned qwinks, and the user's relationship to the qwinker.
  func load() {
    loadPinned()
    if download == nil { loadProfile() }
    if account.isSignedIn, !account.isMe(qwinker) { account.follows.loadRelationship(to: qwinker) }
  }

  private func loadProfile() {
    download = account.start(.qwinker(qwinker.id), delegate: self)
  }

  /// Loads the pinned qwinks and ignores failures. If the server is unreachable, loading the profile reports the error.
  private func loadPinned() {
    guard pinnedDownload == nil else { return }
    pinnedDownload = account.start(.pinned(by: qwinker.id, limit: Self.pinnedLimit), delegate: self)
  }

  private func setPinned(_ pinned: [Qwink]) {
    guard pinned != answeredPinned else { return }
    answeredPinned = pinned
    didChange?()
  }

  func timelines(_ timelines: Timelines, didChange qwink: Qwink) {
    setPinned(answeredPinned.map { $0.rowID == qwink.rowID ? qwink : $0 })
  }

  func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink) {
    setPinned(answeredPinned.map { $0.booster == nil && $0.id == id ? qwink : $0 })
  }

  func timelines(_ timelines: Timelines, didDelete id: Qwink.ID) {
    setPinned(answeredPinned.filter { $0.originalID != id }.map { $0.withholdingQuote(of: id) ?? $0 })
  }

  func follows(_ follows: Follows, didChange relationship: Relationship) {
    guard relationship.id == qwinker.id else { return }
    didChange?()
  }

  func featuredTags(_ featuredTags: FeaturedTags, didChangeOf id: Qwinker.ID) {
    if id == qwinker.id { didChange?() }
  }

  /// Following or unfollowing changes the number of followers.
  func follows(_ follows: Follows, didFollow outcome: FollowOutcome) {
    if outcome.qwinker.id == qwinker.id { loadProfile() }
  }

  func identityDidChange(_ identity: Identity) {
    if let me = account.identity.me, me.id == qwinker.id { qwinker = me }
    didChange?()
  }
}

extension QwinkerProfile: DownloadServiceDelegate {
  func downloadService<Answer>(
    _ service: DownloadService, didDownload answer: Answer, of request: Request<Answer>,
    for identifier: DownloadIdentifier
  ) {
    switch answer {
    case let page as Page<Qwink>: setPinned(page.items)
    case let fresh as Qwinker where identifier == download:
      download = nil
      qwinker = fresh
      error = nil
      if !fresh.isSuspended { account.featuredTags.load(of: fresh.id) }
      didChange?()
    default: break
    }
  }

  func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) {
    if identifier == download { didFail(error) }
  }

  func downloadService(_ service: DownloadService, didFinish identifier: DownloadIdentifier) {
    if identifier == pinnedDownload { pinnedDownload = nil }
    if identifier == download { didFail(.cancelled) }
  }

  private func didFail(_ error: DownloadError) {
    download = nil
    self.error = error
    didChange?()
  }
}
