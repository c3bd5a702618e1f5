import PaneKit
import QwinkleAccount
import QwinkleModel

/// The files of the message being written.
extension ChatViewController {
  func registerFiles() {
    draft.delegate = self
    attachments.didChange = { [weak self] in self?.filesDidChange() }
    attachments.didAdd = { [weak self] in self?.askToDescribe($0) }
    on(.entryAttach, when: { [weak self] in self?.isWriting ?? false }) { [weak self] in self?.askForFile() }
    on(.entryDetach, when: { [weak self] in self?.isWriting ?? false }) { [weak self] in self?.removeFile() }
  }

  private func askForFile() {
    present(
      FilePrompt(
        label: EntryFileWords.label, placeholder: EntryFileWords.placeholder, home: attachments.home,
        lister: account.folderLister()
      ) { [weak self] path in
        guard let self, !path.isEmpty else { return }
        asksForAltText = attachments.add(path)
      })
  }

  /// Opens a prompt for a file's description, unless the draft named the file or the user is typing somewhere else.
  private func askToDescribe(_ file: EntryAttachments.File) {
    guard asksForAltText, isWriting, window?.topSheet == nil else { return }
    asksForAltText = false
    let prompt = LinePrompt(sign: EntryFileWords.altLabel, label: EntryFileWords.altLabel) { [weak self] words in
      guard !words.isEmpty, let reason = self?.attachments.describe(file.key, as: words) else { return }
      self?.navigator?.say(reason, .error)
    }
    prompt.editor.placeholder = EntryFileWords.altPlaceholder(file.name ?? "")
    present(prompt)
  }

  private func removeFile() { navigator?.say(attachments.removeLast() ?? EntryFileWords.none, .dim) }

  private func filesDidChange() {
    entry.files = attachments.files
    view.setNeedsLayout()
  }

  /// Shows the files of the draft after it was replaced, and uploads the ones that the server doesn't have.
  func showFiles() {
    attachments.takeIDs()
    attachments.addGiven()
  }

  /// Forgets the files after the draft was sent or discarded.
  func clearFiles() {
    attachments.cancel()
    attachments.takeIDs()
  }
}

extension ChatViewController: ChatDraftDelegate {
  func draftNeedsTypedText(_ draft: ChatDraft) { entry.editor.tellChanges() }

  func draftMayBeSent(_ draft: ChatDraft) { send() }

  func draft(_ draft: ChatDraft, says sentence: String, isError: Bool) {
    navigator?.say(sentence, isError ? .error : .dim)
  }
}
