public import FoundationEssentials
public import QwinkleModel
import QwinkleService
import QwinkleStore
import Timekeeping

/// The notifications of one account, and how far they have been read. It caches the newest page, and tells observers.
@MainActor
public final class NotificationFeed {
  /// Notifications per request.
  private static let pageSize = 40

  public internal(set) var state = FeedState()
  /// When the next attempt is after a failure.
  public var nextAttempt: Date? { polls.nextAttempt }

  let connection: AccountConnection
  private let inbox: Inbox
  private let positions: ReadPositions
  let cache: NotificationCache?
  var list = PagedRows<AccountNotification>(endsAtGap: true)
  var dismissals = Dismissals()
  /// What is older than the list, of the types that a reader chose last.
  var older: OlderNotifications?
  private var hasTakenKept = false
  /// Number of unread notifications in the cache: the first frame needs no more.
  private lazy var keptUnreadCount = connection.isSignedIn ? cache?.unreadCount ?? 0 : 0
  private var isStarted = false
  /// Whether the answer that is awaited may be out of date.
  private var mustRefreshAgain = false
  /// Whether a stream tells when to refresh: then nothing is polled.
  var isLive = false {
    didSet { if isLive != oldValue, !state.isRefreshing { schedulePoll() } }
  }
  private let polls: PollSchedule
  /// Whether the list leaves out a notification; then it is neither counted nor told as news.
  var leavesOut: @MainActor (AccountNotification) -> Bool = { _ in false }
  /// Called for each new request to follow, before observers are told.
  var didReceiveRequest: (@MainActor (Qwinker.ID) -> Void)?

  /// A feed that caches notifications in `cache`. It asks for nothing before ``start()``.
  init(_ connection: AccountConnection, inbox: Inbox, positions: ReadPositions, cache: NotificationCache?) {
    self.connection = connection
    self.inbox = inbox
    self.positions = positions
    self.cache = cache
    polls = PollSchedule(clock: connection.clock)
    positions.notifications = { [weak self] in self.flatMap { $0.hasTakenKept ? $0.list : nil } }
  }

  /// How far they were read.
  private var readMark: ReadMark? { positions.mark(in: .notifications) }

  /// Whether it is known how far they were read, also elsewhere.
  public var knowsReadPosition: Bool { positions.isKnown }

  // MARK: Notifications

  /// The known notifications that aren't dismissed, newest first. The first call loads them from the cache.
  public var notifications: [AccountNotification] {
    takeKept()
    return dismissals.shown(list.items)
  }

  /// The unread ones among ``notifications``, newest first: those above the mark, and skipped ones below it.
  public var unread: [AccountNotification] {
    let above = unreadAboveMark
    guard let readMark, !readMark.skipped.isEmpty, let index = list.firstRead(by: readMark) else { return above }
    let skipped = Set(readMark.skipped.map(\.id))
    return above + dismissals.shown(list.items.dropFirst(index).filter { skipped.contains($0.id.rawValue) })
  }

  private var unreadAboveMark: [AccountNotification] {
    let all = notifications
    guard let readMark, let index = list.firstRead(by: readMark) else {
      return positions.isLoaded ? all : Array(all.prefix(keptUnreadCount))
    }
    return dismissals.shown(Array(list.items.prefix(index)))
  }

  /// Number of unread notifications. Until they are loaded, the cached number.
  public var unreadCount: Int { hasTakenKept ? unread.count + skippedBelow : keptUnreadCount }

  /// Number of unread notifications without direct messages, which the inbox counts.
  public var countedUnread: Int { hasTakenKept ? unread.count(where: isCounted) + skippedBelow : keptUnreadCount }

  /// Whether there may be unread ones below the known ones.
  public var hasMoreUnread: Bool {
    hasTakenKept && list.older != nil && !list.isEmpty && unread.count == notifications.count
  }

  /// Number of skipped notifications below the known ones.
  private var skippedBelow: Int {
    guard let skipped = readMark?.skipped, !skipped.isEmpty, list.older != nil, let last = list.items.last else {
      return 0
    }
    let known = Set(list.items.map(\.id.rawValue))
    return skipped.count { !known.contains($0.id) && ($0.createdAt.map { $0 < last.createdAt } ?? false) }
  }

