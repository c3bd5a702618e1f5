import Logging
import OnDemandResources
import PaneKit
import Pictures
import QwinkleAccount
import QwinkleScreens
import QwinkleServer
import QwinkleService
import QwinkleStore
import Terminal
import Timekeeping

/// The objects of one account: its session, stores and screen. The screen is created when it is first shown.
@MainActor
final class AccountGraph {
  /// Objects that all accounts share.
  struct Shared {
    let clock: any ProgramClock
    let ledger: ActivityLedger
    let paths: Paths
    let log: Logger
    let keymap: Keymap
    let opener: any URLOpener
    let config: ConfigCenter
  }

  let session: AccountSession
  let account: Account
  let savedScreen: SavedScreen
  let settings: ReaderSettings
  private var keymap: Keymap
  private let shared: Shared
  private let cache: TimelineCache?
  private let outgoing: OutgoingStore
  private let cacheFailure: StoreError?
  private let feedLog: FeedLog
  private let shelf: PictureShelf?
  private var wasSetMetered: Bool
  /// The list of accounts to which the user can switch. Must be set before the screen is created.
  weak var directory: (any AccountDirectory)?
  private var shownMain: MainViewController?

  init(_ session: AccountSession, _ shared: Shared) {
    self.session = session
    keymap = shared.keymap
    self.shared = shared
    var cacheFailure: StoreError?
    var cache: TimelineCache?
    do throws(StoreError) {
      cache = try TimelineCache(
        directory: "\(shared.paths.cache)/\(session.accountFolder)", ledger: shared.ledger, clock: shared.clock)
    } catch {
      cacheFailure = error
    }
    self.cache = cache
    self.cacheFailure = cacheFailure
    outgoing = OutgoingStore(
      directory: "\(shared.paths.data)/\(session.accountFolder)", ledger: shared.ledger, clock: shared.clock)
    account = Account(
      service: session.downloads, cache: cache, outgoing: outgoing, clock: shared.clock,
      isSignedIn: session.isSignedIn, streaming: session.streaming)
    account.others = session.otherServers(clock: shared.clock, ledger: shared.ledger)
    // The shelf, which loads the account's pictures, opens no file and no connection until the first picture is
    // requested.
    shelf = session.media.map { media in
      PictureShelf(
        resources: ResourceManager(
          index: ResourceFiles(directory: "\(shared.paths.cache)/\(session.accountFolder)/resources"),
          fetcher: MediaFetcher(media), clock: shared.clock, ledger: shared.ledger),
        decoder: PictureDecoder(), ledger: shared.ledger, home: shared.paths.home,
        didTrust: { host in media.use { $0.ownHosts.insert(host) } })
    }
    feedLog = FeedLog(log: shared.log)
    account.addObserver(feedLog)
    settings = shared.config.settings(of: session.accountFolder)
    wasSetMetered = settings.isMetered
    Self.apply(settings, to: account)
    settings.didChange.add(account) { [weak settings] account in
      if let settings { Self.apply(settings, to: account) }
    }
    savedScreen = SavedScreen(
      directory: shared.paths.state, account: session.accountFolder, ledger: shared.ledger)
    fetchPicturesAsSet()
    settings.didChange.add(self) { graph in graph.fetchPicturesAsSet() }
  }

  private static func apply(_ settings: ReaderSettings, to account: Account) {
    account.timelines.cacheLimits = settings.cacheLimits
    account.identity.chosenVisibility = settings.audience
    account.identity.chosenLanguage = settings.language
    account.timeForm = settings.timeForm
    account.pendingActions.seconds = settings.holdSeconds
  }

  private func fetchPicturesAsSet() {
    // If the user has changed the setting `metered`, it overrides `--metered` from now on.
    if settings.isMetered != wasSetMetered { shared.config.isMetered = false }
    wasSetMetered = settings.isMetered
    shelf?.resources.isMetered = settings.isMetered || shared.config.isMetered
    let preservation = settings.preservation
    shelf?.resources.standardPreservationPriority = { $0.priority(by: preservation) }
    let sources = settings.pictureSources
    session.media?.use { $0.sources = sources }
  }

  /// Name of the account's folder. It also identifies the account in the list of accounts.
  var name: String { session.accountFolder }

  func use(_ keymap: Keymap) {
    self.keymap = keymap
    shownMain?.use(keymap)
  }

  /// Whether the screen has been shown in this run.
  var hasScreen: Bool { shownMain != nil }

  /// The screen. The first call creates it.
  var main: MainViewController {
    if let shownMain { return shownMain }
    let main = MainViewController(
      factory: ScreenFactory(
        account: account, drafts: outgoing, keymap: keymap, opener: shared.opener, settings: settings,
        hasPages: session.service == nil && session.shared == nil, opensHome: session.opensHome, shelf: shelf,
        home: shared.paths.home,
        webResources: shared.config.webTexts?.resources,
        firstFetchLog: firstFetchLog, directory: directory),
      accountWords: session.words)
    cache?.onDamage { [weak main] in main?.announce($0) }
    outgoing.didFindDamage = { [weak main] in main?.announce($0) }
    shownMain = main
    return main
  }

  /// Logs what the first start on the account fetches. Nil if the session fetches only what is shown.
  private var firstFetchLog: (@MainActor (String) -> Void)? {
    guard session.fetchesAhead else { return nil }
    let log = shared.log
    return { line in log.info("\(line)") }
  }

  /// Warnings and messages about corrupt files, for the user. Complete only after the session has become ready.
  var remark: String? {
    let remarks = [
      session.warning, session.service?.damageSentence, cacheFailure?.sentence, cache?.remark, savedScreen.remark,
    ].compactMap(\.self)
    return remarks.isEmpty ? nil : remarks.joined(separator: " ")
  }

  /// Replaces the session's token with the token of `other`, a later session of the same account.
  func signInAgain(as other: AccountSession) {
    session.downloads.use(other.downloads.configuration)
    if let streaming = other.streaming { session.streaming?.use(streaming.configuration) }
    account.didSignInAgain()
    shownMain?.didSignInAgain()
  }

  /// Closes the streams and hides the spinner while the program is in the background.
  func suspend() {
    account.live.suspend()
    shownMain?.hideProgress()
  }

  /// Waits until drafts and read positions are saved, and releases memory.
  func releaseMemory() {
    account.readPositions.flush()
    outgoing.flushAndReleaseMemory()
    cache?.releaseMemory()
    session.service?.releaseMemory()
    shelf?.releaseMemory()
  }

  /// Simulates a killed process: closes everything without saving. Used by tapes (scripted sessions).
  func abandon() {
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
