import FoundationEssentials
public import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// What happened to me: who did what, newest first.
@MainActor
public final class NotificationsViewController: ViewController, Screen {
  /// Older notifications are fetched when fewer than this are left below.
  private static let rowsAhead = 10

  public weak var navigator: (any Navigator)?

  /// Notices that came on top and have not been seen.
  public private(set) var newCount = 0

  private let notifications: NotificationFeed
  private let account: Account
  private let list = ListView()
  private var groups: [NotificationGroup] = []
  /// Where what had not been read ended when the reader came: what is above is told as unread until they leave.
  private var unreadEdge: (lastUnread: AccountNotification.ID?, firstRead: AccountNotification.ID?) = (nil, nil)
  /// Whether the notifications were marked as read since the screen appeared.
  private var hasMarkedRead = false
  private var isTakenUp = false
  private var shownRange = 0..<0

  public init(notifications: NotificationFeed, account: Account) {
    self.notifications = notifications
    self.account = account
    super.init(view: list)
    title = "Notices"
    keyContext = .qwink
    list.keyContext = .list
    list.dataSource = self
    list.delegate = self
    list.performListActions()
    account.addObserver(self)
    on(.open, when: { [weak self] in self?.selectedGroup != nil }, perform: { [weak self] in self?.open() })
    updateWords()
  }

  public var status: ScreenStatus {
    let answering: [Action] = isRequestSelected ? [.acceptFollow, .refuseFollow] : []
    return ScreenStatus(
      state: notifications.state, isEmpty: groups.isEmpty, newCount: newCount, nextAttempt: notifications.nextAttempt,
      hints: groups.isEmpty ? [.refresh] : answering + [.listNext, .open, .refresh])
  }

  public var selectedQwink: Qwink? { selectedGroup?.newest.qwink }

  /// Who did it last.
  public var selectedQwinker: Qwinker? { selectedGroup?.newest.qwinker }

  public func refresh() {
    notifications.refresh()
  }

  /// Of those that were unread when the reader came: they have been read by being seen, but are shown as unread.
  public func selectUnread(_ step: UnreadStep) -> Bool {
    let unread = groups.indices.filter { groups[$0].isUnread }
    guard let index = step.index(in: unread, from: list.selectedIndex) else { return false }
    list.select(index)
    return true
  }

  // MARK: Actions

  private var selectedGroup: NotificationGroup? {
    guard let index = list.selectedIndex, groups.indices.contains(index) else { return nil }
    return groups[index]
  }

  /// Whether the selected one is somebody who asks to follow, and was not answered here.
  private var isRequestSelected: Bool {
    guard let notification = selectedGroup?.newest, notification.kind == .followRequest else { return false }
    return account.follows.requestAnswer(to: notification.qwinker.id) == nil
  }

  private func open() {
    guard let notification = selectedGroup?.newest else { return }
    if let qwink = notification.qwink {
      navigator?.show(.thread(qwink))
    } else {
      navigator?.show(.qwinker(notification.qwinker))
    }
  }

  // MARK: Showing

  /// Shows what has come. A reader who comes back finds their place as it was.
  override public func viewDidAppear() {
    if isTakenUp {
      show(makeGroups())
    } else {
      isTakenUp = true
      groups = makeGroups()
      list.reloadData()
      if !groups.isEmpty { list.select(0) }
    }
    updateWords()
    navigator?.selectionDidChange(in: self)
    notifications.refresh()
    noteSeen()
  }

  override public func viewDidDisappear() {
    hasMarkedRead = false
  }

  private func makeGroups() -> [NotificationGroup] {
    let all = notifications.notifications
    func index(_ id: AccountNotification.ID?) -> Int? { id.flatMap { id in all.firstIndex { $0.id == id } } }
    if !hasMarkedRead {
      let count = notifications.unreadCount
      unreadEdge = (all.prefix(count).last?.id, all.dropFirst(count).first?.id)
    }
    let unread = index(unreadEdge.firstRead) ?? index(unreadEdge.lastUnread).map { $0 + 1 } ?? 0
    return NotificationGroup.groups(of: all, unreadCount: unread)
  }

  /// What is at the top of the list and on the screen has been seen.
  private func noteSeen() {
    guard isOnScreen, notifications.knowsReadPosition, !groups.isEmpty else { return }
    guard shownRange.lowerBound == 0, !shownRange.isEmpty else { return }
    hasMarkedRead = true
    notifications.markRead()
  }

