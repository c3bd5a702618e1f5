import QwinkleAccount
import QwinkleModel
import QwinkleService

/// A qwinker's profile, kept up to date while their page is open.
@MainActor
final class QwinkerProfile: AccountObserver {
  /// Pinned qwinks requested. The most that any server lets one pin is less.
  private static let pinnedLimit = 40

  private(set) var qwinker: Qwinker
  /// The server's answer to the question what they have pinned; see ``PinnedQwinks``.
  private(set) var answeredPinned: [Qwink] = []
  /// Why the profile could not be fetched; nil if it could.
  private(set) var error: DownloadError?
  /// Called after any change.
  var didChange: (@MainActor () -> Void)?

  private let account: Account
  private var fetch: Fetch?
  private var pinnedFetch: Fetch?

  /// Starts with `qwinker` as known from elsewhere.
  init(_ qwinker: Qwinker, account: Account) {
    self.qwinker = qwinker
    self.account = account
    account.addObserver(self)
  }

  /// Fetches the profile, what is pinned to it, and the relationship to the qwinker.
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

  /// A failure leaves what was there: the profile's own failure is told.
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

  /// The number of followers has changed.
  func follows(_ follows: Follows, didFollow outcome: FollowOutcome) {
    if outcome.qwinker.id == qwinker.id { loadProfile() }
  }

  func identityDidChange(_ identity: Identity) {
    if let me = account.identity.me, me.id == qwinker.id { qwinker = me }
    didChange?()
  }
}
