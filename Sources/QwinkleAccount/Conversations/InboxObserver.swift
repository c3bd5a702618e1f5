public import QwinkleModel

@MainActor
public protocol InboxObserver: AnyObject {
  /// Called when conversations changed. `change` describes exactly those conversations.
  func inbox(_ inbox: Inbox, didChange change: ListChange)
  /// Called when fetching of conversations starts or ends, or the number of unread conversations changed.
  func inboxDidChangeState(_ inbox: Inbox)
  /// Called when the messages or the state of an open conversation changed.
  func inbox(_ inbox: Inbox, didChangeChatOf id: Conversation.ID)
}

extension InboxObserver {
  public func inbox(_ inbox: Inbox, didChange change: ListChange) {}
  public func inboxDidChangeState(_ inbox: Inbox) {}
  public func inbox(_ inbox: Inbox, didChangeChatOf id: Conversation.ID) {}
}
