public import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleStore
import Terminal
import Timekeeping

/// The screen: the sections, one of them shown, a header that says where one is and a bar that says how it goes.
@MainActor
public final class MainViewController: ViewController {
  static let announcementTime = Duration.seconds(60)

  let account: Account
  let keymap: Keymap
  let factory: ScreenFactory
  let accountWords: String
  /// The accounts that one could have started as.
  public var accountNames: (@MainActor () -> [String])?
  let sections: [Section]
  private(set) var section: Section
  /// The stacks of the sections that have been shown.
  private var stacks: [Section: PaneStack] = [:]
  /// What the last run kept for sections that have not been shown since.
  private var keptState: [String: String] = [:]

  let header = BarView()
  let progress: ProgressView
  let status = BarView()
  private let upperRule = RuleView()
  private let lowerRule = RuleView()
  let content = View()
  /// The private messages beside the rest, where there is room.
  var sideStack: PaneStack?
  let sideRule = RuleView(.vertical)
  /// How wide somebody has dragged them; nil: as wide as usual.
  var chosenSideColumns: Int?
  /// Whether they should stand there.
  var showsSidePane = true
  var statusRows = 1

  /// The title that the window was given.
  var shownTitle = ""
  var notice: BarView.Item?
  var noticeTimer: ProgramTimer?
  /// Whether what the status bar says is so still; nil: nothing can change that.
  var noticeIsSo: (@MainActor () -> Bool)?
  var progressTimer: ProgramTimer?
  var mayQuitByInterrupt = false
  /// What waits until nothing is under way, to quit then.
  weak var quitSheet: ConfirmViewController?
  /// The line that takes commands, which remembers what was typed.
  private lazy var prompt: CommandPrompt = {
    let prompt = CommandPrompt(navigator: self, account: account, links: factory.links, keymap: keymap)
    prompt.selectedQwink = { [weak self] in self?.focus.selectedQwink }
    prompt.accountNames = { [weak self] in self?.accountNames?() ?? [] }
    return prompt
  }()
  /// What is being asked for because a key wanted to lead there.
  var lookup: Fetch?
  weak var openEntry: EntryViewController?

  /// The screen of one account. `accountWords` says who and where, `mara@tilde.example`. Without an account, what is
  /// somebody's own is left out.
  public init(factory: ScreenFactory, accountWords: String) {
    self.factory = factory
    account = factory.account
    self.keymap = factory.keymap
    self.accountWords = accountWords
    self.progress = ProgressView(clock: account.clock)
    self.sections = factory.sections
    section = .public
    super.init()
    keyContext = .global
    restorationIdentifier = "main"
    for subview in [header, upperRule, content, lowerRule, status, progress] { view.addSubview(subview) }
    content.addSubview(sideRule)
    sideRule.didDrag.add(self) { $0.moveSideRule(by: $0.sideRule.dragDistance) }
    factory.links.navigator = self
    account.addObserver(self)
    header.linearKind = .title
    registerActions()
    go(to: .public)
  }

  override public var linearTexts: [LinearText] { saidTexts }

  override public func updateProperties() {
    updateSidePane()
    updateBars()
  }

  override public func viewDidAppear() {
    window?.firstResponderDidChange.add(self) { $0.updateBars() }
    window?.application?.didChangePendingKeys.add(self) { $0.updateBars() }
    // None of this is in the first frame, which should not wait for it.
    Task { [weak self] in self?.askFirst() }
  }

  private func askFirst() {
    account.identity.identify()
    account.inbox.start()
    account.notifications.start()
  }

  // MARK: Sections

  /// The stack of the section that is shown.
  var stack: PaneStack { stack(of: section) }

  /// The part of a screen that has the keys, or gets them back when the sheets are gone.
  var keyHolder: Responder { window?.rootResponder ?? stack.pane.front.initialFirstResponder }

  /// The screen that keys are about.
  var focus: any Screen { focusedStack.pane.front }

  /// The keys that work on that screen now.
  var keysInForce: KeysInForce {
    let holder = keyHolder
    let chain = holder.chain
    return KeysInForce(
      keymap: keymap, contexts: chain.compactMap { $0.keyContext }, editor: holder as? TextEditor,
      performs: { action in chain.contains { $0.canPerform(action) } })
  }

