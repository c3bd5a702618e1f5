public import FoundationEssentials
public import QwinkleModel
import QwinkleService
import QwinkleStore
import Timekeeping

/// The private messages of one account: its conversations, and what was said in those that are open. It merges what
/// comes into what is known, keeps it, and tells observers what changed. It asks once a minute for what is new, from
/// ``start()`` on.
@MainActor
public final class Inbox {
  /// What stands around a message.
  struct ThreadFetch {
    var message: Qwink
    /// Whether that is the first of all, so that everything follows from it.
    var isWhole: Bool
    /// What was known when it was asked for: what came since may be missing in the answer, and has not been deleted.
    var known: Set<Qwink.ID>
  }

  /// What is known of an open conversation.
  struct Chat {
    var conversation: Conversation
    var log = MessageLog()
    var state = FeedState()
    /// Leads to messages that are kept and have not been taken from the store.
    var earlier: KeptMessages.Place?
    /// The last message that had been seen when it was opened.
    var seenBefore: Qwink.ID?
    /// How many screens show it.
    var openCount = 0
    /// The first messages of the threads that have been fetched whole since it was opened.
    var wholeFrom: Set<Qwink.ID> = []
    /// What stood last there and here when they differed.
    var compared: [Qwink.ID] = []
  }

  /// Conversations that one request asks for.
  public static let pageSize = 40
  /// Conversations that are taken from the store at a time.
  private static let keptPageSize = 40
  /// Messages that are taken from the store at a time: more than a large screen shows.
  static let keptMessagesPageSize = 80
  /// Maximum number of threads with the same people that are fetched when one is opened.
  static let maximumThreads = 10
  /// Maximum number of a conversation's messages that may be gone before no other is tried.
  static let maximumGone = 5
  /// How long to wait between two polls; and while somebody waits for an answer in an open chat.
  private static let pollInterval = Duration.seconds(60)
  private static let chatPollInterval = Duration.seconds(20)

  public internal(set) var state = FeedState()

  let connection: AccountConnection
  let identity: Identity
  let cache: ConversationCache?
  /// Where what is sent is kept until it has arrived.
  let drafts: OutgoingStore?
  var list = ConversationList() {
    didSet { knownGroups = nil }
  }
  /// What ``list`` is as groups of the same people, once that was asked for.
  private var knownGroups: ConversationGroups?
  /// Where the server does not list conversations: what was found elsewhere.
  var search = MessageSearch()
  var chats: [Conversation.ID: Chat] = [:]
  var outgoing: [OutgoingMessage] = [] {
    didSet { connection.noteUnderWay() }
  }
  /// Those that are not written down yet, and wait for it.
  var unwritten: Set<String> = []
  /// The same as it was written down last.
  var keptOutgoing: [OutgoingMessage] = []
  /// What became of messages that were sent from here: none of it can be what became of another.
  var arrived: Set<Qwink.ID> = []
  /// Messages that are being sent, or looked for.
  var messagesUnderWay: Set<String> = []
  /// How many threads of each conversation are being fetched.
  var threadsUnderWay: [Conversation.ID: Int] = [:]
  /// Conversations whose reading is being told.
  var readsUnderWay: Set<Conversation.ID> = []
  /// The last message of each conversation as it was when I read it: an answer that was on its way then says otherwise.
  var readUpTo: [Conversation.ID: Qwink.ID?] = [:]
  /// Messages of which the server says that they are not there: what answers them is refused.
  var gone: Set<Qwink.ID> = []
  /// Conversations whose reading the server has not heard of, and may yet.
  var unsentReads: Set<Conversation.ID> = []
  /// What I deleted, with its last message then: answers on their way may still have it.
  var deleted: [Conversation.ID: Qwink.ID?] = [:]
  public internal(set) var hasMoreKept = false
  /// Unread conversations that are kept and have not been taken from the store.
  private var unreadBelow = 0
  private var keptOffset = 0
  private var isTakenUp = false
  /// Unread conversations that are kept, before any was taken from the store: the first frame wants the number only.
  private lazy var keptUnreadCount = connection.isSignedIn ? cache?.unreadCount(after: 0) ?? 0 : 0
  private var isStarted = false
  private let polls: PollSchedule

  /// An inbox that keeps what it gets in `cache`, and what is not known to have arrived in `outgoing`.
  init(_ connection: AccountConnection, identity: Identity, cache: ConversationCache?, outgoing: OutgoingStore?) {
    self.connection = connection
    self.identity = identity
    self.cache = cache
    drafts = outgoing
    polls = PollSchedule(clock: connection.clock, every: Self.pollInterval)
  }

