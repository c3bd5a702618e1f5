public import FoundationEssentials
public import QwinkleModel
import QwinkleService
import QwinkleStore
import Timekeeping

/// The notifications of one account, and how far they have been read. It caches the newest page, and tells observers.
@MainActor
public final class NotificationFeed {
  /// How far notifications have been read.
  private struct ReadMark {
    var id: AccountNotification.ID
    var at: Date?
  }

  /// Notifications per request.
  private static let pageSize = 40

  public private(set) var state = FeedState()
  /// When the next attempt is after a failure.
  public var nextAttempt: Date? { polls.nextAttempt }

  private let connection: AccountConnection
  private let inbox: Inbox
  private let cache: NotificationCache?
  private var list = PagedRows<AccountNotification>(endsAtGap: true)
  private var hasTakenKept = false
  /// Number of unread notifications in the cache, before any is loaded: the first frame needs only the number.
  private lazy var keptUnreadCount = connection.isSignedIn ? cache?.unreadCount ?? 0 : 0
  private var readMark: ReadMark?
  /// Whether the server has said how far notifications were read elsewhere, or failed to.
  public private(set) var knowsReadPosition = false
  /// Whether the server has yet to hear how far notifications were read here.
  private var hasUntoldReadMark = false
  private var isStarted = false
  private let polls: PollSchedule

  /// A feed that caches notifications in `cache`. It asks for nothing before ``start()``.
  init(_ connection: AccountConnection, inbox: Inbox, cache: NotificationCache?) {
    self.connection = connection
    self.inbox = inbox
    self.cache = cache
    polls = PollSchedule(clock: connection.clock)
  }

  // MARK: Notifications

  /// The known notifications, newest first. The first call loads them from the cache.
  public var notifications: [AccountNotification] {
    takeKept()
    return list.items
  }

  /// Number of unread notifications: they are the first of ``notifications``. Until those are loaded, the cached
  /// number.
  public var unreadCount: Int {
    guard hasTakenKept else { return keptUnreadCount }
    guard let readMark else { return list.items.count }
    if let index = list.index(of: readMark.id) { return index }
    // The last one read is gone, or further down than what is loaded.
    guard let at = readMark.at else { return list.items.count }
    return list.items.prefix { $0.createdAt > at }.count
  }

  /// Number of unread notifications without direct messages, which the inbox counts.
  public var countedUnread: Int {
    guard hasTakenKept else { return keptUnreadCount }
    return counted(unreadCount)
  }

  private func counted(_ unread: Int) -> Int {
    list.items.prefix(unread).count { notification in
      !(notification.kind == .mention && notification.qwink.map(inbox.isMessage) ?? false)
    }
  }

  /// Whether a notification is of a direct message that was read in its chat.
  public func isReadMessage(_ notification: AccountNotification) -> Bool {
    notification.kind == .mention && notification.qwink.map(inbox.isRead) ?? false
  }

  /// Messages that were read in their chat are no longer new here. Those that follow what was read are marked as read
  /// on the server too.
  private func noteReadMessages() {
    guard hasTakenKept, knowsReadPosition, readMark != nil else { return }
    let unread = list.items.prefix(unreadCount)
    guard unread.contains(where: isReadMessage) else { return }
    if let newest = unread.reversed().prefix(while: isReadMessage).last { moveReadMark(to: newest) }
    tellChange()
  }

  private func moveReadMark(to notification: AccountNotification) {
    readMark = ReadMark(id: notification.id, at: notification.createdAt)
    cache?.setLastReadID(notification.id, unreadCount: countedUnread)
    hasUntoldReadMark = true
    tellReadMark()
  }

  /// Marks all notifications as read, here and on the server. Before ``knowsReadPosition``, notifications read
  /// elsewhere may still look new.
  public func markRead() {
    takeKept()
    guard let newest = list.items.first, newest.id != readMark?.id else { return }
    moveReadMark(to: newest)
    tellChange()
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
    refresh()
  }

