import OnDemandResources
public import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleStore
public import Terminal
import Timekeeping

/// An account's main screen: the current section between a header and a status bar.
@MainActor
public final class MainViewController: ViewController {
  let account: Account
  private(set) var keymap: Keymap
  private(set) var factory: ScreenFactory
  let accountWords: String
  let sections: [Section]
  private(set) var section: Section
  /// Stacks of the sections that were opened in this run.
  private(set) var stacks: [Section: PaneStack] = [:]
  /// Unread counts, from the cache, of timelines whose rows in memory don't suffice, for example because they weren't
  /// shown in this run.
  private(set) lazy var unvisited = UnvisitedCounts(account: account, settings: factory.settings)

  let header: HeaderView
  let status: StatusView
  private let lowerRule = RuleView()
  private(set) lazy var panes = PanesViewController(stack) { [weak self] in
    self.map { $0.newStack(root: $0.factory.messages(for: $0)) }
  }

  /// Number of keys pressed before the current message was shown; nil if keys don't remove the message.
  var messageKeyCount: Int?
  /// Whether the screen has appeared before.
  private var hasAppeared = false
  var shownTitle = ""
  /// Uptime of the user's last key or mouse input.
  private(set) var actedAt: Duration?
  /// ID of the last pending action announced in linear form, which is for screen readers.
  var saidHeldAct = 0
  /// Opens drafts restored by undo.
  private(set) lazy var draftOpener = account.outgoing.map { DraftOpener(account: account, store: $0) }
  /// Limits how often the refresh key retries a failed request: on the focused screen, in the inbox and in the
  /// notifications.
  private(set) lazy var screenRetry = RetryLimit(clock: account.clock)
  private(set) lazy var inboxRetry = RetryLimit(clock: account.clock)
  private(set) lazy var notificationsRetry = RetryLimit(clock: account.clock)
  /// Uptime of the last message that the disk is full.
  var reportedFullDiskAt: Duration?
  private(set) lazy var quitting = QuitCoordinator(
    account: account, settings: factory.settings, directory: factory.directory, screen: self)
  /// The command line. Created once, to preserve its history.
  private lazy var prompt: CommandPrompt = {
    let prompt = CommandPrompt(
      navigator: self, account: account, links: factory.links, settings: factory.settings)
    prompt.home = factory.home
    prompt.selectedQwink = { [weak self] in self?.focus.selectedQwink }
    prompt.selectedQwinker = { [weak self] in self?.focus.selectedQwinker }
    prompt.selectedRowKey = { [weak self] in self?.focus.selectedRowKey }
    prompt.refusal = { [weak self] in self?.focus.refusalWords }
    prompt.accountNames = { [weak self] in self?.factory.directory?.accounts.map(\.words) ?? [] }
    prompt.pipe = { [weak self] in self?.pipe($0) }
    prompt.showAccount = { [weak self] in self?.showAccount($0) }
    prompt.choose = { [weak self] in self?.choose($0) }
    return prompt
  }()
  /// The pending request for a qwink, which is shown once it is loaded.
  var lookup: Fetch?
  /// Incremented for each lookup, so that the message of an earlier lookup ends.
  var lookupCount = 0
  weak var openEntry: EntryViewController?
  /// Purpose of the entry that was open when the program last quit.
  private var restoredPurpose: EntryPurpose?
  /// The screen that had keyboard focus before the last input; nil if a sheet was open.
  private weak var readScreen: (any Screen)?

