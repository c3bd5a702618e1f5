public import FoundationEssentials
public import QwinkleModel
import QwinkleService
import QwinkleStore
import Timekeeping

/// The direct messages of one account: its conversations, and the messages of those that are open. It merges and
/// caches what comes, and tells observers what changed. After ``start()`` it asks for news once a minute.
@MainActor
public final class Inbox {
  /// A fetch of the thread around a message.
  struct ThreadFetch {
    var message: Qwink
    /// Whether that is the first message, whose thread has all others.
    var isWhole: Bool
    /// The messages known when it was asked for: later ones may be missing in the answer, but aren't deleted.
    var known: Set<Qwink.ID>
  }

  /// An open conversation.
  struct Chat {
    var conversation: Conversation
    var log = MessageLog()
    var state = FeedState()
    /// Cache offset of the first message not loaded yet.
    var earlier: KeptMessages.Place?
    /// The last message seen before it was opened.
    var seenBefore: Qwink.ID?
    /// How many screens show it.
    var openCount = 0
    /// The first messages of the threads fetched whole since it was opened.
    var wholeFrom: Set<Qwink.ID> = []
    /// The last message on the server and here, when they differed.
    var compared: [Qwink.ID] = []
  }

  /// Conversations per request.
  public static let pageSize = 40
  /// Conversations loaded from the cache at a time.
  private static let keptPageSize = 40
  /// Messages loaded from the cache at a time: more than a large screen shows.
  static let keptMessagesPageSize = 80
  /// Maximum number of threads with the same people to fetch when one is opened.
  static let maximumThreads = 10
  /// Number of deleted messages of a conversation after which no other is tried.
  static let maximumGone = 5
  /// Time between two polls; the second one while a chat is open.
  private static let pollInterval = Duration.seconds(60)
  private static let chatPollInterval = Duration.seconds(20)

  public internal(set) var state = FeedState()

  let connection: AccountConnection
  let identity: Identity
  let cache: ConversationCache?
  /// Keeps messages until they have arrived.
  let outbox: Outbox
  var list = PagedRows<Conversation>(endsAtGap: true) {
    didSet { knownGroups = nil }
  }
  /// ``groups``, once asked for.
  private var knownGroups: ConversationGroups?
  /// Messages found elsewhere, if the server lists no conversations.
  var search = MessageSearch()
  var chats: [Conversation.ID: Chat] = [:]
  /// The messages on their way that observers have been told of.
  var toldOutgoing: [OutgoingMessage] = []
  /// Callers that wait until nothing is being fetched.
  var idleWaiters: [CheckedContinuation<Void, Never>] = []
  /// Number of threads being fetched for each conversation.
  var threadsUnderWay: [Conversation.ID: Int] = [:]
  /// Conversations being marked as read on the server.
  var readsUnderWay: Set<Conversation.ID> = []
  /// The last message of each conversation when I read it: a page made before still says that it's unread.
  var readUpTo: [Conversation.ID: Qwink.ID?] = [:]
  /// Messages that the server says are gone: it refuses replies to them.
  var gone: Set<Qwink.ID> = []
  /// Conversations to mark as read on the server with the next answer.
  var unsentReads: Set<Conversation.ID> = []
  /// Conversations I deleted, with their last message: pages on their way may still have them.
  var deleted: [Conversation.ID: Qwink.ID?] = [:]
  /// Those whom I mute or block: conversations with nobody else are left out.
  var hiddenPeople: HiddenPeople
  /// Number of unread conversations in the cache that aren't loaded.
  private var unreadBelow = 0
  private var keptOffset = 0
  private var isTakenUp = false
  /// Number of unread conversations in the cache, before any is loaded: the first frame needs only the number.
  private lazy var keptUnreadCount = connection.isSignedIn ? cache?.unreadCount(after: 0) ?? 0 : 0
  private var isStarted = false
  /// Whether a stream tells when to refresh: then nothing is polled.
  var isLive = false {
    didSet { if isLive != oldValue, !state.isRefreshing { schedulePoll() } }
  }
  private let polls: PollSchedule

  /// An inbox that caches conversations in `cache` and sends messages through `outbox`.
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

  /// Whether somebody is signed in.
  public var isSignedIn: Bool { connection.isSignedIn }

  // MARK: What is known

  /// The known conversations, newest first, without those with nobody but people whom I mute or block. The first call
  /// loads them from the cache.
  public var conversations: [Conversation] {
    takeUp()
    return shown
  }

  private var shown: [Conversation] {
    hiddenPeople.isEmpty ? groups.items : groups.items.filter { !isLeftOut($0) }
  }

  private func isLeftOut(_ conversation: Conversation) -> Bool {
    let others = conversation.participants.filter { $0.id != me?.id }
    return !others.isEmpty && others.allSatisfy { hiddenPeople.state(of: $0, at: clock.now) != nil }
  }

  /// The conversations as rows: those with the same people share one.
  var groups: ConversationGroups {
    if let knownGroups { return knownGroups }
    let groups = ConversationGroups(list.items)
    knownGroups = groups
    return groups
  }

  /// The conversations that share a row with this one, including itself.
  func members(of id: Conversation.ID) -> [Conversation] {
    let members = groups.members(of: id)
    return members.isEmpty ? list[id].map { [$0] } ?? [] : members
  }

  /// The id of a conversation's row.
  public func rowID(of id: Conversation.ID) -> Conversation.ID { groups.id(of: id) ?? id }

