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
  private var fetch: Fetch?
  private var pinnedFetch: Fetch?

  /// - Parameter qwinker: The version that is already loaded, shown until the fetch completes.
  init(_ qwinker: Qwinker, account: Account) {
    self.qwinker = qwinker
    self.account = account
    account.addObserver(self)
  }

  /// Fetches the profile, its pinned qwinks, and the user's relationship to the qwinker.
  func load() {
    loadPinned()
    if fetch == nil { loadProfile() }
    if account.isSignedIn, account.identity.me?.id != qwinker.id { account.follows.loadRelationship(to: qwinker) }
  }

  private func loadProfile() {
    fetch = account.fetch(.qwinker(qwinker.id)) { [weak self] result in
      guard let self else { return }
      fetch = nil
      switch result {
      case .success(let fresh):
        qwinker = fresh
        error = nil
      case .failure(let failure): error = failure
      }
      didChange?()
    }
  }

  /// Loads the pinned qwinks and ignores failures. If the server is unreachable, loading the profile reports it.
  private func loadPinned() {
    guard pinnedFetch == nil else { return }
    pinnedFetch = account.fetch(.pinned(by: qwinker.id, limit: Self.pinnedLimit)) { [weak self] result in
      guard let self else { return }
      pinnedFetch = nil
      guard case .success(let page) = result else { return }
      setPinned(page.items)
    }
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

  /// Following or unfollowing changes the number of followers.
  func follows(_ follows: Follows, didFollow outcome: FollowOutcome) {
    if outcome.qwinker.id == qwinker.id { loadProfile() }
  }

  func identityDidChange(_ identity: Identity) {
    if let me = account.identity.me, me.id == qwinker.id { qwinker = me }
    didChange?()
  }
}
