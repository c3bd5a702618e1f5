public import FoundationEssentials
public import QwinkleModel
public import QwinkleService
import QwinkleStore
import Timekeeping

/// The notifications of one account and its read position among them. Caches the newest page and notifies observers.
@MainActor
public final class NotificationFeed {
  /// Notifications per request.
  private static let pageSize = 40

  public internal(set) var state = FeedState()
  /// Time of the next attempt after a failure.
  public var nextAttempt: Date? { polls.nextAttempt }

  let connection: AccountConnection
  private let inbox: Inbox
  private let positions: ReadPositions
  let cache: NotificationCache?
  var list = PagedRows<AccountNotification>(endsAtGap: true)
  var dismissals = Dismissals()
  /// Notifications older than the list, of the types that the reader last chose.
  var older: OlderNotifications?
  /// Pages requested from the server.
  var downloads: [DownloadIdentifier: Download] = [:]
  private var hasLoadedCache = false
  /// Number of unread notifications in the cache. The first frame needs nothing else.
  private lazy var cachedUnreadCount = connection.isSignedIn ? cache?.unreadCount ?? 0 : 0
  private var isStarted = false
  /// Whether to refresh again after the refresh in progress, whose response may be out of date.
  private var mustRefreshAgain = false
  /// Whether a stream triggers refreshes, which replaces polling.
  var isLive = false {
    didSet { if isLive != oldValue, !state.isRefreshing { schedulePoll() } }
  }
  private let polls: PollSchedule
  /// Whether the list hides a notification. Hidden notifications aren't counted and cause no alerts.
  var leavesOut: @MainActor (AccountNotification) -> Bool = { _ in false }
  /// Whether the server describes notifications of unknown kinds.
  var hasServerWords: @MainActor () -> Bool = { false }
  /// Called for each new follow request, before observers are notified.
  var didReceiveRequest: (@MainActor (Qwinker.ID) -> Void)?

  /// Creates a feed that caches notifications in `cache`. It sends no requests before ``start()``.
  init(_ connection: AccountConnection, inbox: Inbox, positions: ReadPositions, cache: NotificationCache?) {
    self.connection = connection
    self.inbox = inbox
    self.positions = positions
    self.cache = cache
    polls = PollSchedule(clock: connection.clock)
    positions.notifications = { [weak self] in self.flatMap { $0.hasLoadedCache ? $0.list : nil } }
  }

  private var readMark: ReadMark? { positions.mark(in: .notifications) }

  /// Whether the saved read position has loaded and the first request for the server's position has finished.
  public var knowsReadPosition: Bool { positions.isKnown }

  // MARK: Notifications

  /// The known notifications that aren't dismissed, newest first. The first access loads them from the cache.
  public var notifications: [AccountNotification] {
    loadCacheIfNeeded()
    return dismissals.shown(list.items)
  }

  /// The unread notifications among ``notifications``, newest first: all notifications above the read mark, and the
  /// notifications below it that the user skipped.
  public var unread: [AccountNotification] {
    let above = unreadAboveMark
    guard let readMark, !readMark.skipped.isEmpty, let index = list.firstRead(by: readMark) else { return above }
    let skipped = Set(readMark.skipped.map(\.id))
    return above + dismissals.shown(list.items.dropFirst(index).filter { skipped.contains($0.id.rawValue) })
  }

  private var unreadAboveMark: [AccountNotification] {
    let all = notifications
    guard let readMark, let index = list.firstRead(by: readMark) else {
      return positions.isLoaded ? all : Array(all.prefix(cachedUnreadCount))
    }
    return dismissals.shown(Array(list.items.prefix(index)))
  }

  /// Number of unread notifications, excluding direct messages, which the inbox counts. Returns the cached number until
  /// notifications are loaded.
  public var countedUnread: Int { hasLoadedCache ? unread.count(where: isCounted) + skippedBelow : cachedUnreadCount }

  /// Whether there may be more unread notifications below the known ones.
  public var hasMoreUnread: Bool {
    hasLoadedCache && list.older != nil && !list.isEmpty && unread.count == notifications.count
  }

