public import FoundationEssentials
public import QwinkleModel
import QwinkleService
import QwinkleStore
import Timekeeping

/// The direct messages of one account: its conversations, and the messages of open conversations. Caches them and
/// notifies observers of changes. After ``start()``, it polls once a minute, or more often while a chat is open, unless
/// a stream triggers refreshes.
@MainActor
public final class Inbox {
  struct ThreadFetch {
    var message: Qwink
    /// Whether ``message`` is the first message of its thread. If so, the response contains the whole thread.
    var isWhole: Bool
    /// The messages known when the fetch started. Later messages may be missing from the response without being
    /// deleted.
    var known: Set<Qwink.ID>
  }

  struct Chat {
    var conversation: Conversation
    var log = MessageLog()
    var state = FeedState()
    /// Cache position of the messages before those loaded from the cache. Nil if the cache has no earlier messages.
    var earlier: CachedMessages.Place?
    /// The last message seen before the conversation was opened.
    var seenBefore: Qwink.ID?
    /// Number of screens that show the conversation.
    var openCount = 0
    /// The first message of each thread that was fetched completely since the conversation was opened.
    var wholeFrom: Set<Qwink.ID> = []
    /// Ids of the last message in the server's list and of the last message in ``log`` when they last differed. The
    /// same difference doesn't cause a second fetch.
    var compared: [Qwink.ID] = []
  }

  /// Conversations per request.
  public static let pageSize = 40
  /// Conversations loaded from the cache at a time.
  private static let cachedPageSize = 40
  /// Messages loaded from the cache at a time: more than a large screen shows.
  static let cachedMessagesPageSize = 80
  /// Maximum number of other threads with the same people to fetch when a conversation is opened.
  static let maximumThreads = 10
  /// Number of messages in a conversation that the server can report as not found before ``lookElsewhere(than:in:)``
  /// gives up. The server may have none of the conversation's messages.
  static let maximumGone = 5
  /// Time between two polls: normally, and while a chat is open.
  private static let pollInterval = Duration.seconds(60)
  private static let chatPollInterval = Duration.seconds(20)

  public internal(set) var state = FeedState()

  let connection: AccountConnection
  let identity: Identity
  let cache: ConversationCache?
  /// Queues outgoing messages until the server has received them.
  let outbox: Outbox
  var list = PagedRows<Conversation>(endsAtGap: true) {
    didSet { knownGroups = nil }
  }
  /// Cached value of ``groups``.
  private var knownGroups: ConversationGroups?
  /// The search for messages in other lists, on a server that doesn't list conversations.
  var search = MessageSearch()
  var chats: [Conversation.ID: Chat] = [:]
  /// Requested pages, threads and accounts.
  var downloads: [DownloadIdentifier: Download] = [:]
  /// The outgoing messages last reported to observers.
  var toldOutgoing: [OutgoingMessage] = []
  /// Callers that wait until nothing is being fetched.
  var idleWaiters: [CheckedContinuation<Void, Never>] = []
  /// Number of threads being fetched for each conversation.
  var threadsInProgress: [Conversation.ID: Int] = [:]
  /// Conversations being marked as read on the server.
  var readsInProgress: Set<Conversation.ID> = []
  /// The last message of each conversation at the time the user read it. A page requested before that time still lists
  /// the conversation as unread.
  var readUpTo: [Conversation.ID: Qwink.ID?] = [:]
  /// Messages that no longer exist on the server, which rejects replies to such messages.
  var gone: Set<Qwink.ID> = []
  /// Conversations that the server hasn't confirmed as read. Each refresh of the list retries.
  var unsentReads: Set<Conversation.ID> = []
  /// Conversations deleted by the user, with their last message. Pages requested earlier may still contain them.
  var deleted: [Conversation.ID: Qwink.ID?] = [:]
  /// Muted and blocked users. Conversations with only these users are hidden.
  var hiddenPeople: HiddenPeople
  /// Number of unread conversations in the cache that aren't loaded.
  private var unreadBelow = 0
  private var cachedOffset = 0
  private var hasLoadedCache = false
  /// Number of unread conversations in the cache, used until conversations are loaded. The first frame shows only this
  /// number.
  private lazy var cachedUnreadCount = connection.isSignedIn ? cache?.unreadCount(after: 0) ?? 0 : 0
  private var isStarted = false
  /// Whether a stream triggers refreshes, which replaces polling.
  var isLive = false {
    didSet { if isLive != oldValue, !state.isRefreshing { schedulePoll() } }
  }
  private let polls: PollSchedule