  /// The screen that the section begins with.
  var root: any Screen { stack.panes[0].main }

  /// What is known of the connection, by what is shown where that has been asked for.
  var connection: FeedState {
    let front = stack.pane.front
    let shown = front.status.state
    // What a section begins with is asked for again and again.
    if shown.offlineSince != nil || (front === root && shown.knownSince != nil) { return shown }
    var states = [shown, root.status.state] + sections.compactMap { stacks[$0]?.panes[0].main.status.state }
    // What is being asked is about to know better than those.
    if !shown.isRefreshing { states += [account.inbox.state, factory.account.notifications.state] }
    let latest = FeedState.latest(of: states) ?? shown
    return shown.knownSince == nil || latest.offlineSince != nil ? latest : shown
  }

  /// The same by the last answer or failure, whatever asked for it.
  var connectionByContact: FeedState {
    let contact = account.connection
    var state = connection
    if let since = contact.offlineSince {
      state.offlineSince = state.offlineSince ?? since
    } else if let since = state.offlineSince, let at = contact.answeredAt, at > since {
      state.offlineSince = nil
      state.refreshedAt = at
      state.error = nil
    }
    return state
  }

  private func stack(of section: Section) -> PaneStack {
    if let stack = stacks[section] { return stack }
    let root = factory.root(of: section, for: self)
    let stack = PaneStack(root: root)
    stack.didChangeTop.add(self) { $0.updateBars() }
    stacks[section] = stack
    restorePlace(of: section, in: keptState)
    return stack
  }

  private func restorePlace(of section: Section, in state: RestorableState) {
    if let place = state[Self.placeKey(section)] { stacks[section]?.panes[0].main.goTo(place: place) }
  }

  /// Shows a section; where it is shown already, its root.
  func go(to section: Section) {
    guard sections.contains(section) else {
      return say("\(section.title) needs an account: qwinkle login URL signs in.", .warning)
    }
    if !children.isEmpty, section == self.section {
      stack.pane.closeThread()
      stack.popToRoot()
      stack.pane.closeThread()
      return updateBars()
    }
    if children.contains(where: { $0 === stack }) { stack.removeFromParent() }
    self.section = section
    addChild(stack, in: content)
    view.setNeedsUpdateProperties()
    view.setNeedsLayout()
    preferredFirstResponder = stack.top.initialFirstResponder
    window?.makeFirstResponder(preferredFirstResponder)
    updateBars()
  }

  // MARK: State

  /// The key of where the reader is in a section.
  private static func placeKey(_ section: Section) -> String {
    section == .search ? "search words" : "place \(section.rawValue)"
  }

  override public func encodeRestorableState(with state: inout RestorableState) {
    state = keptState
    state["section"] = section.rawValue
    state["messages pane"] = showsSidePane ? nil : "hidden"
    for (section, stack) in stacks { state[Self.placeKey(section)] = stack.panes[0].main.place }
  }

  override public func decodeRestorableState(with state: RestorableState) {
    keptState = state
    showsSidePane = state["messages pane"] != "hidden"
    for section in stacks.keys { restorePlace(of: section, in: state) }
    guard let kept = state["section"].flatMap(Section.init), kept != section, sections.contains(kept) else { return }
    guard let search = stack(of: kept).panes[0].main as? SearchViewController else { return go(to: kept) }
    // Whoever starts the program does not write yet.
    search.startOutsideField { go(to: kept) }
  }

  // MARK: Actions

  private func registerActions() {
    for section in Section.allCases { on(section.action) { [weak self] in self?.go(to: section) } }
    // Some are in both; registering those twice is simpler than sorting them out.
    for action in QwinkCommand.all.map(\.action) + QwinkerCommand.all.map(\.action) {
      on(action, when: { [weak self] in self?.command(action) != nil }) { [weak self] in self?.command(action)?() }
    }
    on(.editProfile, when: { [weak self] in self?.account.isSignedIn ?? false }) { [weak self] in self?.editProfile() }
    on(.compose) { [weak self] in self?.write(.new) }
    on(.back) { [weak self] in self?.goBack() }
    on(.refresh) { [weak self] in self?.refresh() }
    on(.command) { [weak self] in self.map { $0.present($0.prompt) } }
    on(.toggleMessages) { [weak self] in self?.toggleSidePane() }
    on(.nextUnread) { [weak self] in self?.goToUnread(.next) }
    on(.previousUnread) { [weak self] in self?.goToUnread(.previous) }
    on(.undo) { [weak self] in self?.undo() }
    on(.nextPane) { [weak self] in self?.moveToPane(next: true) }
    on(.previousPane) { [weak self] in self?.moveToPane(next: false) }
  }