  /// Creates the screen of one account. `accountWords` is the account's name, such as `mara@tilde.example`. If the
  /// account is signed out, personal sections are left out.
  public init(factory: ScreenFactory, accountWords: String) {
    self.factory = factory
    account = factory.account
    self.keymap = factory.keymap
    self.accountWords = accountWords
    self.sections = factory.sections
    let start = factory.settings.startSection ?? .public
    section = factory.sections.contains(start) ? start : .public
    header = HeaderView(clock: account.clock)
    status = StatusView(clock: account.clock)
    super.init()
    keyContext = .global
    restorationIdentifier = "main"
    makesChildrenLater = true
    view.addSubview(header)
    addChild(panes)
    for subview in [lowerRule, status] { view.addSubview(subview) }
    panes.allowsSide = account.isSignedIn && section != .messages
    panes.wantsSide = factory.settings.showsMessagesPane
    panes.keepsSide = panes.wantsSide == nil
    panes.didChangeSide.add(self) { $0.setNeedsBars() }
    status.didEndMessage.add(self) {
      $0.quitting.forgetInterrupt()
      $0.setNeedsBars()
    }
    factory.links.navigator = self
    factory.directory?.didChange.add(self) { $0.setNeedsBars() }
    account.addObserver(self)
    factory.shelf?.resources.addObserver(self)
    registerActions()
    setNeedsBars()
  }

  override public var linearTexts: [LinearText] { saidTexts }

  override public var initialFirstResponder: Responder { panes.initialFirstResponder }

  override public func updateProperties() { showBars() }

  override public func layout(in size: Size) -> Layout? {
    guard size.rows >= 6 else { return .rows([.fill: panes.view, .fixed(1): status]) }
    return .rows([
      .fixed(1): header, .fill: panes.view, .fixed(1): lowerRule,
      // In a tall window, the status bar uses up to three rows before it truncates its text.
      .intrinsic(atMost: size.rows < 8 ? 1 : min(3, size.rows / 4)): status,
    ])
  }

  override public func viewDidAppear() {
    // Another account's screen may have set the title in the meantime.
    shownTitle = ""
    window?.firstResponderDidChange.add(self) { $0.setNeedsBars() }
    window?.application?.didChangePendingKeys.add(self) { $0.setNeedsBars() }
    window?.application?.didHandleKey.add(self) {
      $0.endFormerMessage()
      $0.noteReading()
    }
    window?.application?.didHandleMouse.add(self) { $0.noteReading() }
    window?.application?.willHandleInput.add(self) { $0.prepareReading() }
    setNeedsBars()
    guard !hasAppeared else { return wakeUp() }
    hasAppeared = true
    // The first frame doesn't show the account's data and must not wait for it.
    Task { [weak self] in self?.account.start() }
  }

  override public func viewWillDisappear() {
    hideProgress()
    window?.firstResponderDidChange.remove(self)
    guard let application = window?.application else { return }
    application.didChangePendingKeys.remove(self)
    application.didHandleKey.remove(self)
    application.didHandleMouse.remove(self)
    application.willHandleInput.remove(self)
  }

  // MARK: Sections

  /// The current section's stack.
  var stack: PaneStack { stack(of: section) }

  /// The visible stacks: the current section's, and the direct messages' if they are shown next to it.
  var shownStacks: [PaneStack] { panes.side.map { [stack, $0] } ?? [stack] }

  /// The first responder below any sheets.
  private var keyHolder: Responder { window?.rootResponder ?? stack.pane.front.initialFirstResponder }

  /// The screen with keyboard focus.
  var focus: any Screen { panes.focused.pane.front }

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

  /// Hides or shows rows of the focused screen, or of its pane's list if the focused screen can't hide rows. Returns a
  /// message about the result, or nil if neither can hide rows.
  private func choose(_ choice: PaneChoice) -> String? { focus.take(choice) ?? panes.focused.pane.main.take(choice) }

  /// The section's root screen.
  var root: any Screen { stack.panes[0].main }

  private func stack(of section: Section) -> PaneStack {
    if let stack = stacks[section] { return stack }
    let stack = newStack(root: factory.root(of: section, for: self))
    stack.restorationIdentifier = section.rawValue
    stacks[section] = stack
    return stack
  }

  private func newStack(root: any Pane) -> PaneStack {
    root.restorationIdentifier = "root"
    let stack = PaneStack(root: root) { [weak self] in
      guard let self, let place = Place(restorationIdentifier: $0, state: $1, in: account) else { return nil }
      return factory.pane(for: place, for: self)
    }
    stack.didChangeTop.add(self) { $0.setNeedsBars() }
    return stack
  }