  /// Creates an inbox that caches conversations in `cache` and sends messages through `outbox`.
  init(_ connection: AccountConnection, identity: Identity, cache: ConversationCache?, outbox: Outbox) {
    self.connection = connection
    self.identity = identity
    self.cache = cache
    self.outbox = outbox
    hiddenPeople = HiddenPeople(serverURL: connection.serverURL)
    polls = PollSchedule(clock: connection.clock, every: Self.pollInterval)
    outbox.setConversationHandler(self)
  }

  /// The signed-in user, once known.
  public var me: Qwinker? { identity.me }

  var clock: any ProgramClock { connection.clock }

  /// Whether a user is signed in.
  public var isSignedIn: Bool { connection.isSignedIn }

  // MARK: State

  /// The known conversations, newest first, excluding conversations with only muted or blocked users. The first access
  /// loads conversations from the cache.
  public var conversations: [Conversation] {
    loadCacheIfNeeded()
    return shown
  }

  private var shown: [Conversation] {
    hiddenPeople.isEmpty ? groups.items : groups.items.filter { !isLeftOut($0) }
  }

  private func isLeftOut(_ conversation: Conversation) -> Bool {
    let others = conversation.participants.filter { $0.id != me?.id }
    return !others.isEmpty && others.allSatisfy { hiddenPeople.state(of: $0, at: clock.now) != nil }
  }

  /// The conversations as rows. Conversations with the same people share a row.
  var groups: ConversationGroups {
    if let knownGroups { return knownGroups }
    let groups = ConversationGroups(list.items)
    knownGroups = groups
    return groups
  }

  /// Returns the conversations that share a row with this one, including itself.
  func members(of id: Conversation.ID) -> [Conversation] {
    let members = groups.members(of: id)
    return members.isEmpty ? list[id].map { [$0] } ?? [] : members
  }

  /// Returns the id of a conversation's row.
  public func rowID(of id: Conversation.ID) -> Conversation.ID { groups.id(of: id) ?? id }

  public var unreadCount: Int {
    guard hasLoadedCache else { return cachedUnreadCount }
    return shown.count(where: \.isUnread) + unreadBelow
  }

  /// Time of the next attempt after a failure.
  public var nextAttempt: Date? { polls.nextAttempt }

  /// Whether the cache has conversations that aren't loaded.
  public var hasMoreCached: Bool { list.hasMoreCached }

  /// Whether no older conversations are left to load.
  var isComplete: Bool { state.refreshedAt != nil && list.older == nil && !hasMoreCached }

  /// Returns the current state of a conversation.
  public func conversation(_ id: Conversation.ID) -> Conversation? {
    loadCacheIfNeeded()
    return groups[id] ?? chats[id]?.conversation
  }

  /// Returns the newest known conversation with exactly this qwinker, if any.
  public func conversation(with qwinker: Qwinker) -> Conversation? { conversation(with: [qwinker]) }

  /// Returns the newest known conversation with exactly these qwinkers, if any.
  public func conversation(with qwinkers: [Qwinker]) -> Conversation? {
    loadCacheIfNeeded()
    let wanted = Set(qwinkers.map(\.id))
    return groups.items.first { conversation in
      let people = Set(conversation.participants.map(\.id))
      return people == wanted || me.map { people.subtracting([$0.id]) == wanted } ?? false
    }
  }

  /// Returns the conversation `step` rows below a conversation's row, or above it if `step` is negative. Returns nil if
  /// the list has no such row, and the first conversation if `id` has no row.
  public func conversation(from id: Conversation.ID, by step: Int) -> Conversation? {
    let row = rowID(of: id)
    guard let index = conversations.firstIndex(where: { $0.id == row }) else { return conversations.first }
    while hasMoreCached, index + step >= conversations.count { loadOlder() }
    let all = conversations
    return all.indices.contains(index + step) ? all[index + step] : nil
  }

