import Dispatch
import PaneKit
import QwinkleStore
import Timekeeping

/// The state of the screen in a file of the account's, which is written on a queue of its own.
@MainActor
final class KeptScreen: RestorationStore {
  private let file: RestorationFile
  private let attempt: RestorationAttempt
  private let ledger: ActivityLedger
  private let work = DispatchQueue(label: "qwinkle.screen.work")
  /// What the person should know of the start: why it is not where the last run ended.
  private(set) var remark: String?

  init(directory: String, account: String, ledger: ActivityLedger) {
    file = RestorationFile(directory: directory, account: account)
    attempt = RestorationAttempt(directory: directory, account: account)
    self.ledger = ledger
  }

  /// The saved state. A start that ended before it had shown what it restored is not repeated.
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