  /// What `action` does to what is selected: to the qwink where there is one and it means something there, or else to
  /// the qwinker; nil where it does nothing.
  private func command(_ action: Action) -> (() -> Void)? {
    let focus = focus
    let context = QwinkCommand.Context(account: account, links: factory.links, navigator: self)
    if let qwink = focus.selectedQwink, let command = QwinkCommand.all.first(where: { $0.action == action }) {
      return checked(command.needsAccount) { command.perform(qwink, context) }
    }
    if let qwinker = focus.selectedQwinker, let command = QwinkerCommand.all.first(where: { $0.action == action }),
      command.isPossible(qwinker, context)
    {
      return checked(command.needsAccount) { command.perform(qwinker, context) }
    }
    return nil
  }

  private func checked(_ needsAccount: Bool, _ perform: @escaping () -> Void) -> () -> Void {
    guard needsAccount, !account.isSignedIn else { return perform }
    return { [weak self] in self?.say("This needs an account: qwinkle login URL signs in.", .warning) }
  }

  private func editProfile() {
    let sheet = factory.profile()
    sheet.navigator = self
    present(sheet)
  }

  /// Fetches what is new where the keys are, and what the header counts.
  private func refresh() {
    focus.refresh()
    account.inbox.refresh()
    account.notifications.refresh()
  }

  /// Goes to what was not read: on this screen, or else in another section, or else around.
  private func goToUnread(_ step: UnreadStep) {
    guard !focus.selectUnread(step) else { return }
    let others = sections.filter { unreadCount(in: $0) > 0 }
    guard let other = others.first(where: { $0 != section }) ?? others.first else {
      return say("Nothing else is unread.", .dim)
    }
    go(to: other)
    if !root.selectUnread(step == .next ? .first : .last) { say("Nothing else is unread.", .dim) }
  }

  private func undo() {
    if let (words, isSo) = account.undo() {
      say(words, .new, while: isSo)
    } else {
      say("There is nothing to take back.", .dim)
    }
  }

  /// Opens the entry.
  func open(_ entry: EntryViewController) {
    openEntry = entry
    present(entry)
  }

  /// Shows the keys.
  public func showHelp() {
    present(HelpViewController(keymap: keymap))
  }

  private func goBack() {
    let stack = focusedStack
    if stack.pane.closeThread() { return updateBars() }
    if stack.pop() { return }
    guard stack === sideStack else { return askToQuit() }
    window?.makeFirstResponder(self.stack.pane.front.initialFirstResponder)
    updateBars()
  }

  override public func viewWillLayoutSubviews() {
    let size = view.frame.size
    let isTall = size.rows >= 6
    let top = isTall ? 2 : 0
    let bottom = isTall ? 1 + statusRows : min(1, size.rows)
    header.frame = Rect(row: 0, column: 0, rows: isTall ? 1 : 0, columns: size.columns)
    progress.frame = Rect(row: 0, column: 0, rows: isTall ? 1 : 0, columns: 1)
    upperRule.frame = Rect(row: 1, column: 0, rows: isTall ? 1 : 0, columns: size.columns)
    content.frame = Rect(row: top, column: 0, rows: max(0, size.rows - top - bottom), columns: size.columns)
    lowerRule.frame = Rect(row: size.rows - bottom, column: 0, rows: isTall ? 1 : 0, columns: size.columns)
    let lowest = isTall ? statusRows : bottom
    status.frame = Rect(row: size.rows - lowest, column: 0, rows: lowest, columns: size.columns)
    arrangePanes(in: content.frame.size)
  }
}