  /// Shows a section. If it is already shown, returns to its root, or shows the next view if the root of the views is
  /// already in front. If the account doesn't have the section, shows a message.
  func go(to section: Section) {
    guard sections.contains(section) else {
      return say(MainWords.isMissing(section), .warning)
    }
    if section == self.section {
      let isRoot = stack.panes.count == 1 && stack.pane.front === stack.pane.main
      stack.pane.closeDetail()
      stack.popToRoot()
      stack.pane.closeDetail()
      if isRoot { (root as? SavedSearchViewController)?.showNext() }
      return setNeedsBars()
    }
    self.section = section
    let isNew = stacks[section] == nil
    panes.allowsSide = account.isSignedIn && section != .messages
    panes.show(stack)
    if isNew { restoreChild(stack) }
    root.visitDidBegin()
    setNeedsBars()
  }

  // MARK: State

  /// Includes the stacks of hidden sections.
  override public var restorationChildren: [ViewController] {
    [panes] + sections.compactMap { stacks[$0] } + (shownEntry.map { [$0] } ?? [])
  }

  private var shownEntry: EntryViewController? { openEntry.flatMap { $0.isOnScreen ? $0 : nil } }

  override public func encodeRestorableState(with state: inout RestorableState) {
    state["section"] = section.rawValue
    shownEntry?.purpose.encode(to: &state)
  }

  /// Reopens the entry that was open when the program last quit. Its text was saved as a draft.
  override public func didRestoreChildren() {
    guard let purpose = restoredPurpose else { return }
    restoredPurpose = nil
    guard account.isSignedIn else { return }
    let entry = factory.entry(purpose)
    restoreChild(entry)
    open(entry)
  }

  override public func decodeRestorableState(with state: RestorableState) {
    restoredPurpose = EntryPurpose(state)
    guard factory.settings.startSection == nil, let restored = state["section"].flatMap(Section.init),
      restored != section,
      sections.contains(restored)
    else { return }
    startIn(restored)
  }

  private func startIn(_ section: Section) {
    guard let search = stack(of: section).panes[0].main as? SearchViewController else { return go(to: section) }
    // The program must not start with focus in a text field.
    search.startOutsideField { go(to: section) }
  }

  // MARK: Actions

  private func registerActions() {
    for section in Section.allCases { on(section.action) { [weak self] in self?.go(to: section) } }
    // Actions in both tables are registered twice, which is harmless.
    for action in RowCommands.actions {
      on(action, when: { [weak self] in self?.rowCommands.command(action) != nil }) { [weak self] in
        self?.rowCommands.command(action)?()
      }
    }
    on(.editProfile, when: { [weak self] in self?.account.isSignedIn ?? false }) { [weak self] in self?.editProfile() }
    on(.compose) { [weak self] in self?.write(.new) }
    on(.accounts) { [weak self] in self?.showAccounts() }
    on(.signIn) { [weak self] in self?.signIn() }
    on(.showDrafts) { [weak self] in self?.showOwn(.drafts) }
    on(.showOutbox) { [weak self] in self?.showOwn(.outbox) }
    on(.back, when: { [weak self] in self?.canGoBack ?? false }) { [weak self] in self?.goBack() }
    on(.askToQuit) { [weak self] in self?.quitting.askToQuit() }
    on(.refresh) { [weak self] in self?.refresh() }
    on(.command) { [weak self] in self.map { $0.present($0.prompt) } }
    on(.toggleMessages) { [weak self] in self?.toggleMessages() }
    on(.nextUnread) { [weak self] in self?.goToUnread(.next) }
    on(.previousUnread) { [weak self] in self?.goToUnread(.previous) }
    on(.undo) { [weak self] in self?.undo() }
    on(.sendHeld, when: { [weak self] in self?.account.pendingActions.acts.isEmpty == false }) { [weak self] in
      self?.account.pendingActions.performAll()
    }
    on(.toggleDensity) { [weak self] in self?.toggleDensity() }
    on(.nextPane) { [weak self] in self?.moveToPane(next: true) }
    on(.previousPane) { [weak self] in self?.moveToPane(next: false) }
  }

