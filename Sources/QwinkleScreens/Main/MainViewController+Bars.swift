public import PaneKit
import QwinkleAccount
import QwinkleModel
import Terminal
import Timekeeping

/// The header and the status bar.
extension MainViewController {
  private static let announcementTime = Duration.seconds(60)
  private static let messageTime = Duration.seconds(6)

  /// Shows a message about the program itself.
  public func announce(_ text: String) {
    say(text, .warning, for: Self.announcementTime, isKept: true)
  }

  public func say(_ text: String, _ role: StyleRole) {
    say(text, role, for: Self.messageTime)
  }

  public func say(_ text: String, _ role: StyleRole, while isSo: @escaping @MainActor () -> Bool) {
    say(text, role, for: Self.messageTime)
    status.messageIsSo = isSo
  }

  /// Shows a message for `time`, or until the user presses a key that has an effect. Errors and messages with `isKept`
  /// always stay for `time`: the user doesn't expect them and could miss them.
  private func say(_ text: String, _ role: StyleRole, for time: Duration, isKept: Bool = false) {
    status.say(text, role, for: time)
    messageKeyCount = isKept || role == .error ? nil : window?.application?.keyCount
    setNeedsBars()
  }

  /// Removes the message if the user has pressed a key since it appeared. Errors and messages with `isKept` stay, and
  /// no message is removed while a sheet is open.
  func endFormerMessage() {
    guard let window, window.topSheet == nil, let application = window.application, let messageKeyCount,
      messageKeyCount < application.keyCount
    else { return }
    self.messageKeyCount = nil
    status.endMessageNow()
  }

  public func wordsMayHaveChanged() {
    if status.isMessageOver { setNeedsBars() }
  }

  /// Updates the header and the status bar before the next frame. Several calls before that frame cause only one
  /// update.
  func setNeedsBars() { view.setNeedsUpdateProperties() }

  func showBars() {
    let zone = account.timeZone
    let shown = stack.pane.front.status
    let isCompact = SizeClass(columns: view.frame.size.columns) == .compact
    let waitingCount = account.outbox.waitingCount
    header.words = HeaderWords(
      places: sections.map { .init(section: $0, unread: unread(in: $0)) }, current: section,
      account: whoAndWhere, unreadElsewhere: factory.directory?.unreadElsewhere ?? 0, isSignedIn: account.isSignedIn,
      isAccountGiven: accountWords.contains("@"),
      connection: StatusWords.connection(
        of: connectionByContact, account.connection, zone: zone, isShort: isCompact && waitingCount > 0, isLive: isLive)
        + StatusWords.waiting(waitingCount))
    updateTitles()
    header.isBusy = shown.state.isRefreshing || shown.state.isLoadingMore
    updateTitle()
    let keys = keysInForce
    let pressed = pressedKeys
    guard pressed.isEmpty else { return status.show(following: StatusWords.following(pressed, keys)) }
    // In a narrow window, show only the essential keys.
    let possible = hints.filter(account.connection.abilities.allow)
    let hints = isCompact ? possible.filter { [.back, .chatSend, .chatEnter].contains($0) } : possible
    status.show(
      StatusWords.state(of: shown, keys: keys, now: account.clock.now, zone: zone),
      held: isLinear ? nil : PendingWords.counting(account.pendingActions, keys: keys),
      hints: StatusWords.hints(keys, actions: hints + [.help], words: hintWords)
        + (panes.showsSeveral ? StatusWords.panesHint(keys) : []))
  }

  /// Whether the visible content updates live: the section's timeline, or else the user's own feeds.
  private var isLive: Bool {
    (root as? TimelineViewController).map { account.timelines.isLive($0.name) } ?? account.live.isOpen
  }

  /// The keys typed so far of an incomplete key sequence. Empty while a sheet is open.
  private var pressedKeys: [Key] {
    guard let window, window.topSheet == nil else { return [] }
    return window.application?.pendingKeys ?? []
  }

  /// Hints for the focused screen. A pushed screen always has a hint for going back.
  private var hints: [Action] {
    let hints = focus.status.hints
    let stack = panes.focused
    let isRoot = stack.panes.count == 1 && stack.pane.front === stack.pane.main
    return isRoot || hints.contains(.back) ? hints : [.back] + hints
  }

