/// Told what changes in a ``NoticeFeed``. Held weakly.
@MainActor
public protocol NoticeFeedObserver: AnyObject {
  /// Notices came, changed or went, or have been read.
  func noticeFeedDidChange(_ feed: NoticeFeed)
  /// Notices are being fetched, have been, or could not be.
  func noticeFeedDidChangeState(_ feed: NoticeFeed)
}

extension NoticeFeedObserver {
  public func noticeFeedDidChange(_ feed: NoticeFeed) {}
  public func noticeFeedDidChangeState(_ feed: NoticeFeed) {}
}
