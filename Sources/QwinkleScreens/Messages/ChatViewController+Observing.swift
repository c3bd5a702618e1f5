public import PaneKit
public import QwinkleAccount
public import QwinkleModel

/// What a chat hears of its account and of the program.
extension ChatViewController: AccountObserver {
  public func inbox(_ inbox: Inbox, didChangeChatOf id: Conversation.ID) {
    guard id == opened.id else { return }
    showMessages()
  }

  public func account(didBringBack message: OutgoingEntry, isSaved: Bool) -> Bool {
    message.purpose == EntryPurpose.key(ofConversation: opened.id) && takeAgain(message, isSaved: isSaved)
  }

  /// Counts down the messages that the user can still undo.
  public func heldActsDidChange(_ held: HeldActs) { updateHeldRows() }

  public func inboxDidChangeState(_ inbox: Inbox) {
    navigator?.statusDidChange(of: self)
  }

  public func identityDidChange(_ identity: Identity) {
    updateTitle()
    updateFoot()
    navigator?.statusDidChange(of: self)
  }

  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {
    // It may have been revealed.
    if rows.contains(where: { $0.qwink?.id == qwink.id }) { showMessages() }
  }
}

extension ChatViewController: ApplicationObserver {
  public func application(_ application: Application, didChangeTo phase: ApplicationPhase) {
    if phase == .background || phase == .terminating { keepDraft() }
  }
}
