import QwinkleAccount
import QwinkleModel
import QwinkleService

/// A qwinker's profile, kept up to date while their page is open.
@MainActor
final class QwinkerProfile: AccountObserver {
  private(set) var qwinker: Qwinker
  /// Why the profile could not be fetched; nil if it could.
  private(set) var error: DownloadError?
  /// Called after any change.
  var didChange: (@MainActor () -> Void)?

  private let account: Account
  private var fetch: Fetch?

  /// Starts with `qwinker` as known from elsewhere.
  init(_ qwinker: Qwinker, account: Account) {
    self.qwinker = qwinker
    self.account = account
    account.addObserver(self)
  }

  /// Fetches the profile and the relationship to the qwinker.
  func load() {
    guard fetch == nil else { return }
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
    if account.isSignedIn, account.identity.me?.id != qwinker.id { account.follows.loadRelationship(to: qwinker.id) }
  }

  func follows(_ follows: Follows, didChange relationship: Relationship) {
    guard relationship.id == qwinker.id else { return }
    didChange?()
  }

  func identityDidChange(_ identity: Identity) {
    if let me = account.identity.me, me.id == qwinker.id { qwinker = me }
    didChange?()
  }
}
