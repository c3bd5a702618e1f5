import FoundationEssentials
public import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// The account's notifications, newest first.
@MainActor
public final class NotificationsViewController: ListViewController<NotificationGroup> {
  private let notifications: NotificationFeed
  private let account: Account
  private let settings: ReaderSettings
  /// The newest notification when the reader was last at the top. Newer notifications can join only the row that was
  /// first then.
  private var newestAtTop: AccountNotification.ID?
  /// Notifications that look unread. After some are marked as read, all stay in this set until the screen disappears.
  private var unreadLooking: Set<AccountNotification.ID> = []
  /// Whether any notifications were marked as read since the screen appeared.
  private var hasMarkedRead = false
  /// Whether the user was active here since notifications were last marked as read. If so, visible notifications can be
  /// marked as read. New notifications alone don't count as activity.
  private var mayMarkRead = false
  /// The types that are shown; all types if empty.
  private var types: Set<NotificationType> = []
  /// Number of filtered requests in the row above the notifications.
  private var shownRequestsCount = 0
  /// Whether the user requested the current refresh.
  private var isRefreshedByReader = false

  public init(account: Account, settings: ReaderSettings = ReaderSettings(), shelf: PictureShelf? = nil) {
    self.account = account
    self.settings = settings
    notifications = account.notifications
    super.init(title: NotificationWords.title)
    account.addObserver(self)
    showPictures(shelf, account: account, settings: settings)
    view.keyContext = .notifications
    on(.onlyMentions) { [weak self] in self?.toggleMentions() }
    on(.dismissNotification, when: { [weak self] in self?.selectedRow != nil }) { [weak self] in self?.dismissSelected()
    }
  }

  override public var state: FeedState { notifications.state(for: types) }
  override var nextAttempt: Date? { notifications.nextAttempt }

  override var hints: [Action] {
    if isLeadingCellSelected { return [.open, .listNext, .refresh] }
    guard !rows.isEmpty else { return [.refresh] }
    let isMention = selectedRow?.newest.kind == .mention
    return (isRequestSelected ? [.acceptFollow, .refuseFollow] : []) + [.listNext, .open]
      + (isMention ? account.possible([.reply], on: selectedQwink) : []) + [.refresh]
  }

  override public var selectedQwink: Qwink? { selectedRow?.newest.qwink }

  /// The latest person in the group.
  override public var selectedQwinker: Qwinker? {
    selectedRow.flatMap { $0.newest.qwinker.id.rawValue.isEmpty ? nil : $0.newest.qwinker }
  }

  override public func refresh() {
    super.refresh()
    isRefreshedByReader = true
    notifications.refresh()
    account.filteredNotifications.refresh()
  }

  /// Notifications are marked as read when they are visible and the reader is active, but look unread until the reader
  /// leaves.
  override func isUnread(_ row: NotificationGroup) -> Bool { row.isUnread }

  /// Whether the selected row is a follow request that wasn't answered here.
  private var isRequestSelected: Bool {
    guard let notification = selectedRow?.newest, notification.kind == .followRequest else { return false }
    return account.follows.requestAnswer(to: notification.qwinker.id) == nil
  }

  /// The ID of the oldest notification, because newer notifications join the group.
  override func placeKey(of row: NotificationGroup) -> String? { row.oldest.id.rawValue }

  /// Includes the notifications that look unread until the reader leaves.
  override public func encodeRestorableState(with state: inout RestorableState) {
    super.encodeRestorableState(with: &state)
    if !types.isEmpty { state["only"] = types.map(\.rawValue).sorted().joined(separator: " ") }
    guard isOnScreen, hasMarkedRead else { return }
    let looking = notifications.notifications.map(\.id).filter(unreadLooking.contains)
    state["unread"] = looking.isEmpty ? nil : looking.map(\.rawValue).joined(separator: " ")
  }

  override public func decodeRestorableState(with state: RestorableState) {
    super.decodeRestorableState(with: state)
    show(types: Set((state["only"] ?? "").split(separator: " ").compactMap { NotificationType(rawValue: String($0)) }))
    guard let unread = state["unread"] else { return }
    unreadLooking = Set(unread.split(separator: " ").map { AccountNotification.ID(String($0)) })
    hasMarkedRead = true
  }

  override func open(_ row: NotificationGroup) {
    if row.newest.kind == .mention, let conversation = row.newest.qwink.flatMap(account.inbox.conversation(of:)) {
      navigator?.show(.conversation(conversation))
    } else if row.qwinkers.count > 1, row.newest.kind == .follow, let me = account.identity.me {
      navigator?.show(.qwinkers(.followers(me.id), of: me))
    } else {
      open(row.newest)
    }
  }

