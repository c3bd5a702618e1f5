import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import Timekeeping

/// The open accounts, one of which is visible. The other accounts continue to fetch and send in the background. An
/// account is opened when the user switches to it, or automatically if its token is available without the user's help.
@MainActor
final class ScreenAccounts: AccountDirectory {
  /// Delay before the other accounts are opened, so that opening them doesn't slow down the first screen.
  private static let othersDelay = Duration.seconds(5)

  /// The visible account.
  private(set) var shown: AccountGraph
  /// All open accounts, in the order in which they were opened.
  private(set) var open: [AccountGraph] = []
  var didChange = TargetActions()

  private let application: Application
  private let attention: AttentionCaller
  private let shared: AccountGraph.Shared
  private let source: (any SwitchableAccounts)?
  private var othersTimer: ProgramTimer?
  /// Task that opens the account to which the user is switching.
  private var opening: Task<Void, Never>?
  /// Descriptions of the problems with accounts that could not be opened, by account name.
  private var problems: [String: String] = [:]

  /// Opens `session` as the visible account.
  ///
  /// - Parameter source: The accounts to which the user can switch, or nil if `session` is the only account.
  init(
    _ session: AccountSession, application: Application, shared: AccountGraph.Shared, source: (any SwitchableAccounts)?
  ) {
    self.application = application
    attention = AttentionCaller(application, clock: shared.clock)
    self.shared = shared
    self.source = source
    shared.config.use(account: session.accountFolder)
    shown = AccountGraph(session, shared)
    add(shown)
  }

  /// Draws and fetches pictures again after the terminal's capabilities have changed.
  func showPicturesAnew() { for graph in open { graph.settings.didChange.send() } }

  func use(_ keymap: Keymap) { for graph in open { graph.use(keymap) } }

  // MARK: The list

  var accounts: [ListedAccount] {
    var names = source?.names ?? []
    // Add accounts that aren't saved, such as a server opened without an account or with a token for this run.
    for graph in open where !names.contains(graph.name) { names.append(graph.name) }
    return names.map { name in
      let account = graph(of: name)?.account
      return ListedAccount(
        name: name, words: words(of: name), isShown: name == shown.name,
        unreadCount: account.map(Self.unreadCount) ?? 0,
        problem: account?.connection.needsSignIn == true ? StartWords.signInAgain : problems[name])
    }
  }

  var unreadElsewhere: Int {
    open.filter { $0 !== shown }.reduce(0) { $0 + Self.unreadCount(in: $1.account) }
  }

  private static func unreadCount(in account: Account) -> Int {
    account.inbox.unreadCount + account.notifications.countedUnread
  }

  var inProgressElsewhere: [WriteKind] { open.filter { $0 !== shown }.flatMap(\.account.inProgress) }

  /// Returns the display name of an account.
  private func words(of name: String) -> String { source?.words(of: name) ?? name }

  private func graph(of name: String) -> AccountGraph? { open.first { $0.name == name } }

  // MARK: Showing

  func show(accountNamed name: String) -> String? {
    do throws(AppError) {
      let name = try fullName(of: name)
      guard name != shown.name else { return StartWords.isShown(words(of: name)) }
      if let open = graph(of: name) { show(open) } else { open(name) { [weak self] in self?.showNow($0) } }
      return nil
    } catch {
      problems[name] = StartWords.notOpened
      return error.sentence
    }
  }

  /// Shows an account that has finished opening. Running a token command can take long. If the account has such a
  /// command and the user has opened a sheet (a view above the screen) in the meantime, only reports that the account
  /// is ready.
  private func showNow(_ graph: AccountGraph) {
    guard source?.mayAskOnTerminal(graph.name) == true, application.window.topSheet != nil else { return show(graph) }
    shown.main.say(StartWords.isReady(words(of: graph.name)), .new)
  }

  private func fullName(of name: String) throws(AppError) -> String {
    guard graph(of: name) == nil, let source else { return name }
    return try source.fullName(of: name)
  }

  func newSignIn() -> (any SignInSteps)? { source?.newSignIn(opener: shared.opener) }

  func show(_ account: SignedInAccount) {
    open(account.name, isAgain: true) { [weak self] graph in
      guard let self else { return }
      let remarks = [account.remark, graph.hasScreen ? nil : graph.remark].compactMap(\.self)
      if graph !== shown { show(graph) }
      let words = StartWords.signedIn(self.words(of: account.name))
      if remarks.isEmpty { return graph.main.say(words, .new) }
      graph.main.announce((["\(words)."] + remarks).joined(separator: " "))
    }
  }

  func cancelOpening() {
    opening?.cancel()
    opening = nil
  }

  /// Starts opening an account. Later passes it to `opened`, or shows an error. Cancels an earlier call that is still
  /// in progress. If the account is open already and `isAgain` is true, the account switches to the new token.
  private func open(_ name: String, isAgain: Bool = false, opened: @escaping @MainActor (AccountGraph) -> Void) {
    cancelOpening()
    opening = shared.ledger.task("opening an account") { [weak self] in
      do {
        guard let session = try await self?.session(named: name) else { return }
        guard !Task.isCancelled, let self else { return session.close() }
        opening = nil
        if let open = graph(of: name) {
          if isAgain { open.signInAgain(as: session) } else { session.close() }
          opened(open)
        } else {
          opened(add(session))
        }
      } catch {
        guard !Task.isCancelled, let self else { return }
        opening = nil
        problems[name] = StartWords.notOpened
        shown.main.say(AppError(error).sentence, .error)
      }
    }
  }

