import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import Timekeeping

/// The accounts of a program that shows one of them. Those that were shown, and those that need nobody's help to open,
/// go on fetching and sending behind it.
@MainActor
final class ScreenAccounts: AccountDirectory {
  /// How long after the start the others are opened: they must not slow the first screen down.
  private static let othersDelay = Duration.seconds(5)

  /// The account that is shown.
  private(set) var shown: AccountGraph
  /// All that are open, the one that was opened first first.
  private(set) var open: [AccountGraph] = []
  var didChange = TargetActions()

  private let application: Application
  private let attention: AttentionCaller
  private let shared: AccountGraph.Shared
  private let source: (any SwitchableAccounts)?
  private var othersTimer: ProgramTimer?
  /// Opens the account that is to be shown next.
  private var opening: Task<Void, Never>?
  /// Why accounts could not be opened, by name.
  private var problems: [String: String] = [:]

  /// Begins with `session`, whose screen becomes the root of `application`.
  ///
  /// - Parameter source: the accounts to switch between; nil: there is only this one.
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
    application.restoration = shown.keptScreen
    application.window.rootViewController = shown.main
    shown.main.registerActions(of: application)
    application.addObserver(self)
  }

  /// Shows pictures in another way, now that the terminal can.
  func showPicturesAnew() { for graph in open { graph.settings.didChange.send() } }

  /// Goes by other keys from now on.
  func use(_ keymap: Keymap) { for graph in open { graph.use(keymap) } }

  // MARK: The list

  var accounts: [ListedAccount] {
    var names = source?.names ?? []
    // A server that is only looked at, or a token for this run.
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

  var underWayElsewhere: [UnderWay] { open.filter { $0 !== shown }.flatMap(\.account.underWay) }

  /// The account called `name`, for the user.
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

  /// Shows an account that is open at last, unless the reader has begun something else.
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

  /// Opens an account in place of what is being opened, and hands it to `opened`. With `isAgain`, one that is open
  /// goes on with another token.
  private func open(_ name: String, isAgain: Bool = false, opened: @escaping @MainActor (AccountGraph) -> Void) {
    cancelOpening()
    opening = shared.ledger.task("opening an account") { [weak self] in
      do throws(AppError) {
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
        shown.main.say(error.sentence, .error)
      }
    }
  }

  /// Begins a session. A command that knows the token is tried without the terminal first, so that nothing else waits.
  private func session(named name: String) async throws(AppError) -> AccountSession {
    guard let source else { throw .failed(StartWords.oneAccount) }
    guard source.mayAskOnTerminal(name) else { return try await source.session(named: name, isOnTerminal: false) }
    shown.main.say(StartWords.gettingToken, .dim)
    do throws(AppError) {
      return try await source.session(named: name, isOnTerminal: false)
    } catch {
      // It may want to ask for a passphrase.
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
    application.show(graph.main, keptBy: graph.keptScreen, isNew: isNew)
    if isNew, graph.session.service != nil { openService(of: graph) }
    if isNew, let remark = graph.remark { graph.main.announce(remark) }
    didChange.send()
  }

  /// Opens the embedded service, as a start does after the first frame.
  private func openService(of graph: AccountGraph) {
    shared.ledger.task("opening the service") {
      do throws(AppError) {
        try await graph.session.becomeReady()
        if let remark = graph.remark { graph.main.announce(remark) }
      } catch {
        graph.main.announce(error.sentence)
      }
    }
  }

  // MARK: The others

  /// Opens the other accounts in a while, so that what is unread there is counted, and what waits there is sent.
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
    do throws(AppError) {
      let session = try await source.session(named: name, isOnTerminal: false)
      guard graph(of: name) == nil else { return session.close() }
      add(session).account.start()
    } catch {
      problems[name] = StartWords.notOpened
    }
  }
}

/// What is unread in the accounts behind the one that is shown.
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

  func connectionDidChangeUnderWay(_ connection: AccountConnection) {
    // Quitting may wait for it.
    guard connection !== shown.account.connection else { return }
    shown.main.connectionDidChangeUnderWay(connection)
  }

  private func noteChange(of isIt: (Account) -> Bool) {
    guard !isIt(shown.account) else { return }
    didChange.send()
  }
}

/// Accounts without a screen rest while the program is stopped; a screen sees to its own.
extension ScreenAccounts: ApplicationObserver {
  func application(_ application: Application, didChangeTo phase: ApplicationPhase) {
    for graph in open where !graph.hasScreen {
      switch phase {
      case .background: graph.account.live.suspend()
      case .active: graph.account.live.resume()
      case .launching, .terminating: break
      }
    }
  }
}