  /// Number of skipped notifications below the known ones.
  private var skippedBelow: Int {
    guard let skipped = readMark?.skipped, !skipped.isEmpty, list.older != nil, let last = list.items.last else {
      return 0
    }
    let known = Set(list.items.map(\.id.rawValue))
    return skipped.count { !known.contains($0.id) && ($0.createdAt.map { $0 < last.createdAt } ?? false) }
  }

  /// Removes skipped notifications that the server has deleted: by date they belong between known notifications, but
  /// the list doesn't have them.
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

  /// Whether a notification is about a direct message that was read in its chat.
  public func isReadMessage(_ notification: AccountNotification) -> Bool {
    notification.kind == .mention && notification.qwink.map(inbox.isRead) ?? false
  }

  /// Moves the read position past notifications of direct messages that were read in their chat, if these notifications
  /// directly follow the position. The position also moves on the server. If any of these notifications was unread,
  /// notifies observers, even if the position hasn't moved.
  private func noteReadMessages() {
    guard hasLoadedCache, knowsReadPosition, readMark != nil, unread.contains(where: isReadMessage) else { return }
    if let newest = unreadAboveMark.reversed().prefix(while: isReadMessage).last { moveReadMark(to: newest) }
    tellChange()
  }

  private func moveReadMark(to notification: AccountNotification) {
    var mark = ReadMark(notification, readAt: connection.clock.now)
    mark.skipped = readMark?.skipped ?? []
    positions.read(.notifications, upTo: mark)
  }

