import PaneKit
import QwinkleAccount
import QwinkleModel

/// The chat's own actions. Actions on sent messages are the same on every screen and are registered elsewhere.
extension ChatViewController {
  func registerActions() {
    on(.chatSend) { [weak self] in self?.send() }
    on(.chatEnter) { [weak self] in self?.enter() }
    on(.chatNewline) { [weak self] in self?.beginLine() }
    on(.chatLeave) { [weak self] in self?.leaveEntry() }
    on(.chatWrite) { [weak self] in self?.write() }
    on(.chatNext) { [weak self] in self?.openChat(by: 1) }
    on(.chatPrevious) { [weak self] in self?.openChat(by: -1) }
    on(.entryComplete) { [weak self] in self?.completer.complete() }
    on(.entryCompleteBack) { [weak self] in self?.completer.complete(backward: true) }
    on(.entryEditor) { [weak self] in self?.editOutside() }
    on(.entryDiscard, when: { [weak self] in self?.isWriting ?? false }) { [weak self] in self?.discard() }
    let isWithOne: @MainActor () -> Bool = { [weak self] in self?.isWithSelectedAlone ?? false }
    on(.message, when: isWithOne, perform: { [weak self] in self?.write() })
    on(.listPageUp) { [weak self] in self?.list.scroll(byPages: -1) }
    on(.listPageDown) { [weak self] in self?.list.scroll(byPages: 1) }
    let isOnMessage: @MainActor () -> Bool = { [weak self] in self?.selectedQwink != nil }
    let isOnFailed: @MainActor () -> Bool = { [weak self] in self?.selectedFailure != nil }
    on(.open, when: { isOnMessage() || isOnFailed() }, perform: { [weak self] in self?.open() })
    on(.edit, when: isOnFailed) { [weak self] in self?.editFailed() }
    on(.delete, when: isOnFailed) { [weak self] in self?.dropFailed() }
  }

  /// Opens the next or previous chat of the list.
  private func openChat(by step: Int) {
    guard let conversation = inbox.conversation(from: opened.id, by: step) else {
      navigator?.say(step > 0 ? MessagesWords.lastChat : MessagesWords.firstChat, .dim)
      return
    }
    reportSaved()
    navigator?.show(.conversation(conversation), insteadOf: self)
  }

  private var selectedFailure: OutgoingMessage? { isWriting ? nil : selectedRow?.failedMessage }

  /// Whether the selected user is the only other participant.
  private var isWithSelectedAlone: Bool {
    inbox.isSignedIn && selectedQwinker.map { inbox.people(in: conversation).map(\.id) == [$0.id] } ?? false
  }

  /// Edits the text in an external editor, which uses the terminal until it quits.
  private func editOutside() {
    editOutside(
      entry.editor, keep: { [weak self] in self?.keepDraft() },
      failed: { [weak self] sentence in self?.navigator?.say(sentence, .error) })
  }

  private func open() {
    if let message = selectedFailure {
      account.noteAct(MessagesWords.sendingAgain)
      inbox.sendAgain(message.id)
    } else if let qwink = selectedQwink {
      navigator?.show(.thread(qwink))
    }
  }

  private func editFailed() {
    guard let message = selectedFailure else { return }
    let edit: @MainActor () -> Void = { [weak self] in
      self?.returnToEntry(message)
    }
    guard message.failure?.isDoubtful == true else { return edit() }
    navigator?.ask(MessagesWords.askToSendAgain, again: "e", confirmed: edit)
  }

  /// Moves a failed message back into the entry. The message leaves the outbox only once the draft is saved.
  private func returnToEntry(_ message: OutgoingMessage) {
    guard inbox.outgoing(of: opened.id).contains(where: { $0.id == message.id && $0.failure != nil }) else { return }
    take(message) { [weak self] in
      self?.account.noteAct(MessagesWords.editing)
      self?.inbox.forget(message.id)
      self?.write()
    }
  }

  private func dropFailed() {
    guard let message = selectedFailure else { return }
    navigator?.ask(MessagesWords.askToDrop, again: nil) { [weak self] in
      guard let outbox = self?.account.outbox, let item = outbox.item(message.id),
        self?.inbox.withdraw(message.id) != nil
      else { return }
      self?.account.rememberAct(undoneAs: MessagesWords.unsentAgain) { [weak outbox] in outbox?.restore(item) }
    }
  }
}
