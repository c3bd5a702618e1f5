/// Told what changes in a ``NotificationFeed``. Held weakly.
@MainActor
public protocol NotificationFeedObserver: AnyObject {
  /// Notices came, changed or went, or have been read.
  func notificationFeedDidChange(_ feed: NotificationFeed)
  /// Notices are being fetched, have been, or could not be.
  func notificationFeedDidChangeState(_ feed: NotificationFeed)
}

extension NotificationFeedObserver {
  public func notificationFeedDidChange(_ feed: NotificationFeed) {}
  public func notificationFeedDidChangeState(_ feed: NotificationFeed) {}
}
