import Logging
import PaneKit
import QwinkleAccount
import QwinkleScreens
import QwinkleStore
import Terminal
import Timekeeping

/// Builds and connects the objects of the screen. It owns those that nothing else owns.
@MainActor
final class ScreenGraph {
  let application: Application
  let accounts: ScreenAccounts
  private let appDelegate: AppDelegate

  /// The screen of `session` on `driver`, without that of the last run if `isFresh`.
  ///
  /// - Parameter source: the other accounts; nil if there are none.
  /// - Throws: ``KeymapError`` if the keymap cannot be read.
  init(
    session: AccountSession, driver: any TerminalDriver, clock: any ProgramClock, ledger: ActivityLedger, paths: Paths,
    log: Logger, opener: any URLOpener = SystemBrowser(), isFresh: Bool = false,
    others source: (any SwitchableAccounts)? = nil
  ) throws {
    let keymap = try Keymap.standard.get()
    application = Application(driver: driver, clock: clock, keymap: keymap, theme: .terminal)
    appDelegate = AppDelegate(restores: !isFresh)
    application.delegate = appDelegate
    accounts = ScreenAccounts(
      session, application: application,
      shared: AccountGraph.Shared(
        clock: clock, ledger: ledger, paths: paths, log: log, keymap: keymap, opener: opener,
        settings: ReaderSettings(file: SettingsFile(directory: paths.state))), source: source)
  }

  /// The account that is shown.
  var account: Account { accounts.shown.account }
  /// The screen that is shown.
  var main: MainViewController { accounts.shown.main }

  /// Warnings and damaged files to tell the user about, known once the session is ready.
  var remark: String? { accounts.shown.remark }

  /// Waits until drafts and read positions are on disk, and drops what can be read again, as before the process is
  /// stopped.
  func prepareToStop() { accounts.open.forEach { $0.prepareToStop() } }

  /// Ends as a kill would: nothing more is saved. For tapes.
  func abandon() {
    application.abandon()
    accounts.open.forEach { $0.abandon() }
  }

  /// Closes the stores and the sessions. Call before the process ends.
  func close() {
    accounts.cancelOpening()
    accounts.open.forEach { $0.close() }
  }
}
