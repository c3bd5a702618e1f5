public import QwinkleModel

/// Told what changes in an inbox. Held weakly.
@MainActor
public protocol InboxObserver: AnyObject {
  /// Exactly these conversations are others now, or look different.
  func inbox(_ inbox: Inbox, didChange change: ListChange)
  /// Conversations are being fetched, have been or could not be; or another number of them is unread.
  func inboxDidChangeState(_ inbox: Inbox)
  /// Messages of a conversation that is open came, went or look different, or its state changed.
  func inbox(_ inbox: Inbox, didChangeChatOf id: Conversation.ID)
}

extension InboxObserver {
  public func inbox(_ inbox: Inbox, didChange change: ListChange) {}
  public func inboxDidChangeState(_ inbox: Inbox) {}
  public func inbox(_ inbox: Inbox, didChangeChatOf id: Conversation.ID) {}
}
