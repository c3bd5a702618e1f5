import QwinkleAccount
import QwinkleModel
import QwinkleService

/// What is known of somebody, kept up to date while their page is open.
@MainActor
final class QwinkerProfile: AccountObserver {
  private(set) var qwinker: Qwinker
  /// Why it could not be fetched what they say of themselves now; nil where it could.
  private(set) var error: DownloadError?
  /// Called after something of it is different.
  var didChange: (@MainActor () -> Void)?

  private let account: Account
  private var fetch: Fetch?

  /// Begins with `qwinker`, as they were somewhere else.
  init(_ qwinker: Qwinker, account: Account) {
    self.qwinker = qwinker
    self.account = account
    account.addObserver(self)
  }

  /// Asks the server who they are now, and how one stands to them.
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
