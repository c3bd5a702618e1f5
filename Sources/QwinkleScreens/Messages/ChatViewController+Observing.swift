public import PaneKit
public import QwinkleAccount
public import QwinkleModel

/// Updates the chat when the account changes, and saves its draft before the program stops.
extension ChatViewController: AccountObserver {
  public func inbox(_ inbox: Inbox, didChangeChatOf id: Conversation.ID) {
    guard id == opened.id else { return }
    showMessages()
  }

  public func account(didBringBack message: OutgoingEntry, isSaved: Bool) -> Bool {
    message.kind == .conversation(opened.id) && takeAgain(message, isSaved: isSaved)
  }

  /// Updates the countdowns of messages that the user can still undo.
  public func pendingActionsDidChange(_ held: PendingActions) { updateHeldRows() }

  public func inboxDidChangeState(_ inbox: Inbox) {
    navigator?.statusDidChange(of: self)
  }

  public func identityDidChange(_ identity: Identity) {
    updateTitle()
    updateFoot()
    navigator?.statusDidChange(of: self)
  }

  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {
    guard rows.contains(where: { $0.qwink?.originalID == qwink.originalID }) else { return }
    showMessages()
    // Revealing a sensitive picture changes the cell but not the row.
    reloadRows { $0.qwink?.originalID == qwink.originalID }
  }
}

extension ChatViewController: ApplicationObserver {
  public func application(_ application: Application, didChangeTo phase: ApplicationPhase) {
    if phase == .background || phase == .terminating { keepDraft() }
  }
}