  private func show(_ new: [NotificationGroup]) {
    let old = groups
    guard new != old else { return }
    let selected = selectedGroup?.newest.id
    groups = new
    let change = ListChange(from: old, to: new)
    let followsTop = list.isAtTop && list.selectedIndex ?? 0 == 0
    let onTop = old.isEmpty ? 0 : change.inserted.first.map { $0.lowerBound == 0 ? $0.count : 0 } ?? 0
    if !followsTop { newCount += onTop }
    list.update(removed: change.removed, inserted: change.inserted, followsTop: followsTop)
    list.reloadItems(at: change.changed)
    if onTop > 0, followsTop {
      list.select(0)
    } else if let selected {
      // A row that older notifications joined is another.
      list.select(
        new.firstIndex { $0.notifications.contains { $0.id == selected } } ?? list.selectedIndex, reveals: false)
    }
    // Another notification, or another state of its qwink, may stand where the selection stays.
    navigator?.selectionDidChange(in: self)
  }

  private func loadOlderWhereNeeded(byReader: Bool = false) {
    let state = notifications.state
    guard shownRange.upperBound > 0, shownRange.upperBound + Self.rowsAhead >= groups.count else { return }
    if state.error == nil, !state.isRefreshing, byReader || !state.wasCancelled { notifications.loadOlder() }
  }

  private func updateWords() {
    list.placeholder = MessageCell(paragraphs: placeholder)
    let footer = PlaceholderWords.footer(for: notifications.state, loading: "Fetching older notices…")
    list.footer = footer.isEmpty || groups.isEmpty ? nil : MessageCell(paragraphs: [footer], row: 1)
    navigator?.statusDidChange(of: self)
  }

  private var placeholder: PlaceholderWords.Lines {
    guard account.isSignedIn else {
      return PlaceholderWords.nothing(
        "Notices tell what happens to you: for that you need an account.",
        ("qwinkle login URL", "signs you in, from the shell"), ("1", "goes to the public timeline"))
    }
    return PlaceholderWords.state(notifications.state, fetching: "Fetching notices…")
      ?? PlaceholderWords.nothing(
        "Nothing has happened to you yet. Answers, favourites, boosts and new followers will stand here.",
        ("c", "writes a qwink"), ("6", "finds people"))
  }
}

extension NotificationsViewController: ListViewDataSource, ListViewDelegate {
  public func numberOfItems(in listView: ListView) -> Int { groups.count }

  public func listView(_ listView: ListView, cellForItemAt index: Int) -> any ListCell {
    let group = groups[index]
    return LinesCell(
      NotificationCellData(
        group, isRevealed: group.newest.qwink.map(account.timelines.isRevealed) ?? false,
        requestAnswer: account.follows.requestAnswer(to: group.newest.qwinker.id), me: account.identity.me?.id,
        now: account.clock.now,
        zone: account.clock.timeZone))
  }

  public func listView(_ listView: ListView, didSelectItemAt index: Int?) {
    navigator?.selectionDidChange(in: self)
  }

  public func listView(_ listView: ListView, didShowItemsIn range: Range<Int>) {
    shownRange = range
    newCount = min(newCount, range.lowerBound)
    noteSeen()
    loadOlderWhereNeeded(byReader: true)
  }
}

extension NotificationsViewController: AccountObserver {
  public func notificationFeedDidChange(_ feed: NotificationFeed) {
    guard isTakenUp else { return }
    show(makeGroups())
    updateWords()
    noteSeen()
  }

  public func notificationFeedDidChangeState(_ feed: NotificationFeed) {
    guard isTakenUp else { return }
    // Times have grown older.
    if feed.state.isRefreshing { list.reloadCells() }
    updateWords()
    loadOlderWhereNeeded()
  }
}

extension NotificationsViewController {
  public func identityDidChange(_ identity: Identity) {
    list.reloadCells()
  }

  public func follows(_ follows: Follows, didAnswerRequestOf qwinker: Qwinker, accepted: Bool?) {
    list.reloadItems(at: groups.indices.filter { groups[$0].newest.qwinker.id == qwinker.id })
    // A server takes a request that was answered out of the list.
    notifications.refresh()
    navigator?.selectionDidChange(in: self)
  }

  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {
    // What was revealed is the same, and looks different.
    list.reloadItems(at: groups.indices.filter { groups[$0].newest.qwink?.originalID == qwink.originalID })
    navigator?.selectionDidChange(in: self)
  }
}