  private func open(_ notification: AccountNotification) {
    if let qwink = notification.qwink {
      navigator?.show(.thread(qwink))
    } else if case .report(_, let target?, _, _, _, _, _) = notification.detail {
      navigator?.show(.qwinker(target))
    } else if notification.qwinker.id.rawValue.isEmpty {
      navigator?.say(NotificationWords.opensNothing, .dim)
    } else {
      navigator?.show(.qwinker(notification.qwinker))
    }
  }

  // MARK: Showing

  /// Shows notifications that arrived while the screen wasn't visible, without moving the reader. Then fetches newer
  /// notifications.
  override public func viewDidAppear() {
    if showsModelRows { show(makeGroups()) }
    super.viewDidAppear()
    showFilteredRequests()
    navigator?.selectionDidChange(in: self)
    notifications.refresh()
    account.filteredNotifications.refresh()
    noteSeen()
  }

  // MARK: Filtered notifications

  override var selectsLeadingCell: Bool { false }

  /// Shows the number of filtered requests above the notifications, if there are any.
  private func showFilteredRequests() {
    guard showsModelRows else { return }
    let count = account.filteredNotifications.requestsCount
    guard count != shownRequestsCount else { return }
    shownRequestsCount = count
    leadingCell = count == 0 ? nil : LinesCell { _ in NotificationCellLayout.requestLines(count) }
  }

  override func openLeadingCell() { navigator?.show(.records(.filtered)) }

  override func updateListWords() {
    super.updateListWords()
    if rows.isEmpty, leadingCell != nil { list.footer = MessageCell(paragraphs: placeholder, row: 1) }
  }

  override public func viewDidDisappear() {
    super.viewDidDisappear()
    hasMarkedRead = false
    mayMarkRead = false
  }

  override public func readerDidAct(wasHere: Bool) {
    mayMarkRead = true
    noteSeen()
    super.readerDidAct(wasHere: wasHere)
  }

  override var currentRows: [NotificationGroup]? { makeGroups() }

  private func makeGroups() -> [NotificationGroup] {
    let all = notifications.notifications(for: types)
    let unread = Set(notifications.unread.map(\.id))
    unreadLooking = hasMarkedRead ? unreadLooking.union(unread) : unread
    if allRows.isEmpty || isAtTop { newestAtTop = all.first?.id }
    let late = Self.index(newestAtTop, in: all) ?? 0
    func shown(_ some: some Sequence<AccountNotification>) -> [AccountNotification] { some.filter { !isHidden($0) } }
    var groups = NotificationGroup.groups(
      of: shown(all), unread: unreadLooking, lateCount: shown(all.prefix(late)).count, zone: account.timeZone)
    for index in groups.indices where groups[index].isUnread && notifications.isReadMessage(groups[index].newest) {
      groups[index].isUnread = false
    }
    return groups
  }

  private static func index(_ id: AccountNotification.ID?, in all: [AccountNotification]) -> Int? {
    id.flatMap { id in all.firstIndex { $0.id == id } }
  }

  private func isHidden(_ notification: AccountNotification) -> Bool {
    account.leavesOut(notification) || !(types.isEmpty || types.contains { $0.holds(for: notification.kind) })
  }

  // MARK: Dismissing

  /// Dismisses all notifications of the selected row. The row disappears at once; the request is sent after the time
  /// for undoing. Shows the reason instead if the server can't dismiss notifications.
  private func dismissSelected() {
    guard let row = selectedRow else { return }
    if let refusal = account.connection.refusal(of: .dismissals) {
      navigator?.say(refusal, .warning)
      return
    }
    let ids = row.notifications.map(\.id)
    account.holdDismissal(of: ids) { [weak self] in
      self?.navigator?.say(NotificationWords.dismissed(ids.count), .new)
    }
  }

  // MARK: Types

  override public var hidingWords: String? { types.isEmpty ? nil : NotificationWords.only(types) }

  override public func take(_ choice: PaneChoice) -> String? {
    guard case .only(let types) = choice else { return nil }
    show(types: types)
    return NotificationWords.chosen(types)
  }

  private func toggleMentions() {
    show(types: types == [.mentions] ? [] : [.mentions])
    navigator?.say(NotificationWords.chosen(types), .text)
  }

  /// Shows only these types; all types if the set is empty.
  private func show(types: Set<NotificationType>) {
    guard types != self.types else { return }
    self.types = types
    hiddenPages = 0
    guard showsModelRows else { return }
    show(makeGroups())
    updateWords()
    loadOlderWhereNeeded()
  }

  /// Marks the notifications that are visible to their end as read, if the user was active here since the last call
  /// that did so.
  private func noteSeen() {
    guard mayMarkRead, isOnScreen, notifications.knowsReadPosition, let rowsSeen else { return }
    mayMarkRead = false
    hasMarkedRead = true
    func ids(_ rows: some Sequence<NotificationGroup>) -> Set<AccountNotification.ID> {
      Set(rows.flatMap(\.notifications).map(\.id))
    }
    notifications.markRead(ids(rows[rowsSeen]), of: ids(allRows))
  }