  /// Fetches news at once. Does nothing if signed out.
  public func refresh() {
    guard connection.isSignedIn, !state.isRefreshing else { return }
    state.isRefreshing = true
    state.wasCancelled = false
    connection.ask(.notifications(limit: Self.pageSize)) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let page):
        merge(page)
        tellReadMark()
      case .failure(let error): state.note(error, at: connection.clock.now)
      }
      state.isRefreshing = false
      schedulePoll()
      tellState()
    }
    // Notifications may have been read elsewhere.
    if unreadCount > 0 || !knowsReadPosition { askReadPosition() }
    tellState()
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
        list.appendOlder(page)
        state.isComplete = list.older == nil
        tellChange()
      case .failure(let error): state.noteOlder(error)
      }
      state.isLoadingMore = false
      tellState()
    }
    tellState()
  }

  private func askReadPosition() {
    connection.ask(.readPositions) { [weak self] result in
      guard let self else { return }
      let positions = (try? result.get()) ?? []
      if let position = positions.first(where: { $0.place == .notifications }) { merge(position) }
      knowsReadPosition = true
      tellChange()
      noteReadMessages()
    }
  }

  private func schedulePoll() {
    if isStarted { polls.schedule(after: state.error) { [weak self] in self?.refresh() } }
  }

  private func tellReadMark() {
    guard hasUntoldReadMark, let readMark else { return }
    hasUntoldReadMark = false
    connection.ask(.setReadPosition(.notifications, lastReadID: readMark.id.rawValue)) { [weak self] result in
      // Retried with the next answer, unless the server keeps no positions.
      if case .failure(let error) = result { self?.hasUntoldReadMark = error.isTransient }
    }
  }

  // MARK: Helpers

  private func takeKept() {
    guard !hasTakenKept else { return }
    hasTakenKept = true
    guard let cache else { return }
    list.mergeNewest(cache.load())
    readMark = cache.lastReadID.map { ReadMark(id: $0, at: list[$0]?.createdAt) }
  }

  /// Takes the server's read position if it is further than ours.
  private func merge(_ position: ReadPosition) {
    takeKept()
    let mark = ReadMark(id: AccountNotification.ID(position.lastReadID), at: position.updatedAt)
    let before = unreadCount
    let own = readMark
    readMark = mark
    if own != nil, unreadCount >= before {
      readMark = own
    } else {
      cache?.setLastReadID(mark.id, unreadCount: countedUnread)
      tellChange()
    }
  }

  private func merge(_ page: Page<AccountNotification>) {
    takeKept()
    state.note(nil, at: connection.clock.now)
    let change = list.mergeNewest(page)
    state.isComplete = list.older == nil
    guard !change.isEmpty else { return }
    cache?.replace(page, unreadCount: countedUnread)
    tellChange()
    noteReadMessages()
  }

  private func tellChange() { connection.observers.forEach { $0.notificationFeedDidChange(self) } }

  private func tellState() { connection.observers.forEach { $0.notificationFeedDidChangeState(self) } }
}

extension NotificationFeed: AccountObserver {
  public func inbox(_ inbox: Inbox, didChange change: ListChange) { noteReadMessages() }

  public func connectionDidWrite(_ connection: AccountConnection) {
    if state.offlineSince != nil { refresh() }
  }

  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {
    if !list.modify({ if $0.qwink?.originalID == qwink.originalID { $0.qwink = qwink } }).isEmpty { tellChange() }
  }

  public func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink) {
    if !list.modify({ if $0.qwink?.originalID == id { $0.qwink = qwink } }).isEmpty { tellChange() }
  }

  public func timelines(_ timelines: Timelines, didDelete id: Qwink.ID) {
    if !list.modify({ if $0.qwink?.originalID == id { $0.qwink = nil } }).isEmpty { tellChange() }
  }
}
