import Dispatch
import PaneKit
import QwinkleAccount
import QwinkleStore

/// Quitting, which loses nothing that is on its way to the server, unless somebody says so.
extension MainViewController {
  /// What is on its way, in words; empty where nothing is.
  var underWayWords: String { UnderWay.words(for: account.underWay + (factory.directory?.underWayElsewhere ?? [])) }

  func askToQuit() {
    account.readPositions.flush()
    let hasUnsaved = account.outgoing?.hasUnsaved == true
    if !factory.settings.asksToQuit, !hasUnsaved { return quitOnceDone() }
    let question = MainWords.quitQuestion(
      hasUnsaved: hasUnsaved, underWay: underWayWords, held: HeldWords.quitting(account.held.acts))
    ask(question, again: hasUnsaved ? nil : "q") { [weak self] in
      self?.quitOnceDone()
    }
  }

  /// Quits; where something is on its way, when that has arrived. What could not be saved is asked about first.
  func quitWhenDone() {
    if account.outgoing?.hasUnsaved == true { askToQuit() } else { quitOnceDone() }
  }

  private func quitOnceDone() {
    account.held.finish()
    let underWay = underWayWords
    guard !underWay.isEmpty else {
      perform(.quit)
      return
    }
    let sheet = ConfirmViewController(question: MainWords.waitingQuestion(underWay), again: nil) { [weak self] in
      self?.perform(.quit)
    }
    sheet.dismissed = { [weak self] in self?.stopWaiting() }
    quitSheet = sheet
    present(sheet)
  }

  /// One answer may set off the next request in the same turn.
  func lookAgainSoon() {
    guard quitSheet != nil else { return }
    DispatchQueue.main.async { [weak self] in
      MainActor.assumeIsolated { self?.lookAgain() }
    }
  }

  private func lookAgain() {
    guard let sheet = quitSheet else { return }
    let underWay = underWayWords
    guard underWay.isEmpty else {
      sheet.question = MainWords.waitingQuestion(underWay)
      return
    }
    stopWaiting()
    sheet.dismiss()
    perform(.quit)
  }

  /// Something did not arrive: somebody should know before the program is gone.
  func noteFailureWhileQuitting() {
    guard let sheet = quitSheet else { return }
    stopWaiting()
    sheet.dismiss()
  }

  private func stopWaiting() {
    quitSheet = nil
  }
}