  /// Number of unread conversations.
  public var unreadCount: Int {
    guard isTakenUp else { return keptUnreadCount }
    return shown.count(where: \.isUnread) + unreadBelow
  }

  /// When the next attempt is after a failure.
  public var nextAttempt: Date? { polls.nextAttempt }

  /// Whether the cache has conversations that aren't loaded.
  public var hasMoreKept: Bool { list.hasMoreKept }

  /// Whether the last conversation is the oldest.
  var isComplete: Bool { state.refreshedAt != nil && list.older == nil && !hasMoreKept }

  /// A conversation in its current state.
  public func conversation(_ id: Conversation.ID) -> Conversation? {
    takeUp()
    return groups[id] ?? chats[id]?.conversation
  }

  /// The newest conversation with exactly this qwinker; nil if none is known.
  public func conversation(with qwinker: Qwinker) -> Conversation? { conversation(with: [qwinker]) }

  /// The newest conversation with exactly these qwinkers; nil if none is known.
  public func conversation(with qwinkers: [Qwinker]) -> Conversation? {
    takeUp()
    let wanted = Set(qwinkers.map(\.id))
    return groups.items.first { conversation in
      let people = Set(conversation.participants.map(\.id))
      return people == wanted || me.map { people.subtracting([$0.id]) == wanted } ?? false
    }
  }

  /// The conversation so many rows below that of another one, or above it; nil if there is none.
  public func conversation(from id: Conversation.ID, by step: Int) -> Conversation? {
    let row = rowID(of: id)
    guard let index = conversations.firstIndex(where: { $0.id == row }) else { return conversations.first }
    while hasMoreKept, index + step >= conversations.count { loadOlder() }
    let all = conversations
    return all.indices.contains(index + step) ? all[index + step] : nil
  }

  /// The known conversation that a direct message belongs to; nil if it is no message, or its conversation is unknown.
  public func conversation(of qwink: Qwink) -> Conversation? {
    guard isMessage(qwink) else { return nil }
    takeUp()
    let message = message(from: qwink) ?? qwink
    return list.items.first { $0.holds(message, me: me?.id) }.flatMap { groups[rowID(of: $0.id)] }
  }

  /// Whether a direct message was read in its chat, here or elsewhere.
  public func isRead(_ qwink: Qwink) -> Bool {
    guard let conversation = conversation(of: qwink), !conversation.isUnread, let last = conversation.lastQwink else {
      return false
    }
    // The message may be news to the conversation.
    return last.createdAt >= qwink.createdAt
  }

  /// Whether a screen shows the chat that a direct message belongs to.
  func isInOpenChat(_ qwink: Qwink) -> Bool {
    chats.values.contains { $0.openCount > 0 && $0.conversation.holds(qwink, me: me?.id) }
  }

  /// Whether `author` is the signed-in user.
  public func isMe(_ author: Qwinker, in conversation: Conversation) -> Bool {
    if let me { return author.id == me.id }
    return !conversation.participants.contains { $0.id == author.id }
  }

  // MARK: Asking

  /// Fetches news now and then once a minute. Does nothing if signed out.
  public func start() {
    guard isSignedIn, !isStarted else { return }
    refresh()
  }

  /// Fetches news: conversations, and messages of open chats.
  public func refresh() {
    guard isSignedIn, !state.isRefreshing else { return }
    isStarted = true
    state.isRefreshing = true
    state.wasCancelled = false
    connection.ask(.conversations(limit: Self.pageSize)) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let page): takeInFirst(page)
      case .failure(let error): state.note(error, at: clock.now)
      }
      if !isLooking { didRefresh() }
    }
    tellState()
  }

  /// Loads conversations older than the last: from the cache while it has more, then from the server.
  public func loadOlder() {
    guard isSignedIn, !state.isLoadingMore else { return }
    if hasMoreKept {
      change { $0.appendKept() }
      return
    }
    guard let cursor = list.older else { return }
    state.isLoadingMore = true
    state.wasCancelled = false
    connection.ask(.conversationsPage(cursor)) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let page): takeInOlder(page)
      case .failure(let error): state.noteOlder(error)
      }
      state.isLoadingMore = false
      tellState()
    }
    tellState()
  }

  // MARK: Helpers

  /// Loads the first conversations from the cache, once.
  func takeUp() {
    guard !isTakenUp else { return }
    isTakenUp = true
    if isSignedIn { appendKept() }
    outbox.start()
  }

  func appendKept() {
    guard let cache else { return }
    let kept = cache.load(offset: keptOffset, limit: Self.keptPageSize)
    keptOffset += kept.count
    list.appendKept(kept.conversations.map { .item(asKept($0)) }, older: kept.older, hasMore: kept.hasMore)
    unreadBelow = kept.hasMore ? cache.unreadCount(after: keptOffset) : 0
    state.isComplete = isComplete
  }

  /// Notes that the cache has as many loaded conversations as are in memory.
  func noteKept() {
    keptOffset = list.rows.count
    if !hasMoreKept { unreadBelow = 0 }
  }

  func schedulePoll() {
    guard isStarted else { return }
    if isLive, state.error == nil { return polls.stop() }
    polls.interval = chats.values.contains { $0.openCount > 0 } ? Self.chatPollInterval : Self.pollInterval
    polls.schedule(after: state.error) { [weak self] in self?.refresh() }
  }

  /// Lets `body` change the list, and tells observers the difference.
  func change(_ body: (Inbox) -> Void) {
    takeUp()
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
