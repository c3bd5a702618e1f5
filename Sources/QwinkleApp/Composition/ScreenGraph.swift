import Logging
import PaneKit
import QwinkleAccount
import QwinkleConfig
import QwinkleScreens
import Terminal
import Timekeeping

/// Builds, connects and owns the objects of the screen.
@MainActor
final class ScreenGraph {
  let application: Application
  let accounts: ScreenAccounts
  let config: ConfigCenter
  private let appDelegate: AppDelegate

  /// Creates the screen of `session` on `driver`. If `isFresh` is true, the screen of the previous run isn't restored.
  ///
  /// - Parameter source: The accounts to which the user can switch, if any.
  /// - Throws: ``KeymapError`` if the keymap can't be read.
  init(
    session: AccountSession, driver: any TerminalDriver, clock: any ProgramClock, ledger: ActivityLedger, paths: Paths,
    log: Logger, opener: any URLOpener = SystemBrowser(), isFresh: Bool = false,
    config: ConfigCenter? = nil, others source: (any SwitchableAccounts)? = nil
  ) throws {
    let config = config ?? ConfigCenter(paths)
    if config.webTexts == nil, let media = session.media {
      config.webTexts = WebTexts(config.webFiles, media: media, clock: clock, ledger: ledger)
    }
    let keymap = try config.keymap()
    application = Application(driver: driver, clock: clock, keymap: keymap, theme: .terminal)
    accounts = ScreenAccounts(
      session, application: application,
      shared: AccountGraph.Shared(
        clock: clock, ledger: ledger, paths: paths, log: log, keymap: keymap, opener: opener,
        config: config), source: source)
    appDelegate = AppDelegate(restores: !isFresh, accounts: accounts)
    application.delegate = appDelegate
    self.config = config
    config.ledger = ledger
    config.hooks.log = log
    apply(config, opener)
  }

  /// The visible account.
  var account: Account { accounts.shown.account }
  /// The visible screen.
  var main: MainViewController { accounts.shown.main }

  /// Warnings and messages about corrupt files, for the user. Complete only after the session has become ready.
  var remark: String? { accounts.shown.remark }

  /// Applies the configured browser, viewer, colours and theme, and connects the objects that are notified when any
  /// option, the keymap or the terminal's capabilities change.
  private func apply(_ config: ConfigCenter, _ opener: any URLOpener) {
    let driver = application.driver
    if let browser = opener as? SystemBrowser {
      browser.chosen = config[.browser].text
      browser.viewer = config[.viewer].text
      browser.player = config[.player].text
    }
    driver.colors = ColorChoice(rawValue: config[.colours].text) ?? .auto
    application.makeTheme = config.themeMaker()
    config.didChangeTheme = { [weak application] make in
      application?.makeTheme = make
    }
    config.didTell = { [weak self] sentence, isProblem in
      if isProblem { self?.main.announce(sentence) } else { self?.main.say(sentence, .dim) }
    }
    config.hooks.didFail = { [weak self] in self?.main.announce($0) }
    config.didChangeKeys = { [weak self] keymap in
      self?.application.use(keymap)
      self?.accounts.use(keymap)
    }
    var former = driver.capabilities
    application.didChangeCapabilities.add(accounts) { [weak driver] accounts in
      guard let driver else { return }
      let capabilities = driver.capabilities
      let showsAlike = capabilities.showsPictures(like: former)
      former = capabilities
      if !showsAlike { accounts.showPicturesAnew() }
    }
    config.didSet = { [weak driver, weak application, weak opener] key, value in
      switch key {
      case .editor: (application?.externalEditor as? OutsideEditor)?.chosen = value.text
      case .browser: (opener as? SystemBrowser)?.chosen = value.text
      case .viewer: (opener as? SystemBrowser)?.viewer = value.text
      case .player: (opener as? SystemBrowser)?.player = value.text
      case .mouse: driver?.usesMouse = value.flag
      case .colours: driver?.colors = ColorChoice(rawValue: value.text) ?? .auto
      case .ambiguousWidth: driver?.use(TextForm(ambiguousWidth: value.text))
      default: break
      }
    }
  }

  /// Reads the configuration again and reports the result.
  func reload() {
    let problem = config.reload()
    if let problem { main.announce(problem) } else { main.say("Configuration reloaded", .text) }
  }

  /// Simulates a killed process: closes everything without saving. Used by tapes (scripted sessions).
  func abandon() {
    application.abandon()
    accounts.open.forEach { $0.abandon() }
  }

  /// Closes all accounts, and ends running commands and hooks. Call before the process ends.
  func close() {
    accounts.cancelOpening()
    config.endPrograms()
    accounts.open.forEach { $0.close() }
  }
}
