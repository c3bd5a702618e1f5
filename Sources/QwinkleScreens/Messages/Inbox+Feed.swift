public import QwinkleModel

/// What the feed of the same account learns that is of interest here. The inbox is an observer of it.
extension Inbox: QwinkFeedObserver {
  public func feedDidIdentify(_ feed: QwinkFeed) {
    guard let qwinker = feed.me else { return }
    me = qwinker
    for id in chats.keys { tellChat(id) }
  }

  /// A private qwink that was written elsewhere belongs to a conversation, maybe a new one.
  public func feed(_ feed: QwinkFeed, didPost qwink: Qwink, from entry: Entry) {
    if qwink.visibility == .direct { refresh() }
  }
}