  /// Forgets skipped notifications that the server has removed: the known ones above and below them are neighbours now.
  private func forgetRemoved() {
    let items = list.items
    guard var mark = readMark, !mark.skipped.isEmpty, let first = items.first, let last = items.last else { return }
    let known = Set(items.map(\.id.rawValue))
    mark.skipped.removeAll { row in
      guard !known.contains(row.id), let time = row.createdAt else { return false }
      return time < first.createdAt && time > last.createdAt
    }
    positions.read(.notifications, upTo: mark)
  }

  private func isCounted(_ notification: AccountNotification) -> Bool {
    !leavesOut(notification)
      && !(notification.kind == .mention && notification.qwink.map(inbox.isMessage) ?? false)
  }

  /// Whether a notification is of a direct message that was read in its chat.
  public func isReadMessage(_ notification: AccountNotification) -> Bool {
    notification.kind == .mention && notification.qwink.map(inbox.isRead) ?? false
  }

  /// Messages that were read in their chat are no longer new here. Those that follow what was read are marked as read
  /// on the server too.
  private func noteReadMessages() {
    guard hasTakenKept, knowsReadPosition, readMark != nil, unread.contains(where: isReadMessage) else { return }
    if let newest = unreadAboveMark.reversed().prefix(while: isReadMessage).last { moveReadMark(to: newest) }
    tellChange()
  }

  private func moveReadMark(to notification: AccountNotification) {
    var mark = ReadMark(notification, readAt: connection.clock.now)
    mark.skipped = readMark?.skipped ?? []
    positions.read(.notifications, upTo: mark)
  }

  /// Marks the notifications that were `seen` as read, here and on the server. Others of those `listed` stay unread.
  /// Without a former mark all are read. Before ``knowsReadPosition``, notifications read elsewhere may still look new.
  public func markRead(_ seen: Set<AccountNotification.ID>, of listed: Set<AccountNotification.ID>) {
    takeKept()
    let items = list.items
    guard let first = items.firstIndex(where: { seen.contains($0.id) }) else {
      // Older ones of some types aren't in the list.
      guard var mark = readMark else { return }
      mark.skipped.removeAll { seen.contains(AccountNotification.ID($0.id)) }
      return positions.read(.notifications, upTo: mark)
    }
    // Notifications that the list hides are marked as read with the next listed one below.
    let newest = items[..<first].lastIndex { listed.contains($0.id) }.map { $0 + 1 } ?? 0
    var mark = ReadMark(items[newest], readAt: connection.clock.now)
    if let former = readMark, let place = list.firstRead(by: former) {
      if newest >= place { mark = former }
      mark.skipped = former.skipped
      mark.skip(
        items[newest..<max(newest, place)].filter { listed.contains($0.id) && isCounted($0) }.map { SkippedRow($0) })
      mark.skipped.removeAll { seen.contains(AccountNotification.ID($0.id)) }
    }
    positions.read(.notifications, upTo: mark)
  }

  /// Whether somebody has asked to follow, by the server's last answer.
  public func hasRequest(from id: Qwinker.ID) -> Bool {
    notifications.contains { $0.kind == .followRequest && $0.qwinker.id == id }
  }

  // MARK: Asking

  /// Fetches news now and then once a minute.
  public func start() {
    guard connection.isSignedIn, !isStarted else { return }
    isStarted = true
    positions.start()
    refresh()
  }