  /// Marks the notifications in `seen` as read, here and on the server. Other notifications in `listed` stay unread. If
  /// no mark exists yet, all notifications below the first one in `seen` are marked as read too. Before
  /// ``knowsReadPosition`` is true, notifications read elsewhere may still seem unread.
  public func markRead(_ seen: Set<AccountNotification.ID>, of listed: Set<AccountNotification.ID>) {
    loadCacheIfNeeded()
    let items = list.items
    guard let first = items.firstIndex(where: { seen.contains($0.id) }) else {
      // The seen notifications aren't in the list, because they are older and were fetched by type.
      guard var mark = readMark else { return }
      mark.skipped.removeAll { seen.contains(AccountNotification.ID($0.id)) }
      return positions.read(.notifications, upTo: mark)
    }
    // Hidden notifications are marked as read together with the next listed one below.
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

  /// Whether the known notifications include a follow request from a qwinker.
  public func hasRequest(from id: Qwinker.ID) -> Bool {
    notifications.contains { $0.kind == .followRequest && $0.qwinker.id == id }
  }

  // MARK: Requests

  /// Refreshes now and then polls once a minute, except while a stream triggers refreshes.
  public func start() {
    guard connection.isSignedIn, !isStarted else { return }
    isStarted = true
    positions.start()
    refresh()
  }

  /// Fetches new notifications at once. Does nothing if signed out.
  public func refresh() {
    guard connection.isSignedIn, !state.isRefreshing else { return }
    state.isRefreshing = true
    state.wasCancelled = false
    load(.notifications(limit: Self.pageSize, wantsWords: hasServerWords()), for: .refresh(after: dismissals))
    positions.refresh()
    tellState()
  }

  private func didRefresh() {
    state.isRefreshing = false
    schedulePoll()
    tellState()
    if mustRefreshAgain { refreshAfterChange() }
  }

  /// Fetches notifications with a request sent after this call, even if a refresh is in progress.
  func refreshAfterChange() {
    mustRefreshAgain = state.isRefreshing
    refresh()
  }

  /// Fetches older notifications, if any.
  public func loadOlder() {
    guard let cursor = list.older, !state.isLoadingMore else { return }
    state.isLoadingMore = true
    state.wasCancelled = false
    load(.notificationsPage(cursor, wantsWords: hasServerWords()), for: .older)
    tellState()
  }

  private func append(_ page: Page<AccountNotification>) {
    list.appendOlder(dismissals.left(of: page))
    state.isComplete = list.older == nil
    forgetRemoved()
    tellChange()
  }

  private func didLoadMore() {
    state.isLoadingMore = false
    tellState()
  }

  private func schedulePoll() {
    if isLive, state.error == nil { return polls.stop() }
    if isStarted { polls.schedule(after: state.error) { [weak self] in self?.refresh() } }
  }

  // MARK: Helpers

  func loadCacheIfNeeded() {
    guard !hasLoadedCache else { return }
    hasLoadedCache = true
    guard let cache else { return }
    list.mergeNewest(cache.load())
    // Earlier versions stored the read position in this cache.
    if let id = cache.lastReadID { positions.take(ReadMark(id: id.rawValue), in: .notifications) }
  }

  private func merge(_ page: Page<AccountNotification>) {
    loadCacheIfNeeded()
    // Notifications received before the program started cause no alert.
    let hadRefreshed = state.refreshedAt != nil
    state.note(nil, at: connection.clock.now)
    let known = Set(list.items.map(\.id))
    let change = list.mergeNewest(page)
    state.isComplete = list.older == nil
    guard !change.isEmpty else { return }
    if !page.isPartial { forgetRemoved() }
    cachedUnreadCount = countedUnread
    cache?.replace(page, unreadCount: cachedUnreadCount)
    // Compute this before `noteReadMessages()`, which marks messages in an open chat as read at once, even if the user
    // is away.
    let news = hadRefreshed ? news(besides: known) : []
    for notification in news where notification.kind == .followRequest { didReceiveRequest?(notification.qwinker.id) }
    tellChange()
    noteReadMessages()
    if !news.isEmpty { connection.observers.forEach { $0.notificationFeed(self, didReceive: news) } }
  }

  /// Returns the unread notifications above all previously known ones. Omits hidden notifications, and messages that
  /// were read in a chat that isn't open now.
  private func news(besides known: Set<AccountNotification.ID>) -> [AccountNotification] {
    unread.prefix { !known.contains($0.id) }.filter { notification in
      !leavesOut(notification)
        && (!isReadMessage(notification) || notification.qwink.map(inbox.isInOpenChat) ?? false)
    }
  }

  func keepUnreadCount() {
    guard hasLoadedCache, countedUnread != cachedUnreadCount else { return }
    cachedUnreadCount = countedUnread
    cache?.setUnreadCount(cachedUnreadCount)
  }

  func tellChange() { connection.observers.forEach { $0.notificationFeedDidChange(self) } }

  func tellState() { connection.observers.forEach { $0.notificationFeedDidChangeState(self) } }
}

// MARK: Downloads

extension NotificationFeed {
  /// The purpose of a requested page.
  enum Download {
    /// The newest page, with the dismissals at the time of the request.
    case refresh(after: Dismissals)
    case older
    /// Older notifications of some types, requested with a cursor.
    case olderOfTypes(Set<NotificationType>, PageCursor)
  }

  func load(_ request: Request<Page<AccountNotification>>, for purpose: Download) {
    downloads[connection.start(request, delegate: self)] = purpose
  }

  private func didFail(_ download: Download, with error: DownloadError) {
    if case .refresh = download {
      state.note(error, at: connection.clock.now)
      didRefresh()
    } else {
      state.noteOlder(error)
      didLoadMore()
    }
  }
}

extension NotificationFeed: DownloadServiceDelegate {
  public func downloadService<Answer>(
    _ service: DownloadService, didDownload answer: Answer, of request: Request<Answer>,
    for identifier: DownloadIdentifier
  ) {
    guard let page = answer as? Page<AccountNotification> else { return }
    switch downloads.removeValue(forKey: identifier) {
    case .refresh(let dismissed):
      merge(dismissals.taken(page, askedAfter: dismissed))
      return didRefresh()
    case .older:
      state.error = nil
      append(page)
    case .olderOfTypes(let types, let cursor):
      state.error = nil
      append(page, at: cursor, of: types)
    case nil: return
    }
    didLoadMore()
  }

  public func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) {
    if let download = downloads.removeValue(forKey: identifier) { didFail(download, with: error) }
  }
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

  /// Filters affect the unread count, because hidden notifications aren't counted.
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
