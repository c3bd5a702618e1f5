import OnDemandResources
public import PaneKit
import QwinkleAccount
public import QwinkleModel
public import Terminal
import Timekeeping

/// An account's main screen: the current section between a header and a status bar.
@MainActor
public final class MainViewController: ViewController {
  let account: Account
  private(set) var factory: ScreenFactory
  let accountWords: String
  private(set) lazy var router = SectionRouter(screen: self)
  private(set) lazy var unread = UnreadCounts(account: account, settings: factory.settings, router: router)
  private(set) lazy var quitting = QuitCoordinator(
    account: account, settings: factory.settings, directory: factory.directory, screen: self)
  private(set) lazy var reporter = AccountReporter(account: account, quitting: quitting, screen: self)
  private lazy var reading = ReadingMonitor(account: account, router: router)
  private(set) lazy var catchUpOffer = CatchUpOffer(account: account, screen: self)
  private(set) lazy var actions = MainActions(screen: self)

  let header: HeaderView
  let status: StatusView
  private let lowerRule = RuleView()

  /// Whether the screen has appeared before.
  private var hasAppeared = false
  private(set) var shownTitle = ""
  /// The first fetch on the account, while it is in progress.
  private(set) var firstFetch: FirstFetch?
  /// The pending request for a qwink, which is shown once it is loaded.
  var lookup: Fetch?
  /// The pending searches for the own copies of other servers' qwinks, by the number of the lookup.
  var copyFetches: [Int: Fetch] = [:]
  /// Incremented for each lookup, so that the message of an earlier lookup ends.
  var lookupCount = 0
  weak var openEntry: EntryViewController?
  /// Purpose of the entry that was open when the program last quit.
  private var restoredPurpose: EntryPurpose?

  /// Creates the screen of one account. `accountWords` is the account's name, such as `mara@tilde.example`. If the
  /// account is signed out, personal sections are left out.
  public init(factory: ScreenFactory, accountWords: String) {
    self.factory = factory
    account = factory.account
    self.accountWords = accountWords
    header = HeaderView(clock: account.clock)
    status = StatusView(clock: account.clock)
    super.init()
    keyContext = .global
    restorationIdentifier = "main"
    makesChildrenLater = true
    view.addSubview(header)
    addChild(router.panes)
    lowerRule.joinsLinesAbove = true
    for subview in [lowerRule, status] { view.addSubview(subview) }
    header.willUpdate.add(self) { $0.updateHeader() }
    status.didEndMessage.add(self) {
      $0.quitting.forgetInterrupt()
      $0.setNeedsBars()
    }
    factory.links.navigator = self
    factory.directory?.didChange.add(self) { $0.setNeedsBars() }
    unread.didCount.add(self) { $0.setNeedsBars() }
    account.addObserver(unread)
    account.addObserver(reporter)
    account.addObserver(catchUpOffer)
    factory.shelf?.resources.addObserver(reporter)
    actions.register()
    setNeedsBars()
  }

  override public var linearTexts: [LinearText] { saidTexts }

  override public var initialFirstResponder: Responder { router.panes.initialFirstResponder }

  private var isCompact: Bool { SizeClass(columns: view.frame.size.columns) == .compact }

  /// Updates the status bar. The header and the titles are updated separately, because a move of the selection changes
  /// only the key hints.
  override public func updateProperties() {
    let keys = keysInForce
    let pressed = pressedKeys
    guard pressed.isEmpty else { return status.show(following: StatusWords.following(pressed, keys)) }
    let presenter = StatusPresenter(
      account: account, router: router, keys: keys, shown: router.stack.pane.front.status, isCompact: isCompact,
      firstFetchWords: isLinear ? nil : firstFetch?.words)
    status.show(presenter.state, held: isLinear ? nil : presenter.held, hints: presenter.hints)
  }

  private func updateHeader() {
    let shown = router.stack.pane.front.status
    let words = HeaderPresenter(
      account: account, router: router, unread: unread, accountWords: accountWords,
      unreadElsewhere: factory.directory?.unreadElsewhere ?? 0, shown: shown,
      columns: view.frame.size.columns
    ).words
    header.words = words
    header.isBusy = shown.state.isRefreshing || shown.state.isLoadingMore
    router.showTitles()
    show(title: words.title)
  }

  private func show(title: String) {
    guard let application = window?.application, title != shownTitle else { return }
    shownTitle = title
    application.driver.setTitle(title)
    application.setNeedsFrame()
  }

  override public func layout(in size: Size) -> Layout? {
    // The header without rows still gets its width, on which the terminal's title depends.
    guard size.rows >= 6 else { return .rows([.fixed(0): header, .fill: router.panes.view, .fixed(1): status]) }
    return .rows([
      .fixed(1): header, .fill: router.panes.view, .fixed(1): lowerRule,
      // In a tall window, the status bar uses up to three rows before it truncates its text.
      .intrinsic(atMost: size.rows < 8 ? 1 : min(3, size.rows / 4)): status,
    ])
  }

  override public func viewDidAppear() {
    // Another account's screen may have set the title in the meantime.
    shownTitle = ""
    window?.firstResponderDidChange.add(self) { $0.setNeedsBars() }
    window?.application?.didChangePendingKeys.add(self) { $0.setNeedsBars() }
    window?.application?.didHandleKey.add(self) { $0.status.endFormerNotice() }
    if let application = window?.application { reading.observe(application) }
    setNeedsBars()
    guard !hasAppeared else { return wakeUp() }
    hasAppeared = true
    // The first frame doesn't show the account's data and must not wait for it.
    Task { [weak self] in
      self?.startAccount()
      self?.catchUpOffer.begin()
    }
  }

