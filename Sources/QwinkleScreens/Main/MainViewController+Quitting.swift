import Dispatch
import PaneKit
import QwinkleAccount
import QwinkleStore

/// Quitting waits for requests in progress, unless the user chooses to quit without waiting.
extension MainViewController {
  /// Describes the requests in progress; empty if nothing is in progress.
  var inProgressWords: String {
    WriteKind.words(for: account.inProgress + (factory.directory?.inProgressElsewhere ?? []))
  }

  func askToQuit() {
    account.readPositions.flush()
    let hasUnsaved = account.outgoing?.hasUnsaved == true
    if !factory.settings.asksToQuit, !hasUnsaved { return quitOnceDone() }
    let question = MainWords.quitQuestion(
      hasUnsaved: hasUnsaved, inProgress: inProgressWords, held: PendingWords.quitting(account.pendingActions.acts))
    ask(question, again: hasUnsaved ? nil : "q") { [weak self] in
      self?.quitOnceDone()
    }
  }

  /// Quits once all requests in progress are finished. If a draft could not be saved, the user must confirm first.
  func quitWhenDone() {
    if account.outgoing?.hasUnsaved == true { askToQuit() } else { quitOnceDone() }
  }

  private func quitOnceDone() {
    account.pendingActions.finish()
    let inProgress = inProgressWords
    guard !inProgress.isEmpty else {
      perform(.quit)
      return
    }
    let sheet = ConfirmViewController(question: MainWords.waitingQuestion(inProgress), again: nil) { [weak self] in
      self?.perform(.quit)
    }
    sheet.dismissed = { [weak self] in self?.stopWaiting() }
    quitSheet = sheet
    present(sheet)
  }

  /// Checks the requests in progress again in the next turn of the run loop. A response may start another request.
  func lookAgainSoon() {
    guard quitSheet != nil else { return }
    DispatchQueue.main.async { [weak self] in
      MainActor.assumeIsolated { self?.lookAgain() }
    }
  }

  private func lookAgain() {
    guard let sheet = quitSheet else { return }
    let inProgress = inProgressWords
    guard inProgress.isEmpty else {
      sheet.question = MainWords.waitingQuestion(inProgress)
      return
    }
    stopWaiting()
    sheet.dismiss()
    perform(.quit)
  }

  /// Cancels quitting after a request has failed, so that the user sees the error.
  func noteFailureWhileQuitting() {
    guard let sheet = quitSheet else { return }
    stopWaiting()
    sheet.dismiss()
  }

  private func stopWaiting() {
    quitSheet = nil
  }
}
