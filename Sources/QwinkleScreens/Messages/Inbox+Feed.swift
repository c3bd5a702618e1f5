public import QwinkleModel
import QwinkleStore

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

  /// Somebody reacted to it or edited it.
  public func feed(_ feed: QwinkFeed, didChange qwink: Qwink) {
    for (id, chat) in chats where chat.log.contains(qwink.id) { absorb([qwink], in: id) }
    guard var conversation = list.items.first(where: { $0.lastQwink?.id == qwink.id }) else { return }
    conversation.lastQwink = qwink
    cache?.update(.init(conversation))
    change { $0.list.replace(conversation) }
  }

  public func feed(_ feed: QwinkFeed, didDelete qwinkID: Qwink.ID) {
    cache?.removeMessages([qwinkID])
    for id in chats.keys where chats[id]?.log.remove(qwinkID) == true {
      if chats[id]?.conversation.lastQwink?.id == qwinkID { chats[id]?.conversation.lastQwink = nil }
      tellChat(id)
    }
    guard var conversation = list.items.first(where: { $0.lastQwink?.id == qwinkID }) else { return }
    conversation.lastQwink = chats[conversation.id]?.log.messages.last
    change { $0.list.replace(conversation) }
    // The server knows what was said before it.
    refresh()
  }
}
