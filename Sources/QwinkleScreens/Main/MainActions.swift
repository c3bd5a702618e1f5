import PaneKit
import PaneTrees
import QwinkleAccount
import QwinkleModel
import QwinkleService
import Timekeeping

/// Performs the actions of an account's main screen, which work in every section.
@MainActor
final class MainActions {
  private let account: Account
  private let router: SectionRouter
  private let manualRefresh: ManualRefresh
  private unowned let screen: MainViewController
  private var policyFetch: Fetch?
  /// The command line. Created once, to preserve its history.
  private lazy var prompt: CommandPrompt = {
    let prompt = CommandPrompt(
      navigator: screen, account: account, links: screen.factory.links, settings: screen.factory.settings)
    prompt.home = screen.factory.home
    prompt.selectedQwink = { [weak router] in router?.focus.selectedQwink }
    prompt.selectedQwinker = { [weak router] in router?.focus.selectedQwinker }
    prompt.foreignQwink = { [weak router] in router?.focus.foreignQwink }
    prompt.didFind = { [weak router] in router?.focus.didFind($0, of: $1) }
    prompt.selectedRowKey = { [weak router] in router?.focus.selectedRowKey }
    prompt.refusal = { [weak router] in router?.focus.refusalWords }
    prompt.accountNames = { [weak screen] in screen?.factory.directory?.accounts.map(\.words) ?? [] }
    prompt.pipe = { [weak screen] in screen?.pipe($0) }
    prompt.showAccount = { [weak screen] in screen?.showAccount($0) }
    prompt.choose = { [weak router] in router?.choose($0) }
    return prompt
  }()

  init(screen: MainViewController) {
    self.screen = screen
    account = screen.account
    router = screen.router
    manualRefresh = ManualRefresh(account)
  }

  func register() {
    for section in Section.allCases { on(section.action) { $0.router.go(to: section) } }
    // Actions in both tables are registered twice, which is harmless.
    for action in RowCommands.actions {
      on(action, when: { $0.rowCommands.command(action) != nil }) { $0.rowCommands.command(action)?() }
    }
    on(.editProfile, when: { $0.account.isSignedIn }) { $0.editProfile() }
    on(.notificationPolicy, when: { $0.account.isSignedIn }) { $0.editNotificationPolicy() }
    on(.compose) { $0.screen.write(.new) }
    on(.accounts) { $0.screen.showAccounts() }
    on(.signIn) { $0.screen.signIn() }
    on(.catchUp) { $0.screen.showOwn(.catchUp) }
    on(.showDrafts) { $0.screen.showOwn(.drafts) }
    on(.showOutbox) { $0.screen.showOwn(.outbox) }
    on(.back, when: { $0.router.canGoBack }) { $0.router.goBack() }
    on(.askToQuit) { $0.screen.quitting.askToQuit() }
    on(.refresh) { $0.refresh() }
    on(.command) { $0.screen.present($0.prompt) }
    on(.toggleMessages) { $0.router.toggleMessages() }
    on(.nextUnread) { $0.goToUnread(.next) }
    on(.previousUnread) { $0.goToUnread(.previous) }
    on(.undo) { $0.undo() }
    on(.sendHeld, when: { !$0.account.pendingActions.acts.isEmpty }) { $0.account.pendingActions.performAll() }
    on(.toggleDensity) { $0.toggleDensity() }
    registerPaneActions()
  }

  private func registerPaneActions() {
    on(.nextPane) { $0.router.moveFocus(toward: .right) }
    on(.previousPane) { $0.router.moveFocus(toward: .left) }
    on(.paneAbove) { $0.router.moveFocus(toward: .up) }
    on(.paneBelow) { $0.router.moveFocus(toward: .down) }
    on(.cyclePanes) { $0.router.focusNextPane() }
    on(.splitRight) { $0.router.split(along: .columns) }
    on(.splitBelow) { $0.router.split(along: .rows) }
    on(.closePane) { $0.router.closePane() }
    on(.onlyPane) { $0.router.closeOtherPanes() }
    on(.swapPanes) { $0.router.swapPanes() }
    on(.zoomPane) { $0.router.zoomPane() }
    on(.widerPane) { $0.router.growPane(along: .columns, larger: true) }
    on(.narrowerPane) { $0.router.growPane(along: .columns, larger: false) }
    on(.higherPane) { $0.router.growPane(along: .rows, larger: true) }
    on(.lowerPane) { $0.router.growPane(along: .rows, larger: false) }
    on(.equalPanes) { $0.router.panes.equalize() }
  }

  private func on(
    _ action: Action, when isPossible: @escaping @MainActor (MainActions) -> Bool = { _ in true },
    perform: @escaping @MainActor (MainActions) -> Void
  ) {
    screen.on(action, when: { [weak self] in self.map(isPossible) ?? false }) { [weak self] in self.map(perform) }
  }

  private var rowCommands: RowCommands {
    RowCommands(
      screen: router.focus,
      context: QwinkCommand.Context(
        account: account, links: screen.factory.links, settings: screen.factory.settings, navigator: screen))
  }

  private func editProfile() {
    let sheet = screen.factory.profile()
    sheet.navigator = screen
    screen.present(sheet)
  }

  /// Fetches the policy and shows it in a form.
  private func editNotificationPolicy() {
    if let refusal = account.connection.refusal(of: .filteredNotifications) { return screen.say(refusal, .warning) }
    screen.say(FilteredWords.fetchingPolicy, .dim) { [weak self] in self?.policyFetch != nil }
    let isHere = screen.whileHere()
    policyFetch = account.fetch(.notificationPolicy) { [weak self] result in
      guard let self else { return }
      policyFetch = nil
      switch result {
      case .success(let policy): if isHere() { show(policy) }
      case .failure(let error): screen.say(error.sentence, .error)
      }
    }
  }

  private func show(_ policy: NotificationPolicy) {
    let sheet = NotificationPolicySheet(policy, account: account, keymap: screen.keymap) { [weak self] saved in
      self?.account.filteredNotifications.take(saved)
      self?.screen.say(FilteredWords.policySaved, .new)
    }
    sheet.navigator = screen
    screen.present(sheet)
  }

  private func goToUnread(_ step: UnreadStep) {
    if !router.selectUnread(step, in: screen.unread.sections) { screen.say(MainWords.nothingUnread, .dim) }
  }

  private func refresh() {
    let wait = manualRefresh.refresh(router.focus)
    if wait > .zero { screen.say(MainWords.retries(in: wait), .dim) }
  }

  func type(_ line: String, hint: String) {
    prompt.begin(line, hint: hint)
    screen.present(prompt)
  }

  /// Opens the prompt and runs a command.
  func run(_ line: String) {
    screen.present(prompt)
    prompt.run(line)
  }

  private func undo() {
    if let (words, isSo) = account.undo() {
      screen.say(words, .new, while: isSo)
    } else {
      screen.say(MainWords.nothingToUndo, .dim)
    }
  }

  private func toggleDensity() {
    let settings = screen.factory.settings
    settings.density = settings.density.next
    screen.say(PromptWords.density(settings.density), .dim)
  }
}
