import PaneKit
import QwinkleModel

/// What keys do in a chat. What they do to a message that is on the server is the same everywhere, and not done here.
extension ChatViewController {
  func registerActions() {
    on(.chatSend) { [weak self] in self?.send() }
    on(.chatLeave) { [weak self] in self?.leaveEntry() }
    on(.chatWrite) { [weak self] in self?.write() }
    on(.listPageUp) { [weak self] in self?.list.scroll(byPages: -1) }
    on(.listPageDown) { [weak self] in self?.list.scroll(byPages: 1) }
    let isOnMessage: @MainActor () -> Bool = { [weak self] in self?.selectedQwink != nil }
    let isOnFailed: @MainActor () -> Bool = { [weak self] in self?.selectedFailure != nil }
    on(.open, when: { isOnMessage() || isOnFailed() }, perform: { [weak self] in self?.open() })
    on(.edit, when: isOnFailed) { [weak self] in self?.editFailed() }
    on(.delete, when: isOnFailed) { [weak self] in self?.dropFailed() }
  }

  private var selectedFailure: OutgoingMessage? { isWriting ? nil : selectedRow?.failedMessage }

  private func open() {
    if let message = selectedFailure {
      inbox.sendAgain(message.id)
    } else if let qwink = selectedQwink {
      navigator?.show(.thread(qwink))
    }
  }

  private func editFailed() {
    guard let message = selectedFailure else { return }
    let edit: @MainActor () -> Void = { [weak self] in
      guard let self, let taken = inbox.takeBack(message.id) else { return }
      take(taken.text)
    }
    guard message.failure?.isDoubtful == true else { return edit() }
    navigator?.ask(
      "It may have arrived all the same. Write it anew?", again: "e", confirmed: edit)
  }

  private func dropFailed() {
    guard let message = selectedFailure else { return }
    navigator?.ask("Drop this message for good?", again: "d") { [weak self] in
      self?.inbox.takeBack(message.id)
    }
  }
}
