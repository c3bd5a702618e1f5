public import FoundationEssentials
public import QwinkleModel
public import QwinkleService
public import QwinkleStore
public import Timekeeping

/// The private messages of one account: its conversations, and what was said in those that are open. It asks the
/// download service, is its delegate, merges what comes into what is known, keeps it, and tells observers what changed.
/// It asks once a minute for what is new, from ``start()`` on.
@MainActor
public final class Inbox: DownloadServiceDelegate {
  /// What a download under way is for.
  enum Purpose {
    case newest
    /// A page of qwinks or notifications in which messages may be found.
    case look
    /// Who somebody is that a found message names.
    case stranger(handle: String)
    case older
    case read(Conversation.ID, last: Qwink.ID?)
    case delete(Conversation, index: Int)
    case thread(Conversation.ID, ThreadFetch)
    case post(key: String)
    /// Whether a message that may have arrived did, before it is sent again.
    case check(key: String)
  }

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
  /// So many threads with the same people are fetched when one is opened.
  static let mostThreads = 10
  /// So many of a conversation's messages may be gone before another is tried.
  static let mostGone = 5
  /// How long to wait between two polls; and while somebody waits for an answer in an open chat.
  private static let pollInterval = Duration.seconds(60)
  private static let chatPollInterval = Duration.seconds(20)

  public let clock: any ProgramClock
  /// Whether there is an account to have messages.
  public let isSignedIn: Bool
  /// Who reads, once that is known.
  public internal(set) var me: Qwinker?
  public internal(set) var state = FeedState()

  let service: DownloadService
  let contact: ServerContact
  let cache: ConversationCache?
  /// Where what is sent is kept until it has arrived.
  let drafts: OutgoingStore?
  /// Told that something may be under way, or no longer.
  public var didChangeUnderWay: (@MainActor () -> Void)?
  var list = ConversationList() {
    didSet { knownGroups = nil }
  }
  /// What ``list`` is as groups of the same people, once that was asked for.
  private var knownGroups: ConversationGroups?
  /// Where the server does not list conversations: what was found elsewhere.
  var search = MessageSearch()
  var chats: [Conversation.ID: Chat] = [:]
  var outgoing: [OutgoingMessage] = [] {
    didSet { didChangeUnderWay?() }
  }
  /// Those that are not written down yet, and wait for it.
  var unwritten: Set<String> = []
  /// The same as it was written down last.
  var keptOutgoing: [OutgoingMessage] = []
  /// What became of messages that were sent from here: none of it can be what became of another.
  var arrived: Set<Qwink.ID> = []
  var purposes: [DownloadIdentifier: Purpose] = [:] {
    didSet { didChangeUnderWay?() }
  }
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
  private lazy var keptUnreadCount = isSignedIn ? cache?.unreadCount(after: 0) ?? 0 : 0
  private var isStarted = false
  private let polls: PollSchedule
  private var observers = ObserverList<any InboxObserver>()

  /// An inbox that keeps what it gets in `cache`, and what is not known to have arrived in `outgoing`, where there are
  /// such.
  public init(
    service: DownloadService, cache: ConversationCache?, outgoing: OutgoingStore? = nil, clock: any ProgramClock,
    isSignedIn: Bool, contact: ServerContact = ServerContact()
  ) {
    self.service = service
    self.contact = contact
    self.cache = cache
    drafts = outgoing
    self.clock = clock
    self.isSignedIn = isSignedIn
    polls = PollSchedule(clock: clock, every: Self.pollInterval)
    contact.whenWritten { [weak self] in
      if self?.state.offlineSince != nil { self?.refresh() }
    }
  }

  /// Tells `observer` of changes from now on, while it lives.
  public func addObserver(_ observer: some InboxObserver) {
    observers.add(observer) { $0 }
  }

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
    purposes[service.start(.conversations(limit: Self.pageSize), delegate: self)] = .newest
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
    purposes[service.start(.conversationsPage(cursor), delegate: self)] = .older
    tellState()
  }

  /// Gives up what is under way, but not what changes something on the server.
  public func cancelDownloads() {
    for (identifier, purpose) in purposes {
      switch purpose {
      case .read, .delete, .post, .check: continue
      case .newest, .older, .look: state.wasCancelled = true
      case .stranger: break
      case .thread(let id, _): chats[id]?.state.wasCancelled = true
      }
      service.cancel(identifier)
    }
  }

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
    if !change.isEmpty { forEachObserver { $0.inbox(self, didChange: change) } }
    if unreadCount != unread { tellState() }
  }

  func tellState() {
    forEachObserver { $0.inboxDidChangeState(self) }
  }

  func tellChat(_ id: Conversation.ID) {
    forEachObserver { $0.inbox(self, didChangeChatOf: id) }
  }

  private func forEachObserver(_ tell: (any InboxObserver) -> Void) {
    observers.forEach(tell)
  }
}
