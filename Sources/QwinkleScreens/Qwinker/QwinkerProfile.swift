import QwinkleAccount
import QwinkleModel
import QwinkleService

/// What is known of somebody, kept up to date while their page is open.
@MainActor
final class QwinkerProfile: QwinkFeedObserver {
  private(set) var qwinker: Qwinker
  /// Why it could not be fetched what they say of themselves now; nil where it could.
  private(set) var error: DownloadError?
  /// Called after something of it is different.
  var didChange: (@MainActor () -> Void)?

  private let feed: QwinkFeed
  private var fetch: Fetch?

  /// Begins with `qwinker`, as they were somewhere else.
  init(_ qwinker: Qwinker, feed: QwinkFeed) {
    self.qwinker = qwinker
    self.feed = feed
    feed.addObserver(self)
  }

  /// Asks the server who they are now, and how one stands to them.
  func load() {
    guard fetch == nil else { return }
    fetch = feed.fetch(.qwinker(qwinker.id)) { [weak self] result in
      guard let self else { return }
      fetch = nil
      switch result {
      case .success(.qwinker(let fresh)):
        qwinker = fresh
        error = nil
      case .success: break
      case .failure(let failure): error = failure
      }
      didChange?()
    }
    if feed.isSignedIn, feed.me?.id != qwinker.id { feed.loadRelationship(to: qwinker.id) }
  }

  func feed(_ feed: QwinkFeed, didChange relationship: Relationship) {
    guard relationship.id == qwinker.id else { return }
    didChange?()
  }

  func feedDidIdentify(_ feed: QwinkFeed) {
    if let me = feed.me, me.id == qwinker.id { qwinker = me }
    didChange?()
  }
}