  /// Returns the known conversation that a direct message belongs to. Returns nil if `qwink` isn't a direct message or
  /// its conversation is unknown.
  public func conversation(of qwink: Qwink) -> Conversation? {
    guard isMessage(qwink) else { return nil }
    loadCacheIfNeeded()
    let message = message(from: qwink) ?? qwink
    return list.items.first { $0.holds(message, me: me?.id) }.flatMap { groups[rowID(of: $0.id)] }
  }

  /// Whether a direct message was read in its chat, in this program or another client.
  public func isRead(_ qwink: Qwink) -> Bool {
    guard let conversation = conversation(of: qwink), !conversation.isUnread, let last = conversation.lastQwink else {
      return false
    }
    // The message may be newer than the loaded conversation.
    return last.createdAt >= qwink.createdAt
  }

  /// Whether a screen shows the chat of a direct message.
  func isInOpenChat(_ qwink: Qwink) -> Bool {
    chats.values.contains { $0.openCount > 0 && $0.conversation.holds(qwink, me: me?.id) }
  }

  /// Whether `author` is the signed-in user. Until the user's account has loaded, true for authors who aren't
  /// participants of `conversation`.
  public func isMe(_ author: Qwinker, in conversation: Conversation) -> Bool {
    if let me { return author.id == me.id }
    return !conversation.participants.contains { $0.id == author.id }
  }

  // MARK: Requests

  /// Refreshes now and then polls regularly. Does nothing if signed out.
  public func start() {
    guard isSignedIn, !isStarted else { return }
    refresh()
  }

  /// Fetches new conversations, and new messages of open chats.
  public func refresh() {
    guard isSignedIn, !state.isRefreshing else { return }
    isStarted = true
    state.isRefreshing = true
    state.wasCancelled = false
    load(.conversations(limit: Self.pageSize), for: .refresh)
    tellState()
  }

  /// Loads older conversations from the cache. If the cache has no more, fetches them from the server.
  public func loadOlder() {
    guard isSignedIn, !state.isLoadingMore else { return }
    if hasMoreCached {
      change { $0.appendCached() }
      return
    }
    guard let cursor = list.older else { return }
    state.isLoadingMore = true
    state.wasCancelled = false
    load(.conversationsPage(cursor), for: .older)
    tellState()
  }

  // MARK: Helpers

  /// Loads the first conversations from the cache and starts the outbox. Does nothing after the first call.
  func loadCacheIfNeeded() {
    guard !hasLoadedCache else { return }
    hasLoadedCache = true
    if isSignedIn { appendCached() }
    outbox.start()
  }

  func appendCached() {
    guard let cache else { return }
    let cached = cache.load(offset: cachedOffset, limit: Self.cachedPageSize)
    cachedOffset += cached.count
    list.appendCached(cached.conversations.map { .item(asCached($0)) }, older: cached.older, hasMore: cached.hasMore)
    unreadBelow = cached.hasMore ? cache.unreadCount(after: cachedOffset) : 0
    state.isComplete = isComplete
  }

  /// Sets the cache offset to the number of conversations in memory. Call this after rows are added to, or removed
  /// from, both the list and the cache.
  func updateCachedOffset() {
    cachedOffset = list.rows.count
    if !hasMoreCached { unreadBelow = 0 }
  }

  func schedulePoll() {
    guard isStarted else { return }
    if isLive, state.error == nil { return polls.stop() }
    polls.interval = chats.values.contains { $0.openCount > 0 } ? Self.chatPollInterval : Self.pollInterval
    polls.schedule(after: state.error) { [weak self] in self?.refresh() }
  }

  /// Runs `body`, which changes the list, and notifies observers of the difference.
  func change(_ body: (Inbox) -> Void) {
    loadCacheIfNeeded()
    let before = shown
    let unread = unreadCount
    body(self)
    let change = ListChange(from: before, to: shown)
    if !change.isEmpty { connection.observers.forEach { $0.inbox(self, didChange: change) } }
    if unreadCount != unread { tellState() }
  }

  func tellState() {
    connection.observers.forEach { $0.inboxDidChangeState(self) }
  }

  func tellChat(_ id: Conversation.ID) {
    connection.observers.forEach { $0.inbox(self, didChangeChatOf: id) }
  }
}
