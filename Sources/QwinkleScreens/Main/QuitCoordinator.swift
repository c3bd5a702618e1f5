import Dispatch
import PaneKit
import QwinkleAccount
import QwinkleStore

/// Quits the program: asks first, if the settings or an unsaved draft require it, and waits for requests in progress,
/// unless the user chooses to quit without waiting.
@MainActor
final class QuitCoordinator {
  private let account: Account
  private let settings: ReaderSettings
  /// Presents the sheets and performs ``Action/quit``.
  private unowned let screen: any Navigator & ViewController
  private weak var directory: (any AccountDirectory)?
  /// The sheet shown while quitting waits for requests in progress.
  private weak var sheet: ConfirmViewController?
  /// Whether the next interrupt quits.
  private var isInterrupted = false

  init(
    account: Account, settings: ReaderSettings, directory: (any AccountDirectory)?,
    screen: any Navigator & ViewController
  ) {
    self.account = account
    self.settings = settings
    self.directory = directory
    self.screen = screen
  }

  /// Describes the requests in progress; empty if nothing is in progress.
  private var inProgressWords: String {
    WriteKind.words(for: account.inProgress + (directory?.inProgressElsewhere ?? []))
  }

  func askToQuit() {
    account.readPositions.flush()
    let hasUnsaved = account.outgoing?.hasUnsaved == true
    if !settings.asksToQuit, !hasUnsaved { return quitOnceDone() }
    let question = MainWords.quitQuestion(
      hasUnsaved: hasUnsaved, inProgress: inProgressWords, held: PendingWords.quitting(account.pendingActions.acts))
    screen.ask(question, again: hasUnsaved ? nil : "q") { [weak self] in self?.quitOnceDone() }
  }

  /// Returns whether nothing is left to do. Otherwise quits later: once all requests in progress are finished, or, if a
  /// draft could not be saved, once the user confirms.
  func mayQuit() -> Bool {
    guard account.outgoing?.hasUnsaved == true else { return finish() }
    askToQuit()
    return false
  }

  private func quitOnceDone() { if finish() { quit() } }

  /// Finishes pending actions. Returns whether no requests are in progress. If some are, presents a sheet, which waits
  /// for them and then quits.
  private func finish() -> Bool {
    account.pendingActions.finish()
    let inProgress = inProgressWords
    guard !inProgress.isEmpty else { return true }
    let sheet = ConfirmViewController(question: MainWords.waitingQuestion(inProgress), again: nil) { [weak self] in
      self?.quit()
    }
    sheet.dismissed = { [weak self] in self?.sheet = nil }
    self.sheet = sheet
    screen.present(sheet)
    return false
  }

  private func quit() { screen.perform(.quit) }

  /// Checks the requests in progress again in the next turn of the run loop. A response may start another request.
  func lookAgainSoon() {
    guard sheet != nil else { return }
    DispatchQueue.main.async { [weak self] in
      MainActor.assumeIsolated { self?.lookAgain() }
    }
  }

  private func lookAgain() {
    guard let sheet else { return }
    let inProgress = inProgressWords
    guard inProgress.isEmpty else {
      sheet.question = MainWords.waitingQuestion(inProgress)
      return
    }
    stopWaiting()
    quit()
  }

  /// If quitting waits for requests, stops it, for example after a request has failed, so that the user sees the error.
  func stopWaiting() {
    let former = sheet
    sheet = nil
    former?.dismiss()
  }

  // MARK: Interrupts

  /// Cancels requests in progress. A second call before ``forgetInterrupt()`` quits.
  func interrupt() {
    guard !isInterrupted else { return quit() }
    isInterrupted = true
    account.cancelDownloads()
    account.catchUp.cancel()
    directory?.cancelOpening()
    screen.say(MainWords.interrupted(inProgress: inProgressWords), .strong)
    // A sheet covers the status bar and its message. In that case, quit now, after a question if the settings require
    // one.
    if let sheet = screen.window?.topSheet, !(sheet is ConfirmViewController) { askToQuit() }
  }

  /// Called when a message has disappeared from the status bar, such as the message of the interrupt.
  func forgetInterrupt() { isInterrupted = false }
}