  private var rowCommands: RowCommands {
    RowCommands(
      screen: focus,
      context: QwinkCommand.Context(
        account: account, links: factory.links, settings: factory.settings, navigator: self))
  }

  private func editProfile() {
    let sheet = factory.profile()
    sheet.navigator = self
    present(sheet)
  }

  /// Selects the next or previous unread row on this screen. If the screen has no such row, goes to another section
  /// with unread rows, or wraps around in this section.
  private func goToUnread(_ step: UnreadStep) {
    guard !focus.selectUnread(step) else { return }
    let others = sections.filter { unread(in: $0).count > 0 }
    // Personal sections have priority.
    let next = others.filter(\.isPersonal) + others.filter { !$0.isPersonal }
    guard let other = next.first(where: { $0 != section }) ?? next.first else {
      return say(MainWords.nothingUnread, .dim)
    }
    go(to: other)
    if !root.selectUnread(step == .next ? .first : .last) { say(MainWords.nothingUnread, .dim) }
  }

  /// Called before each input. Closes dead streams, shows qwinks that were hidden by filters that have expired, and
  /// notifies the focused screen.
  private func prepareReading() {
    account.live.checkAlive()
    account.checkFilters()
    actedAt = account.clock.uptime
    readScreen = window?.topSheet == nil ? focus : nil
    readScreen?.readerWillAct()
  }

  /// Called after each input. Notifies the focused screen, which may mark rows as read.
  private func noteReading() {
    guard let window, window.topSheet == nil else { return }
    let screen = focus
    screen.readerDidAct(wasHere: screen === readScreen)
  }

  /// Opens the prompt with the beginning of a command, which the user completes.
  public func type(_ line: String, hint: String) {
    prompt.begin(line, hint: hint)
    present(prompt)
  }

  /// Opens the prompt and runs a command.
  func run(_ line: String) {
    present(prompt)
    prompt.run(line)
  }

  private func undo() {
    if let (words, isSo) = account.undo() {
      say(words, .new, while: isSo)
    } else {
      say(MainWords.nothingToUndo, .dim)
    }
  }

  private func toggleDensity() {
    let settings = factory.settings
    settings.density = settings.density.other
    say(PromptWords.density(isCompact: settings.density == .compact), .dim)
  }

  /// Presents the entry and remembers it for restoration.
  func open(_ entry: EntryViewController) {
    entry.navigator = self
    openEntry = entry
    present(entry)
  }

  /// Replaces the keymap.
  public func use(_ keymap: Keymap) {
    self.keymap = keymap
    factory.keymap = keymap
    factory.links.keymap = keymap
    setNeedsBars()
  }

  /// Shows the introduction for new users.
  public func showTour() {
    present(TourSheet(keymap: keymap, isSignedIn: account.isSignedIn))
  }

  /// Shows the help, with the keys of the current contexts.
  public func showHelp() {
    let contexts = window?.effectiveFirstResponder.chain.compactMap(\.keyContext) ?? []
    present(
      HelpViewController(keymap: keymap, contexts: contexts, lacking: account.connection.abilities.missing))
  }

  private var canGoBack: Bool {
    let stack = panes.focused
    return stack === panes.side || stack.panes.count > 1 || stack.pane.front !== stack.pane.main
  }

  private func goBack() {
    let stack = panes.focused
    if stack.pane.closeDetail() { return setNeedsBars() }
    if stack.pop() { return }
    panes.focusSection()
    setNeedsBars()
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

  private func moveToPane(next: Bool) {
    panes.move(toNext: next)
    setNeedsBars()
  }

  /// Shows or hides the messages next to the section.
  private func toggleMessages() {
    guard account.isSignedIn else { return say(MainWords.needsAccount(.messages), .warning) }
    guard panes.hasRoomForSide else {
      return say(MainWords.noRoomForMessages, .warning) { [weak self] in self?.panes.hasRoomForSide == false }
    }
    panes.toggleSide()
    setNeedsBars()
  }
}
