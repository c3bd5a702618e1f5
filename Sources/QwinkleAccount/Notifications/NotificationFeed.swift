public import FoundationEssentials
public import QwinkleModel
import QwinkleService
import QwinkleStore
import Timekeeping

/// What happened to one account's owner, and how far they have read of it. It keeps the newest page in the store, and
/// tells observers.
@MainActor
public final class NotificationFeed {
  /// How far notifications have been read.
  private struct ReadMark {
    var id: AccountNotification.ID
    var at: Date?
  }

  /// Notifications that one request asks for.
  private static let pageSize = 40

  public private(set) var state = FeedState()
  /// When it will ask again by itself after a failure.
  public var nextAttempt: Date? { polls.nextAttempt }

  private let connection: AccountConnection
  private let inbox: Inbox
  private let cache: NotificationCache?
  private var list = PagedList<AccountNotification>()
  private var hasTakenKept = false
  /// What the first frame wants to know, before any notification is taken from the store.
  private lazy var keptUnreadCount = connection.isSignedIn ? cache?.unreadCount ?? 0 : 0
  private var readMark: ReadMark?
  /// Whether the server has been asked how far notifications were read elsewhere, and has answered or failed to.
  public private(set) var knowsReadPosition = false
  /// Whether the server does not know yet how far notifications have been read here.
  private var hasUntoldReadMark = false
  private var isStarted = false
  private let polls: PollSchedule

  /// A feed that keeps what it gets in `cache`. It asks for nothing before ``start()``.
  init(_ connection: AccountConnection, inbox: Inbox, cache: NotificationCache?) {
    self.connection = connection
    self.inbox = inbox
    self.cache = cache
    polls = PollSchedule(clock: connection.clock)
  }

  // MARK: Notifications

  /// The notifications as far as they are known, newest first. The first time they are asked for, they come from the
  /// store.
  public var notifications: [AccountNotification] {
    takeKept()
    return list.items
  }

  /// How many of ``notifications`` have come since they were last read. They are the first ones. Before anything else
  /// is asked for it is the number that was kept.
  public var unreadCount: Int {
    guard hasTakenKept else { return keptUnreadCount }
    guard let readMark else { return list.items.count }
    if let index = index(of: readMark.id) { return index }
    // What was read last has gone since, or stands further down than anything that is here.
    guard let at = readMark.at else { return list.items.count }
    return list.items.prefix { $0.createdAt > at }.count
  }

  /// How many of those are counted: a private message is among the messages.
  public var countedUnread: Int {
    guard hasTakenKept else { return keptUnreadCount }
    return counted(unreadCount)
  }

  private func counted(_ unread: Int) -> Int {
    list.items.prefix(unread).count { notification in
      !(notification.kind == .mention && notification.qwink.map(inbox.isMessage) ?? false)
    }
  }

  /// Says that everything up to the newest notification has been seen, here and to the server. Whoever says so before
  /// ``knowsReadPosition`` may take for new what was read elsewhere.
  public func markRead() {
    takeKept()
    guard let newest = list.items.first, newest.id != readMark?.id else { return }
    readMark = ReadMark(id: newest.id, at: newest.createdAt)
    cache?.setLastReadID(newest.id, unreadCount: 0)
    hasUntoldReadMark = true
    tellReadMark()
    tellChange()
  }

  /// Whether somebody asks to follow, by what the server said last.
  public func hasRequest(from id: Qwinker.ID) -> Bool {
    notifications.contains { $0.kind == .followRequest && $0.qwinker.id == id }
  }

  // MARK: Asking

  /// Fetches what is new, now and from now on each minute.
  public func start() {
    guard connection.isSignedIn, !isStarted else { return }
    isStarted = true
    refresh()
  }

  /// Asks no more by itself.
  public func stop() {
    isStarted = false
    polls.stop()
  }

  /// Fetches what is new, at once. Does nothing where nobody is signed in.
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
    // They may have been read elsewhere.
    if unreadCount > 0 || !knowsReadPosition { askReadPosition() }
    tellState()
  }

  /// Fetches what is older than the last notification, where there is more.
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
    }
  }

  private func schedulePoll() {
    if isStarted { polls.schedule(after: state.error) { [weak self] in self?.refresh() } }
  }

  private func tellReadMark() {
    guard hasUntoldReadMark, let readMark else { return }
    hasUntoldReadMark = false
    connection.ask(.setReadPosition(.notifications, lastReadID: readMark.id.rawValue)) { [weak self] result in
      // Told again with the next answer. A server that keeps no positions is not asked a second time.
      if case .failure(let error) = result { self?.hasUntoldReadMark = error.isTransient }
    }
  }

  // MARK: Helpers

  private func takeKept() {
    guard !hasTakenKept else { return }
    hasTakenKept = true
    guard let cache else { return }
    list.mergeNewest(cache.load())
    readMark = cache.lastReadID.map { ReadMark(id: $0, at: notification($0)?.createdAt) }
  }

  private func index(of id: AccountNotification.ID) -> Int? { list.items.firstIndex { $0.id == id } }

  private func notification(_ id: AccountNotification.ID) -> AccountNotification? {
    index(of: id).map { list.items[$0] }
  }

  /// Takes in how far the server says that notifications have been read: the further of the two counts.
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
    let isOther = list.mergeNewest(page)
    state.isComplete = list.older == nil
    guard isOther else { return }
    cache?.replace(page, unreadCount: countedUnread)
    tellChange()
  }

  private func tellChange() { connection.observers.forEach { $0.notificationFeedDidChange(self) } }

  private func tellState() { connection.observers.forEach { $0.notificationFeedDidChangeState(self) } }
}

extension NotificationFeed: AccountObserver {
  public func connectionDidWrite(_ connection: AccountConnection) {
    if state.offlineSince != nil { refresh() }
  }

  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {
    let isOther = list.update { if $0.qwink?.originalID == qwink.originalID { $0.qwink = qwink } }
    if isOther { tellChange() }
  }

  public func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink) {
    let isOther = list.update { if $0.qwink?.originalID == id { $0.qwink = qwink } }
    if isOther { tellChange() }
  }

  public func timelines(_ timelines: Timelines, didDelete id: Qwink.ID) {
    let isOther = list.update { if $0.qwink?.originalID == id { $0.qwink = nil } }
    if isOther { tellChange() }
  }
}
