import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleStore

/// Discarding the text of a chat's entry and undoing a sent message. Both can restore the text in the entry.
extension ChatViewController {
  /// Deletes the draft and focuses the messages, or closes the chat if it has no messages. After that, `u` restores the
  /// draft.
  func discard() {
    entry.editor.tellChanges()
    let discarded = draft.discard()
    entry.editor.text = ""
    clearFiles()
    textDidChange()
    leaveEntry()
    guard let discarded else { return }
    account.rememberAct(undoneAs: EntryWords.draftRestored) {
      [weak account = self.account, weak navigator = self.navigator, drafts = self.drafts, opened = self.opened] in
      guard account?.bringBack(discarded) != true else { return }
      // The chat was closed. It loads the restored draft when it opens again.
      drafts?.restore(discarded) { _ in navigator?.show(.conversation(opened)) }
    }
    navigator?.say(ActionWords.undoable(EntryWords.draftDiscarded), .new)
  }

  /// Sends the typed text and its files. Until the undo time has passed, `u` restores both.
  func sendHeld(_ text: String, files: [OutgoingFile], insteadOf draftID: String) {
    account.send(
      text, files: files, in: conversation, insteadOf: draftID,
      takenBack: { [weak account = self.account, weak navigator = self.navigator, opened = self.opened] message in
        guard account?.bringBack(message, isSaved: true) != true else { return }
        // The chat was closed: reopen it with the draft.
        navigator?.show(.conversation(opened))
      },
      saved: { [weak self] error in
        guard let error else { return }
        self?.navigator?.say(MessagesWords.notWrittenDown(error.sentence), .warning)
      })
  }

  /// Inserts a discarded draft before the current text. If the discarded draft `isSaved` on disk, the combined draft
  /// replaces it. Returns false if the chat is not open.
  func takeAgain(_ discarded: OutgoingEntry, isSaved: Bool) -> Bool {
    guard isOnScreen, isOpened else { return false }
    entry.editor.tellChanges()
    let rest = entry.editor.text
    let text = discarded.entry.text
    setText(rest.isEmpty ? text : text + "\n" + rest)
    entry.editor.cursorPosition = discarded.cursor ?? text.count
    draft.addFiles(of: discarded)
    showFiles()
    if isSaved {
      draft.keep(insteadOf: discarded.id) { [weak drafts = self.drafts] error in
        // The outbox has released the discarded draft, so it can be deleted.
        if error == nil { drafts?.discard(discarded.id) { _ in } }
      }
    }
    write()
    return true
  }
}
