import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleStore

/// Discarding what is written in a chat, which can be undone.
extension ChatViewController {
  /// Deletes the draft and goes to the messages, where `u` brings it back.
  func discard() {
    entry.editor.tellChanges()
    let discarded = draft.discard()
    entry.editor.text = ""
    textDidChange()
    leaveEntry()
    guard let discarded else { return }
    account.rememberAct(undoneAs: EntryWords.draftRestored) {
      [weak self, weak navigator = self.navigator, drafts = self.drafts, opened = self.opened] in
      guard self?.takeAgain(discarded) != true else { return }
      // The chat was left: the draft is there again when it opens.
      drafts?.restore(discarded) { _ in navigator?.show(.conversation(opened)) }
    }
    navigator?.say(ActionWords.undoable(EntryWords.draftDiscarded), .new)
  }

  /// Puts a discarded draft before what is written now. Returns false if the chat is not open.
  private func takeAgain(_ discarded: OutgoingEntry) -> Bool {
    guard isOnScreen, isOpened else { return false }
    entry.editor.tellChanges()
    let rest = entry.editor.text
    let text = discarded.entry.text
    setText(rest.isEmpty ? text : text + "\n" + rest)
    entry.editor.cursorPosition = discarded.cursor ?? text.count
    write()
    return true
  }
}
