import Dispatch
import PaneKit
import QwinkleAccount
import QwinkleStore

/// Quitting, which loses nothing that is on its way to the server, unless somebody says so.
extension MainViewController {
  /// What is on its way, in words; empty where nothing is.
  var underWayWords: String { UnderWay.words(for: account.underWay) }

  func askToQuit() {
    let underWay = underWayWords
    let question =
      if account.outgoing?.hasUnsaved == true {
        "A draft could not be saved, and would be lost. Quit all the same?"
      } else if !underWay.isEmpty {
        "On the way: \(underWay). Quit once that has arrived?"
      } else {
        "Quit Qwinkle?"
      }
    ask(question, again: account.outgoing?.hasUnsaved == true ? nil : "q") { [weak self] in
      self?.quitOnceDone()
    }
  }

  /// Quits; where something is on its way, when that has arrived. What could not be saved is asked about first.
  func quitWhenDone() {
    if account.outgoing?.hasUnsaved == true { askToQuit() } else { quitOnceDone() }
  }

  private func quitOnceDone() {
    let underWay = underWayWords
    guard !underWay.isEmpty else {
      perform(.quit)
      return
    }
    let sheet = ConfirmViewController(question: Self.question(underWay), again: nil) { [weak self] in
      self?.perform(.quit)
    }
    sheet.dismissed = { [weak self] in self?.stopWaiting() }
    quitSheet = sheet
    present(sheet)
  }

  private static func question(_ underWay: String) -> String {
    "Waiting until it has arrived: \(underWay). Quit without waiting?"
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
      sheet.question = Self.question(underWay)
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