  /// Fetches news at once. Does nothing if signed out.
  public func refresh() {
    guard connection.isSignedIn, !state.isRefreshing else { return }
    state.isRefreshing = true
    state.wasCancelled = false
    let dismissed = dismissals
    connection.ask(.notifications(limit: Self.pageSize)) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let page): merge(dismissals.taken(page, askedAfter: dismissed))
      case .failure(let error): state.note(error, at: connection.clock.now)
      }
      state.isRefreshing = false
      schedulePoll()
      tellState()
      if mustRefreshAgain { refreshAfterChange() }
    }
    positions.refresh()
    tellState()
  }

  /// Fetches news by a request made after this.
  func refreshAfterChange() {
    mustRefreshAgain = state.isRefreshing
    refresh()
  }

  /// Fetches notifications older than the last, if there are more.
  public func loadOlder() {
    guard let cursor = list.older, !state.isLoadingMore else { return }
    state.isLoadingMore = true
    state.wasCancelled = false
    connection.ask(.notificationsPage(cursor)) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let page):
        state.error = nil
        list.appendOlder(dismissals.left(of: page))
        state.isComplete = list.older == nil
        forgetRemoved()
        tellChange()
      case .failure(let error): state.noteOlder(error)
      }
      state.isLoadingMore = false
      tellState()
    }
    tellState()
  }

  private func schedulePoll() {
    if isLive, state.error == nil { return polls.stop() }
    if isStarted { polls.schedule(after: state.error) { [weak self] in self?.refresh() } }
  }

  // MARK: Helpers

  func takeKept() {
    guard !hasTakenKept else { return }
    hasTakenKept = true
    guard let cache else { return }
    list.mergeNewest(cache.load())
    // Earlier versions kept it there.
    if let id = cache.lastReadID { positions.take(ReadMark(id: id.rawValue), in: .notifications) }
  }

  private func merge(_ page: Page<AccountNotification>) {
    takeKept()
    // What came before the program is no news.
    let hadRefreshed = state.refreshedAt != nil
    state.note(nil, at: connection.clock.now)
    let known = Set(list.items.map(\.id))
    let change = list.mergeNewest(page)
    state.isComplete = list.older == nil
    guard !change.isEmpty else { return }
    if !page.isPartial { forgetRemoved() }
    keptUnreadCount = countedUnread
    cache?.replace(page, unreadCount: keptUnreadCount)
    // Messages in an open chat are read at once, whether or not somebody looks.
    let news = hadRefreshed ? news(besides: known) : []
    for notification in news where notification.kind == .followRequest { didReceiveRequest?(notification.qwinker.id) }
    tellChange()
    noteReadMessages()
    if !news.isEmpty { connection.observers.forEach { $0.notificationFeed(self, didReceive: news) } }
  }

  /// The unread ones above all that were known.
  private func news(besides known: Set<AccountNotification.ID>) -> [AccountNotification] {
    unread.prefix { !known.contains($0.id) }.filter { notification in
      !leavesOut(notification)
        && (!isReadMessage(notification) || notification.qwink.map(inbox.isInOpenChat) ?? false)
    }
  }

  func keepUnreadCount() {
    guard hasTakenKept, countedUnread != keptUnreadCount else { return }
    keptUnreadCount = countedUnread
    cache?.setUnreadCount(keptUnreadCount)
  }

  func tellChange() { connection.observers.forEach { $0.notificationFeedDidChange(self) } }

  func tellState() { connection.observers.forEach { $0.notificationFeedDidChangeState(self) } }
}

extension NotificationFeed: AccountObserver {
  public func readPositions(_ positions: ReadPositions, didChangeIn list: ReadList) {
    guard list == .notifications else { return }
    keepUnreadCount()
    tellChange()
    noteReadMessages()
  }

  public func inbox(_ inbox: Inbox, didChange change: ListChange) { noteReadMessages() }

  public func connectionDidWrite(_ connection: AccountConnection) {
    if state.offlineSince != nil { refresh() }
  }

  /// Hidden notifications aren't counted.
  public func accountFilterDidExpire() {
    keepUnreadCount()
    tellChange()
  }

  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) { replace(qwink.originalID, by: qwink) }

  public func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink) { replace(id, by: qwink) }

  public func timelines(_ timelines: Timelines, didDelete id: Qwink.ID) { replace(id, by: nil) }

  private func replace(_ id: Qwink.ID, by qwink: Qwink?) {
    let replace: (inout AccountNotification) -> Void = { if $0.qwink?.originalID == id { $0.qwink = qwink } }
    let hasChanged = !list.modify(replace).isEmpty
    let hasOlderChanged = older?.list.modify(replace).isEmpty == false
    if hasChanged || hasOlderChanged { tellChange() }
  }
}
