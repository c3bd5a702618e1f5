import Logging
import PaneKit
import QwinkleAccount
import QwinkleScreens
import QwinkleServer
import QwinkleService
import QwinkleStore
import Terminal
import Timekeeping

/// Builds and connects the objects of the screen. It owns those that nothing else owns.
@MainActor
final class ScreenGraph {
  let application: Application
  let account: Account
  let main: MainViewController
  private let appDelegate: AppDelegate
  private let keptScreen: KeptScreen
  private let session: AccountSession
  private let cache: TimelineCache?
  private let outgoing: OutgoingStore
  private let cacheFailure: StoreError?
  private let feedLog: FeedLog

  /// The screen of `session` on `driver`, without that of the last run if `isFresh`.
  ///
  /// - Throws: ``KeymapError`` if the keymap cannot be read.
  init(
    session: AccountSession, driver: any TerminalDriver, clock: any ProgramClock, ledger: ActivityLedger, paths: Paths,
    log: Logger, opener: any URLOpener = SystemBrowser(), isFresh: Bool = false
  ) throws {
    let keymap = try Keymap.standard.get()
    self.session = session
    var cacheFailure: StoreError?
    var cache: TimelineCache?
    do throws(StoreError) {
      cache = try TimelineCache(
        directory: "\(paths.cache)/\(session.accountFolder)", ledger: ledger, clock: clock)
    } catch {
      cacheFailure = error
    }
    self.cache = cache
    self.cacheFailure = cacheFailure
    let folder = "\(paths.data)/\(session.accountFolder)"
    outgoing = OutgoingStore(directory: folder, ledger: ledger, clock: clock)
    account = Account(
      service: session.downloads, cache: cache, outgoing: outgoing, clock: clock, isSignedIn: session.isSignedIn)
    feedLog = FeedLog(log: log)
    account.addObserver(feedLog)
    let settings = ReaderSettings(file: SettingsFile(directory: paths.state))
    account.timelines.cacheLimits = settings.cacheLimits
    settings.didChange.add(account.timelines) { [weak settings] timelines in
      if let settings { timelines.cacheLimits = settings.cacheLimits }
    }
    main = MainViewController(
      factory: ScreenFactory(
        account: account, drafts: outgoing, keymap: keymap, opener: opener, settings: settings,
        hasPages: session.service == nil),
      accountWords: session.words)
    main.accountNames = { AccountBook(paths: paths).names }
    application = Application(driver: driver, clock: clock, keymap: keymap, theme: .terminal)
    appDelegate = AppDelegate(restores: !isFresh)
    application.delegate = appDelegate
    keptScreen = KeptScreen(directory: paths.state, account: session.accountFolder, ledger: ledger)
    application.restoration = keptScreen
    application.window.rootViewController = main
    main.registerActions(of: application)
    cache?.onDamage { [weak main = self.main] in main?.announce($0) }
    outgoing.didFindDamage = { [weak main = self.main] in main?.announce($0) }
  }

  /// Warnings and damaged files to tell the user about, known once the session is ready.
  var remark: String? {
    let remarks = [
      session.warning, session.service?.damageSentence, cacheFailure?.sentence, cache?.remark,
      keptScreen.remark,
    ].compactMap(\.self)
    return remarks.isEmpty ? nil : remarks.joined(separator: " ")
  }

  /// Waits until drafts and read positions are on disk, and drops what can be read again, as before the process is
  /// stopped.
  func prepareToStop() {
    account.readPositions.flush()
    outgoing.flush()
    cache?.releaseMemory()
  }

  /// Ends as a kill would: nothing more is saved. For tapes.
  func abandon() {
    application.abandon()
    outgoing.abandon()
    cache?.close()
    session.close()
  }

  /// Closes the stores and the session. Call before the process ends.
  func close() {
    account.readPositions.flush()
    outgoing.close()
    cache?.close()
    session.close()
  }
}
