import Dispatch
import PaneKit
import QwinkleStore
import Timekeeping

/// Saves an account's screen state to a file, on a background queue.
@MainActor
final class SavedScreen: RestorationStore {
  private let file: RestorationFile
  private let attempt: RestorationAttempt
  private let ledger: ActivityLedger
  private let work = DispatchQueue(label: "qwinkle.screen.work")
  /// The reason why the last run's screen was not restored, if any.
  private(set) var remark: String?

  init(directory: String, account: String, ledger: ActivityLedger) {
    file = RestorationFile(directory: directory, account: account)
    attempt = RestorationAttempt(directory: directory, account: account)
    self.ledger = ledger
  }

  /// Returns the saved state. Returns nil if another version saved it. Also returns nil if the last start ended before
  /// its first frame, because the state may have been the cause.
  func load() -> StateArchive? {
    switch file.load() {
    case .none: return nil
    case .otherVersion:
      remark = StartWords.otherVersion
      return nil
    case .state(let state):
      guard attempt.begin() else {
        remark = StartWords.endedEarly
        return nil
      }
      return state
    }
  }

  func didShowFirstFrame() { attempt.end() }

  func save(_ state: StateArchive) {
    let (file, activity) = (file, ledger.begin("saving the screen"))
    work.async {
      file.save(state)
      activity.end()
    }
  }

  func flush() { work.sync {} }
}
