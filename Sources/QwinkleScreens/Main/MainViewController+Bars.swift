public import PaneKit
import QwinkleAccount
import QwinkleModel
import Terminal
import Timekeeping

/// What stands above and below the screens.
extension MainViewController {
  private static let progressDelay = Duration.milliseconds(250)
  private static let noticeTime = Duration.seconds(6)

  /// Tells the reader something about the program itself.
  public func announce(_ text: String) {
    say(text, .warning, for: Self.announcementTime)
  }

  public func say(_ text: String, _ role: StyleRole) {
    say(text, role, for: Self.noticeTime)
  }

  public func say(_ text: String, _ role: StyleRole, while isSo: @escaping @MainActor () -> Bool) {
    say(text, role, for: Self.noticeTime)
    noticeIsSo = isSo
  }

  public func wordsMayHaveChanged() {
    if noticeIsSo?() == false { updateBars() }
  }

  /// Says something in the status bar for a while.
  private func say(_ text: String, _ role: StyleRole, for time: Duration) {
    noticeIsSo = nil
    notice = BarView.Item(text, role, priority: 110)
    noticeTimer = account.clock.schedule(after: time) { [weak self] in
      self?.notice = nil
      self?.noticeIsSo = nil
      self?.mayQuitByInterrupt = false
      self?.updateBars()
    }
    updateBars()
  }

  /// What is no longer so goes from the status bar.
  private func endNotice() {
    guard noticeIsSo?() == false else { return }
    notice = nil
    noticeIsSo = nil
    noticeTimer = nil
  }

  func updateBars() {
    endNotice()
    let zone = account.clock.timeZone
    let shown = stack.pane.front.status
    let keys = keysInForce
    let isCompact = SizeClass(columns: view.frame.size.columns) == .compact
    header.leading = isCompact ? compactItems : sectionItems
    header.trailing = [
      .init(whoAndWhere, .dim, priority: 3), .init(account.isSignedIn ? "" : "signed out", .warning, priority: 6),
      StatusWords.connection(of: connectionByContact, account.connection, zone: zone),
    ]
    let pressed = pressedKeys
    if pressed.isEmpty {
      let state = StatusWords.state(of: shown, keys: keys, now: account.clock.now, zone: zone)
      status.leading = [notice ?? state].compactMap { $0 }
      let hints = self.hints
      let shownHints = isCompact ? hints.filter { $0 == .back } : hints
      status.trailing = StatusWords.hints(keys, actions: shownHints + [.help], words: hintWords)
    } else {
      status.leading = StatusWords.following(pressed, keys)
      status.trailing = []
    }
    fitStatus()
    updateTitle()
    showProgress(shown.state.isRefreshing || shown.state.isLoadingMore)
  }

  /// Keys of a sequence that goes on. A sheet has them for itself.
  private var pressedKeys: [Key] {
    guard let window, window.topSheet == nil else { return [] }
    return window.application?.pendingKeys ?? []
  }

  /// What a beginner should know of where the keys are. What somebody was led to can be left again, whatever is
  /// selected in it.
  private var hints: [Action] {
    let hints = focus.status.hints
    let stack = focusedStack
    let isRoot = stack.panes.count == 1 && stack.pane.front === stack.pane.main
    return isRoot || hints.contains(.back) ? hints : [.back] + hints
  }

  /// What keys do now where that is something else than the keymap says.
  private var hintWords: [Action: String] {
    guard let id = focus.selectedQwinker?.id, let relationship = account.follows.relationship(to: id) else {
      return [:]
    }
    return [.follow: relationship.followWord]
  }

  /// Says in the window's title who this is and how much is unread.
  private func updateTitle() {
    guard let application = window?.application else { return }
    let unread = sections.reduce(0) { $0 + unreadCount(in: $1) }
    let title = (unread > 0 ? "(\(unread)) " : "") + "Qwinkle · \(whoAndWhere)"
    guard title != shownTitle else { return }
    shownTitle = title
    application.driver.setTitle(title)
    // It goes out with a frame.
    application.setNeedsFrame()
  }

  /// `mara@tilde.example`, once the server has said who I am.
  private var whoAndWhere: String {
    guard let me = account.identity.me, !accountWords.contains("@") else { return accountWords }
    return "\(me.userName)@\(accountWords)"
  }

  /// The path inside a visible section, `› @bob › Followers of @bob`; empty at its root.
  private func path(in section: Section) -> String {
    let shown: PaneStack? = section == self.section ? stack : section == .messages ? sideStack : nil
    guard let stack = shown else { return "" }
    let titles = stack.panes.enumerated().flatMap { index, pane in
      // The section says itself what it begins with; of those below the top one saw the list last.
      index == stack.panes.count - 1 ? pane.titles : [pane.main.title]
    }
    return titles.dropFirst().map { " › \($0)" }.joined()
  }

  /// Where one is, and of the other sections the digits of those that have something unread.
  private var compactItems: [BarView.Item] {
    let others = sections.filter { $0 != section && unreadCount(in: $0) > 0 }
    return [item(of: section, name: "\(section.number) \(section.title)\(path(in: section))")]
      + others.map { item(of: $0, name: "\($0.number)") }
  }

  private var sectionItems: [BarView.Item] {
    [BarView.Item("Qwinkle", .accent, priority: 1)]
      + sections.map { item(of: $0, name: "\($0.number) \($0.title)\(path(in: $0))") }
  }

  private func item(of section: Section, name: String) -> BarView.Item {
    let isCurrent = section == self.section
    let unread = unreadCount(in: section)
    let name = TextRun<StyleRole>(name, isCurrent ? .strong : .dim)
    var item = BarView.Item(
      unread == 0 ? [name] : [name, TextRun(" •\(unread)", .new)],
      priority: isCurrent ? 90 : unread > 0 ? 20 : 10, action: section.action)
    item.mayBeCut = isCurrent
    return item
  }

  func unreadCount(in section: Section) -> Int {
    switch section {
    case .messages: account.inbox.unreadCount
    case .notifications: account.notifications.countedUnread
    case .public, .home, .bookmarks, .search: 0
    }
  }

  /// What the status bar has to say is never cut where there is room for more rows of it.
  private func fitStatus() {
    let size = view.frame.size
    let rows =
      status.leading.isEmpty || size.rows < 8 ? 1 : status.rows(forColumns: size.columns, limit: min(3, size.rows / 4))
    guard rows != statusRows else { return }
    statusRows = rows
    view.setNeedsLayout()
  }

  /// A turning mark appears when something takes longer than a moment.
  private func showProgress(_ isBusy: Bool) {
    guard isBusy else {
      progressTimer = nil
      progress.progress = .idle
      return
    }
    guard progressTimer == nil else { return }
    progressTimer = account.clock.schedule(after: Self.progressDelay) { [weak self] in
      self?.progress.progress = .indeterminate
    }
  }
}
