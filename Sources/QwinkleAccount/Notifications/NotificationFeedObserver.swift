public import QwinkleModel

@MainActor
public protocol NotificationFeedObserver: AnyObject {
  /// Called when notifications changed or were read.
  func notificationFeedDidChange(_ feed: NotificationFeed)
  /// Called when unread notifications arrived since the last refresh, newest first. Not called for the notifications of
  /// the first refresh.
  func notificationFeed(_ feed: NotificationFeed, didReceive news: [AccountNotification])
  /// Called when fetching of notifications starts or ends.
  func notificationFeedDidChangeState(_ feed: NotificationFeed)
}

extension NotificationFeedObserver {
  public func notificationFeedDidChange(_ feed: NotificationFeed) {}
  public func notificationFeed(_ feed: NotificationFeed, didReceive news: [AccountNotification]) {}
  public func notificationFeedDidChangeState(_ feed: NotificationFeed) {}
}