  /// Labels for keys whose current effect differs from the keymap's description.
  private var hintWords: [Action: String] {
    var words = focus.selectedQwink.map(ActionWords.hints) ?? [:]
    words.merge(focus.status.words) { $1 }
    if let id = focus.selectedQwinker?.id, let relationship = account.follows.relationship(to: id) {
      words[.follow] = relationship.followWord
    }
    return words
  }

  private func updateTitle() {
    guard let application = window?.application, let title = header.words?.title, title != shownTitle else { return }
    shownTitle = title
    application.driver.setTitle(title)
    application.setNeedsFrame()
  }

  /// `mara@tilde.example`, once the account's name is loaded. Until then, ``accountWords``.
  private var whoAndWhere: String {
    let parts = accountWords.split(separator: "@")
    guard let name = parts.count > 1 ? String(parts[0]) : account.identity.me?.userName, let host = parts.last else {
      return accountWords
    }
    return "\(name)@\(account.connection.domain(of: account.identity.serverInfo) ?? String(host))"
  }

  /// Updates the titles of visible screens, including the titles of the screens below them.
  private func updateTitles() {
    for stack in shownStacks {
      stack.pane.showTitles(above: stack.panes.dropLast().flatMap(\.titles))
    }
  }

  /// Returns the number of unread items in a section. In a timeline, these are the new rows above the reader's
  /// position.
  func unread(in section: Section) -> HeaderWords.Unread {
    guard let name = section.timeline else {
      let hasMore = section == .notifications && account.notifications.hasMoreUnread
      return .init(count: unreadCount(in: section), hasMore: hasMore)
    }
    guard let root = visitedRoot(of: section) else { return unvisited[name] }
    return .init(count: root.status.unreadCount, hasMore: root.status.hasMoreNew)
  }

  /// Returns the section's timeline screen, or nil if the section wasn't opened or the screen's rows in memory don't
  /// suffice to count the unread rows.
  private func visitedRoot(of section: Section) -> TimelineViewController? {
    guard let root = stacks[section]?.panes.first?.main as? TimelineViewController, root.showsModelRows,
      root.knowsUnread
    else { return nil }
    return root
  }

  /// Counts the unread rows of a timeline section in the cache, unless its rows in memory suffice.
  func countUnvisited(_ section: Section) {
    guard let name = section.timeline, visitedRoot(of: section) == nil else { return }
    unvisited.count(name) { [weak self] in self?.setNeedsBars() }
  }

  /// Returns the number of unread messages or notifications, and zero for all other sections.
  func unreadCount(in section: Section) -> Int {
    switch section {
    case .messages: account.inbox.unreadCount
    case .notifications: account.notifications.countedUnread
    case .public, .home, .bookmarks, .search, .views: 0
    }
  }

  // MARK: The connection

  /// The state of the connection, according to the last response or failure of any request.
  private var connectionByContact: FeedState {
    let contact = account.connection
    var state = connection
    if let since = contact.offlineSince {
      // The section's own state may be older than the last response.
      state.offlineSince = since
    } else if let since = state.offlineSince, let at = contact.answeredAt, at > since {
      state.offlineSince = nil
      state.refreshedAt = at
      state.error = nil
    }
    return state
  }

  /// The state of the connection according to the visible screen. The most recent state of any screen is used instead
  /// if it is offline, or if the visible screen has no state yet.
  private var connection: FeedState {
    let front = stack.pane.front
    let shown = front.status.state
    // The section's first screen is refreshed regularly, so its state is recent.
    if shown.offlineSince != nil || (front === root && shown.knownSince != nil) { return shown }
    var states = [shown, root.status.state] + sections.compactMap { stacks[$0]?.panes[0].main.status.state }
    // While the visible screen is being refreshed, its state will be updated soon, so the other feeds aren't needed.
    if !shown.isRefreshing { states += [account.inbox.state, account.notifications.state] }
    let latest = FeedState.latest(of: states) ?? shown
    return shown.knownSince == nil || latest.offlineSince != nil ? latest : shown
  }
}
