import PaneKit
import QwinkleAccount
import QwinkleModel

/// The actions of an entry.
extension EntryViewController {
  func registerActions() {
    on(.entrySend) { [weak self] in self?.composer.send() }
    on(.entryLeave) { [weak self] in self?.leave() }
    on(.entryVisibility) { [weak self] in self?.composer.changeVisibility() }
    on(.entryQuotes) { [weak self] in self?.composer.changeQuotePolicy() }
    for line in lines where line !== altText {
      on(line.action) { [weak self, weak line] in line.map { self?.toggle($0) } }
    }
    on(.entryThread) { [weak self] in
      self?.tellChanges()
      self?.composer.changeThreadForm()
    }
    on(.entryDetach) { [weak self] in self?.removeFile() }
    on(.listPageDown) { [weak self] in self?.quote.scroll(pages: 1) }
    on(.listPageUp) { [weak self] in self?.quote.scroll(pages: -1) }
    on(.entryDiscard) { [weak self] in self?.discard() }
    on(.entryAnother) { [weak self] in self?.beginAnother() }
    on(.entryEditor) { [weak self] in self?.editOutside() }
    on(.entryComplete, when: { [weak self] in self.map { $0.lineWithKeys == nil || $0.path.hasKeys } ?? false }) {
      [weak self] in self?.complete()
    }
    on(.entryCompleteBack, when: { [weak self] in self?.lineWithKeys == nil }) { [weak self] in
      self?.completer.complete(backward: true)
    }
  }

  /// Closes the focused line or cancels a completion, if any. Otherwise closes the sheet without waiting until the
  /// draft is saved. If saving fails, the screen below shows the error.
  private func leave() {
    if let lineWithKeys { return leave(lineWithKeys) }
    if completer.cancel() { return }
    tellChanges()
    let pendingCount = attachments.cancel()
    if pendingCount > 0 { navigator?.say(EntryFileWords.uploadsCancelled(pendingCount), .warning) }
    composer.leave { [weak navigator = self.navigator, purpose = self.purpose] error in
      if let error {
        navigator?.say(EntryWords.notSaved(error, purpose: purpose.key), .error)
      } else {
        let saved = pendingCount > 0 ? EntryFileWords.savedBeforeUpload(pendingCount) : EntryWords.draftSaved
        navigator?.say(saved, .new)
      }
    }
    dismiss()
  }

  /// Saves the draft and begins another entry.
  private func beginAnother() {
    tellChanges()
    if let lineWithKeys, !finish(lineWithKeys) { return }
    guard composer.canBeginAnother else { return }
    let pendingCount = attachments.cancel()
    composer.beginAnother()
    if pendingCount > 0 { composer.say(EntryFileWords.savedBeforeUpload(pendingCount)) }
  }

  private func discard() {
    guard composer.activity != .sending else { return }
    tellChanges()
    attachments.cancel()
    let hadDraft = composer.discard { [weak navigator = self.navigator] in
      navigator?.reopen($0)
    }
    dismiss()
    if hadDraft { navigator?.say(ActionWords.undoable(EntryWords.draftDiscarded), .new) }
  }

  /// Opens the text in an external editor, which uses the terminal until it quits.
  private func editOutside() {
    guard composer.activity == .writing else { return }
    editOutside(
      editor,
      keep: { [weak self] in
        self?.tellChanges()
        self?.composer.keepDraft()
      },
      failed: { [weak self] sentence in self?.composer.fail(sentence) })
  }

  func tellChanges() {
    editor.tellChanges()
    for line in lines { line.tellChanges() }
  }
}