  /// Who reads, once that is known.
  public var me: Qwinker? { identity.me }

  var clock: any ProgramClock { connection.clock }

  /// Whether there is an account to have messages.
  public var isSignedIn: Bool { connection.isSignedIn }

  // MARK: What is known

  /// The conversations as far as they are known, newest first. The first time they are asked for, they come from the
  /// store.
  public var conversations: [Conversation] {
    takeUp()
    return groups.items
  }

  /// The conversations as rows: those with the same people are one.
  var groups: ConversationGroups {
    if let knownGroups { return knownGroups }
    let groups = ConversationGroups(list.items)
    knownGroups = groups
    return groups
  }

  /// The conversations that are told as one with this one, itself among them.
  func members(of id: Conversation.ID) -> [Conversation] {
    let members = groups.members(of: id)
    return members.isEmpty ? list[id].map { [$0] } ?? [] : members
  }

  /// The id of the row that a conversation is told in.
  public func rowID(of id: Conversation.ID) -> Conversation.ID { groups.id(of: id) ?? id }

  /// How many conversations have something that was not read.
  public var unreadCount: Int {
    guard isTakenUp else { return keptUnreadCount }
    return groups.items.count(where: \.isUnread) + unreadBelow
  }

  /// When it will be tried again after a failure.
  public var nextAttempt: Date? { polls.nextAttempt }

  /// Whether there is nothing older than the last conversation.
  var isComplete: Bool { state.refreshedAt != nil && list.older == nil && !hasMoreKept }

  /// A conversation as it is known now.
  public func conversation(_ id: Conversation.ID) -> Conversation? {
    takeUp()
    return groups[id] ?? chats[id]?.conversation
  }

  /// The newest conversation with exactly this qwinker; nil where none is known.
  public func conversation(with qwinker: Qwinker) -> Conversation? { conversation(with: [qwinker]) }

  /// The newest conversation with exactly these qwinkers; nil where none is known.
  public func conversation(with qwinkers: [Qwinker]) -> Conversation? {
    let wanted = Set(qwinkers.map(\.id))
    return conversations.first { conversation in
      let people = Set(conversation.participants.map(\.id))
      return people == wanted || me.map { people.subtracting([$0.id]) == wanted } ?? false
    }
  }

  /// Whether somebody is the one who reads.
  public func isMe(_ author: Qwinker, in conversation: Conversation) -> Bool {
    if let me { return author.id == me.id }
    return !conversation.participants.contains { $0.id == author.id }
  }

  // MARK: Asking

  /// Fetches what is new now and once a minute from now on. Signed out there is nothing to fetch.
  public func start() {
    guard isSignedIn, !isStarted else { return }
    refresh()
  }

  /// Fetches what is new: conversations, and messages of the chats that are open.
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

  /// Fetches what is older than the last conversation: from the store while it has more, then from the server.
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

  /// What is on its way to the server and stands in a chat.
  var underWay: [UnderWay] { outgoing.filter { $0.failure == nil }.map { _ in .message } }

  // MARK: Helpers

  /// Takes the first conversations from the store, once.
  func takeUp() {
    guard !isTakenUp else { return }
    isTakenUp = true
    hasMoreKept = cache != nil && isSignedIn
    appendKept()
    takeUpOutgoing()
  }

  func appendKept() {
    guard hasMoreKept, let cache else { return }
    let kept = cache.load(offset: keptOffset, limit: Self.keptPageSize)
    keptOffset += kept.count
    hasMoreKept = kept.hasMore
    list.appendKept(kept.conversations.map(asKept), older: kept.hasMore ? nil : kept.older)
    unreadBelow = kept.hasMore ? cache.unreadCount(after: keptOffset) : 0
    state.isComplete = isComplete
  }

  /// Says that the store keeps exactly as many conversations above those that were not taken from it as are here.
  func noteKept(none: Bool = false) {
    keptOffset = list.items.count
    if none {
      hasMoreKept = false
      unreadBelow = 0
    }
  }

  func schedulePoll() {
    guard isStarted else { return }
    polls.interval = chats.values.contains { $0.openCount > 0 } ? Self.chatPollInterval : Self.pollInterval
    polls.schedule(after: state.error) { [weak self] in self?.refresh() }
  }

  /// Has `body` change the list, and tells observers in what it differs then.
  func change(_ body: (Inbox) -> Void) {
    takeUp()
    let before = groups.items
    let unread = unreadCount
    body(self)
    let change = ListChange(from: before, to: groups.items)
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
