public import FoundationEssentials
public import QwinkleModel
public import QwinkleService
public import QwinkleStore
public import Timekeeping

/// What happened to one account's owner, and how far they have read of it. It asks the download service, is its
/// delegate, keeps the newest page in the store, and tells observers.
@MainActor
public final class NotificationFeed: DownloadServiceDelegate {
  /// What a download under way is for.
  private enum Purpose {
    case newest, older, readPosition, setReadPosition
  }

  /// How far notifications have been read.
  private struct ReadMark {
    var id: AccountNotification.ID
    var at: Date?
  }

  /// Notices that one request asks for.
  private static let pageSize = 40

  public let clock: any ProgramClock
  /// Whether there is an account that anything can happen to.
  public let isSignedIn: Bool
  public private(set) var state = FeedState()
  /// When it will ask again by itself after a failure.
  public var nextAttempt: Date? { polls.nextAttempt }

  /// Whether a qwink is told among the private messages: it is counted there.
  var isMessage: @MainActor (Qwink) -> Bool = { $0.visibility == .direct }

  private let service: DownloadService
  private let contact: ServerContact
  private let cache: NotificationCache?
  private var list = PagedList<AccountNotification>()
  private var hasTakenKept = false
  /// What the first frame wants to know, before any notification is taken from the store.
  private lazy var keptUnreadCount = isSignedIn ? cache?.unreadCount ?? 0 : 0
  private var readMark: ReadMark?
  /// Whether the server has been asked how far notifications were read elsewhere, and has answered or failed to.
  public private(set) var knowsReadPosition = false
  /// Whether the server does not know yet how far notifications have been read here.
  private var hasUntoldReadMark = false
  private var purposes: [DownloadIdentifier: Purpose] = [:]
  private var observers = ObserverList<any NotificationFeedObserver>()
  private var isStarted = false
  private let polls: PollSchedule

  /// A feed that keeps what it gets in `cache`, where there is one. It asks for nothing before ``start()``.
  public init(
    service: DownloadService, cache: NotificationCache?, clock: any ProgramClock, isSignedIn: Bool,
    contact: ServerContact = ServerContact()
  ) {
    self.service = service
    self.contact = contact
    self.cache = cache
    self.clock = clock
    self.isSignedIn = isSignedIn
    polls = PollSchedule(clock: clock)
    contact.whenWritten { [weak self] in
      if self?.state.offlineSince != nil { self?.refresh() }
    }
  }

  /// Tells `observer` of changes from now on, while it lives.
  public func addObserver(_ observer: some NotificationFeedObserver) {
    observers.add(observer) { $0 }
  }

  // MARK: Notices

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
      !(notification.kind == .mention && notification.qwink.map(isMessage) ?? false)
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
    guard isSignedIn, !isStarted else { return }
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
    guard isSignedIn, !state.isRefreshing else { return }
    state.isRefreshing = true
    state.wasCancelled = false
    purposes[service.start(.notifications(limit: Self.pageSize), delegate: self)] = .newest
    // They may have been read elsewhere.
    if unreadCount > 0 || !knowsReadPosition { purposes[service.start(.readPositions, delegate: self)] = .readPosition }
    tellState()
  }

  /// Fetches what is older than the last notification, where there is more.
  public func loadOlder() {
    guard let cursor = list.older, !state.isLoadingMore else { return }
    state.isLoadingMore = true
    state.wasCancelled = false
    purposes[service.start(.notificationsPage(cursor), delegate: self)] = .older
    tellState()
  }

  /// Gives up what is under way, but not what the server should know.
  public func cancelDownloads() {
    for (identifier, purpose) in purposes {
      guard case .setReadPosition = purpose else {
        state.wasCancelled = true
        service.cancel(identifier)
        continue
      }
    }
  }

  private func schedulePoll() {
    if isStarted { polls.schedule(after: state.error) { [weak self] in self?.refresh() } }
  }

  private func tellReadMark() {
    guard hasUntoldReadMark, let readMark else { return }
    hasUntoldReadMark = false
    let request = DownloadRequest.setReadPosition(.notifications, lastReadID: readMark.id.rawValue)
    purposes[service.start(request, delegate: self)] = .setReadPosition
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
    state.note(nil, at: clock.now)
    let isOther = list.mergeNewest(page)
    state.isComplete = list.older == nil
    guard isOther else { return }
    cache?.replace(page, unreadCount: countedUnread)
    tellChange()
  }

  private func tellChange() { forEachObserver { $0.notificationFeedDidChange(self) } }

  private func tellState() { forEachObserver { $0.notificationFeedDidChangeState(self) } }

  private func forEachObserver(_ tell: (any NotificationFeedObserver) -> Void) {
    observers.forEach(tell)
  }
}

/// What the download service says, merged into what is known.
extension NotificationFeed {
  public func downloadService(
    _ service: DownloadService, didDownload download: Download, for identifier: DownloadIdentifier
  ) {
    contact.note(nil, at: clock.now)
    switch (purposes[identifier], download) {
    case (.newest, .notifications(let page)):
      merge(page)
      tellReadMark()
    case (.older, .notifications(let page)):
      state.error = nil
      list.appendOlder(page)
      state.isComplete = list.older == nil
      tellChange()
    case (.readPosition, .readPositions(let positions)):
      if let position = positions.first(where: { $0.place == .notifications }) { merge(position) }
    default:
      break
    }
  }

  public func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) {
    contact.note(error, at: clock.now)
    switch purposes[identifier] {
    case .newest:
      state.note(error, at: clock.now)
    case .older:
      state.error = error
    case .setReadPosition:
      // Told again with the next answer. A server that keeps no positions is not asked a second time.
      hasUntoldReadMark = error.isTransient
    case .readPosition, nil:
      break
    }
  }

  public func downloadService(_ service: DownloadService, didFinish identifier: DownloadIdentifier) {
    switch purposes.removeValue(forKey: identifier) {
    case .newest:
      state.isRefreshing = false
      schedulePoll()
      tellState()
    case .older:
      state.isLoadingMore = false
      tellState()
    case .readPosition:
      knowsReadPosition = true
      tellChange()
    case .setReadPosition, nil:
      break
    }
  }
}

/// What becomes of qwinks that notifications are about.
extension NotificationFeed: QwinkFeedObserver {
  public func feed(_ feed: QwinkFeed, didChange qwink: Qwink) {
    let isOther = list.update { if $0.qwink?.originalID == qwink.originalID { $0.qwink = qwink } }
    if isOther { tellChange() }
  }

  public func feed(_ feed: QwinkFeed, didReplace id: Qwink.ID, by qwink: Qwink) {
    let isOther = list.update { if $0.qwink?.originalID == id { $0.qwink = qwink } }
    if isOther { tellChange() }
  }

  public func feed(_ feed: QwinkFeed, didDelete id: Qwink.ID) {
    let isOther = list.update { if $0.qwink?.originalID == id { $0.qwink = nil } }
    if isOther { tellChange() }
  }
}