  /// Begins a session. A token command is first run without access to the terminal, so that the screen stays usable.
  private func session(named name: String) async throws -> AccountSession {
    guard let source else { throw AppError.failed(StartWords.oneAccount) }
    guard source.mayAskOnTerminal(name) else { return try await source.session(named: name, isOnTerminal: false) }
    shown.main.say(StartWords.gettingToken, .dim)
    do {
      return try await source.session(named: name, isOnTerminal: false)
    } catch {
      // The command has failed, perhaps because it must ask for a passphrase. Run it again on the terminal.
      guard !Task.isCancelled, application.enterBackground() else { throw error }
    }
    defer { application.enterForeground() }
    return try await source.session(named: name, isOnTerminal: true)
  }

  private func add(_ session: AccountSession) -> AccountGraph {
    let graph = AccountGraph(session, shared)
    problems[graph.name] = nil
    add(graph)
    return graph
  }

  private func add(_ graph: AccountGraph) {
    graph.directory = self
    open.append(graph)
    graph.account.addObserver(self)
  }

  private func show(_ graph: AccountGraph) {
    let isNew = !graph.hasScreen
    shown = graph
    shared.config.use(account: graph.name)
    graph.main.registerActions(of: application)
    application.show(graph.main, restoredBy: graph.savedScreen, isNew: isNew)
    if isNew, graph.session.service != nil { openService(of: graph) }
    if isNew, let remark = graph.remark { graph.main.announce(remark) }
    didChange.send()
  }

  /// Opens the embedded server of an account that has just shown its first frame, as at the start of the program.
  private func openService(of graph: AccountGraph) {
    shared.ledger.task("opening the service") {
      do {
        try await graph.session.becomeReady()
        if let remark = graph.remark { graph.main.announce(remark) }
      } catch {
        graph.main.announce(AppError(error).sentence)
      }
    }
  }

  // MARK: Other accounts

  /// After a delay, opens the other accounts whose tokens are available without the user's help, so that their unread
  /// items are counted and their queued items are sent.
  func openOthersSoon() {
    guard source != nil else { return }
    othersTimer = shared.clock.schedule(after: Self.othersDelay) { [weak self] in self?.openOthers() }
  }

  private func openOthers() {
    othersTimer = nil
    guard let source else { return }
    shared.ledger.task("opening the other accounts") { [weak self] in
      for name in source.names where source.opensByItself(name) { await self?.openUnseen(name, from: source) }
      self?.didChange.send()
    }
  }

  private func openUnseen(_ name: String, from source: any SwitchableAccounts) async {
    guard graph(of: name) == nil else { return }
    do {
      let session = try await source.session(named: name, isOnTerminal: false)
      guard graph(of: name) == nil else { return session.close() }
      add(session).account.start()
    } catch {
      problems[name] = StartWords.notOpened
    }
  }
}

/// Updates the unread counts of accounts that aren't visible, and notifies the user of new items in all accounts.
extension ScreenAccounts: AccountObserver {
  func inboxDidChangeState(_ inbox: Inbox) { noteChange(of: { $0.inbox === inbox }) }

  func notificationFeedDidChange(_ notifications: NotificationFeed) {
    noteChange(of: { $0.notifications === notifications })
  }

  func notificationFeed(_ notifications: NotificationFeed, didReceive news: [AccountNotification]) {
    guard let graph = open.first(where: { $0.account.notifications === notifications }) else { return }
    let isShown = graph === shown
    shared.config.runHooks(for: news)
    attention.note(news, in: isShown ? nil : words(of: graph.name), by: graph.settings) {
      isShown && graph.main.isReading($0)
    }
  }

  func identityDidChange(_ identity: Identity) {
    guard let graph = open.first(where: { $0.account.identity === identity }), let info = identity.serverInfo
    else { return }
    source?.setDomain(graph.account.connection.domain(of: info), of: graph.name)
  }

  func connectionDidChangeState(_ connection: AccountConnection) {
    noteChange(of: { $0.connection === connection })
  }

  func connectionDidChangeInProgress(_ connection: AccountConnection) {
    // Forward changes in other accounts: the visible screen shows the pending requests of all accounts, because
    // quitting may wait for them.
    guard connection !== shown.account.connection else { return }
    shown.main.requestsDidChangeElsewhere()
  }

  private func noteChange(of isIt: (Account) -> Bool) {
    guard !isIt(shown.account) else { return }
    didChange.send()
  }
}

/// The program's life cycle.
extension ScreenAccounts {
  /// Shows the first account's screen, which the application then restores.
  func showFirst() {
    application.restoration = shown.savedScreen
    application.window.rootViewController = shown.main
    shown.main.registerActions(of: application)
  }

  func didEnterBackground() { for graph in open { graph.suspend() } }

  func willEnterForeground() {
    for graph in open { graph.account.live.resume() }
    shown.main.wakeUp()
  }

  func finishPendingActions() { for graph in open { graph.account.pendingActions.finish() } }

  /// Waits until drafts and read positions are saved, and releases memory.
  func releaseMemory() {
    for graph in open { graph.releaseMemory() }
    ProcessMemory.returnFreedMemory()
  }
}