  private func show(_ new: [NotificationGroup]) {
    guard new != allRows else { return }
    let wasEmpty = rows.isEmpty
    let followsTop = isAtTop
    let change = ListChange(from: allRows, to: new)
    showKeepingSelection(new, after: change, followsTop: followsTop)
    let onTop = wasEmpty ? 0 : change.inserted.first.map { $0.lowerBound == 0 ? $0.count : 0 } ?? 0
    if !followsTop { newCount += onTop }
    if wasEmpty ? !new.isEmpty && isLeadingCellSelected : onTop > 0 && followsTop && !isLeadingCellSelected {
      select(0)
    }
    // The selected row may show another notification, or another state of its qwink.
    navigator?.selectionDidChange(in: self)
  }

  override var hidesRows: Bool { !types.isEmpty }

  override func loadOlder() { notifications.loadOlder(for: types) }

  override func didShowRows() {
    newCount = min(newCount, shownRows.lowerBound)
    noteSeen()
    super.didShowRows()
  }

  override var loadingWords: String { NotificationWords.fetchingOlder }

  override var placeholder: PlaceholderWords.Lines {
    guard account.isSignedIn else {
      return PlaceholderWords.needsAccount(NotificationWords.needsAccount)
    }
    if !types.isEmpty, !notifications.notifications.isEmpty, !state.isLoadingMore {
      return PlaceholderWords.nothing(
        NotificationWords.noneOf(types), (":only", "shows all"), PlaceholderWords.refreshes)
    }
    return super.placeholder
  }

  override var fetchingWords: String { NotificationWords.fetching }

  override var nothing: PlaceholderWords.Lines {
    PlaceholderWords.nothing(NotificationWords.none, TimelineWords.writes, TimelineWords.findsPeople)
  }

  override var filterPlace: FilterPlace? { .notifications }

  override func findableText(ofRowAt index: Int) -> String {
    let group = rows[index]
    let names = group.qwinkers.flatMap { [$0.displayName, "@" + $0.handle] }
    let newest = group.newest
    let verbs =
      group.acts.map { NotificationWords.verb(of: $0.kind) } + [
        NotificationWords.verb(of: newest, me: account.identity.me?.id)
      ]
    let texts = [
      NotificationWords.text(of: newest.detail), newest.qwink.map { account.findableText(of: $0, in: filterPlace) },
    ]
    return (names + verbs + texts.map { $0 ?? "" }).joined(separator: " ")
  }

  override func cell(forRowAt index: Int) -> any ListCell {
    let group = rows[index].showing { account.shown($0) }
    return LinesCell(
      NotificationCellData(
        group, cover: group.newest.qwink.flatMap { account.disclosure(of: $0, in: filterPlace).cover },
        isRevealed: group.newest.qwink.map(account.timelines.isRevealed) ?? false,
        requestAnswer: account.follows.requestAnswer(to: group.newest.qwinker.id), me: account.identity.me?.id,
        now: account.clock.now, zone: account.timeZone), density: settings.density,
      pictures: pictures?.cell(of: group.newest.qwinker))
  }

  /// The latest person in the group.
  override func pictureSubject(ofRowAt index: Int) -> PictureSubject? {
    let columns = list.frame.size.columns
    guard NotificationCellLayout.hasAvatars(columns: columns, density: settings.density) else { return nil }
    return .qwinker(rows[index].newest.qwinker)
  }
}

extension NotificationsViewController: AccountObserver {
  public func notificationFeedDidChange(_ feed: NotificationFeed) {
    guard showsModelRows else { return }
    show(makeGroups())
    countHiddenPage()
    updateWords()
    if isRefreshedByReader { mayMarkRead = true }
    noteSeen()
  }

  public func followsDidChangeHidden(_ follows: Follows) {
    if showsModelRows { show(makeGroups()) }
  }

  public func inbox(_ inbox: Inbox, didChange change: ListChange) {
    // A message may have been read in its chat.
    if showsModelRows { show(makeGroups()) }
  }

  public func filteredNotificationsDidChange(_ filtered: FilteredNotifications) { showFilteredRequests() }

  public func notificationFeedDidChangeState(_ feed: NotificationFeed) {
    if feed.state.isRefreshing, isOnScreen { account.filteredNotifications.refresh() }
    if !feed.state.isRefreshing { isRefreshedByReader = false }
    stateDidChange()
  }

  public func identityDidChange(_ identity: Identity) {
    list.reloadCells()
  }

  public func follows(_ follows: Follows, didAnswerRequestOf qwinker: Qwinker, accepted: Bool?) {
    reloadRows { $0.newest.qwinker.id == qwinker.id }
    // Servers remove an answered request from the list.
    notifications.refresh()
    navigator?.selectionDidChange(in: self)
  }

  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {
    // A revealed qwink hasn't changed, but looks different.
    reloadRows { $0.newest.qwink?.originalID == qwink.originalID }
    navigator?.selectionDidChange(in: self)
  }
}