  private func startAccount() {
    firstFetch = FirstFetch(of: self)
    if let firstFetch { firstFetch.begin() } else { account.start() }
  }

  func firstFetchDidEnd() {
    firstFetch = nil
    setNeedsBars()
  }

  override public func viewWillDisappear() {
    hideProgress()
    window?.firstResponderDidChange.remove(self)
    guard let application = window?.application else { return }
    application.didChangePendingKeys.remove(self)
    application.didHandleKey.remove(self)
    reading.stopObserving(application)
  }

  /// Hides the spinner. The bars aren't updated in the background, so it would never stop.
  public func hideProgress() { header.isBusy = false }

  /// Fetches items that may have arrived while the program was suspended or another account's screen was shown.
  public func wakeUp() {
    guard isOnScreen else { return }
    for stack in router.shownStacks { stack.pane.main.wakeUp() }
    account.inbox.refresh()
    account.notifications.refresh()
    catchUpOffer.begin()
  }

  /// Whether the user is active and the focused screen shows the notification's subject.
  public func isReading(_ notification: AccountNotification) -> Bool { reading.isReading(notification) }

  /// Call when a request of another account has started or ended.
  public func requestsDidChangeElsewhere() { quitting.lookAgainSoon() }

  // MARK: Keys

  var keymap: Keymap { factory.keymap }

  /// The first responder below any sheets.
  private var keyHolder: Responder { window?.rootResponder ?? router.stack.pane.front.initialFirstResponder }

  /// The screen with keyboard focus.
  var focus: any Screen { router.focus }

  /// The key bindings that apply to `keyHolder` and its responder chain.
  var keysInForce: KeysInForce {
    let holder = keyHolder
    let chain = holder.chain
    return KeysInForce(
      keymap: keymap, contexts: chain.compactMap { $0.keyContext }, editor: holder as? TextEditor,
      performs: { [abilities = account.connection.abilities] action in
        abilities.allow(action) && chain.contains { $0.canPerform(action) }
      })
  }

  /// The keys typed so far of an incomplete key sequence. Empty while a sheet is open.
  private var pressedKeys: [Key] {
    guard let window, window.topSheet == nil else { return [] }
    return window.application?.pendingKeys ?? []
  }

  var isLinear: Bool { window?.application?.driver.capabilities.isLinear ?? false }

  // MARK: State

  override public var restorationChildren: [ViewController] {
    router.restorationChildren + (shownEntry.map { [$0] } ?? [])
  }

  private var shownEntry: EntryViewController? { openEntry.flatMap { $0.isOnScreen ? $0 : nil } }

  override public func encodeRestorableState(with state: inout RestorableState) {
    state["section"] = router.section.rawValue
    state["catch-up"] = catchUpOffer.offeredAt
    shownEntry?.purpose.encode(to: &state)
  }

  /// Reopens the entry that was open when the program last quit. Its text was saved as a draft.
  override public func didRestoreChildren() {
    router.showStart()
    guard let purpose = restoredPurpose else { return }
    restoredPurpose = nil
    guard account.isSignedIn else { return }
    let entry = factory.entry(purpose)
    restoreChild(entry)
    open(entry)
  }

  override public func decodeRestorableState(with state: RestorableState) {
    restoredPurpose = EntryPurpose(state)
    catchUpOffer.offeredAt = state["catch-up"]
    if let section = state["section"].flatMap(Section.init) { router.restore(section) }
  }

  // MARK: Sheets and keys

  /// Presents the entry and remembers it for restoration.
  func open(_ entry: EntryViewController) {
    entry.navigator = self
    openEntry = entry
    present(entry)
  }

  /// Replaces the keymap.
  public func use(_ keymap: Keymap) {
    factory.keymap = keymap
    factory.links.keymap = keymap
    setNeedsBars()
  }

  /// Shows the introduction for new users, which begins with the timeline in `place`.
  public func showTour(of place: TourPlace) {
    present(TourSheet(keymap: keymap, isSignedIn: account.isSignedIn, place: place))
  }

  /// Shows the help, with the keys of the current contexts.
  public func showHelp() {
    let contexts = window?.effectiveFirstResponder.chain.compactMap(\.keyContext) ?? []
    present(
      HelpViewController(keymap: keymap, contexts: contexts, lacking: account.connection.abilities.missing))
  }

  /// Shows how to quit if there is nothing to go back to.
  override public func keyDown(_ key: Key) -> Bool {
    guard keymap.match([key], in: .qwink) == .action(.back) else { return false }
    say(MainWords.quitKey, .dim)
    return true
  }

  /// Explains why the pressed keys did nothing.
  override public func didIgnore(_ keys: [Key], asking actions: [Action]) -> Bool {
    let name = Keymap.name(of: keys)
    let needed = actions.lazy.compactMap { IgnoredKeyWords.reason($0, keys: name) }.first
    // The row's reason is more specific than the action's.
    let reason = needed == nil ? nil : focus.refusalWords ?? needed
    if let reason { say(reason, .warning) } else { say(IgnoredKeyWords.nothing(name, help: helpKey), .dim) }
    return true
  }

  /// The key that lists all keys, if it is bound.
  private var helpKey: String? { keysInForce.hint(for: .help)?.key }
}
