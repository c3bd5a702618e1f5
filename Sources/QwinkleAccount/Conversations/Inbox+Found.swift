import FoundationEssentials
public import QwinkleModel
import QwinkleService
import QwinkleStore
import Timekeeping

/// Messages found on a server that doesn't list conversations.
struct MessageSearch {
  var messages = FoundMessages()
  /// Whether the server describes itself only in the API's first version; nil if unknown.
  var isFirstVersion: Bool?
  /// The time of the last search.
  var lookedAt: Date?
  /// The error of the last search, if a part of it failed.
  var error: DownloadError?
  /// Whether what was found waits until the signed-in user is known.
  var isWaiting = false
  /// Number of lists being searched.
  var looksUnderWay = 0
  /// Handles that have been looked up.
  var askedFor: Set<String> = []
  /// Number of handles being looked up.
  var strangersUnderWay = 0
  /// Whether the server has listed a conversation since the program started.
  var hasListed = false
}

/// Direct messages on servers that list no conversations: found in the home timeline and among notifications.
extension Inbox {
  /// Seconds until the next search if the server may list conversations, but had none and nothing was found.
  private static let lookInterval: TimeInterval = 600
  /// Maximum number of handles looked up at a time.
  private static let maximumStrangers = 5
  /// Keys for flags, stored beside the last-seen messages of conversations.
  private static let listedKey = Conversation.ID("listed")
  private static let foundKey = Conversation.ID("found")
  private static let mark = Qwink.ID("yes")

  /// Whether the server is known to list no conversations.
  public var serverListsNone: Bool { search.isFirstVersion == true && !hasListed }

  private var hasListed: Bool { search.hasListed || cache?.lastSeen(in: Self.listedKey) != nil }

  /// Whether messages are being looked for.
  var isLooking: Bool { search.looksUnderWay > 0 }

  /// Whether a qwink shows among the messages.
  public func isMessage(_ qwink: Qwink) -> Bool {
    qwink.visibility == .direct || message(from: qwink) != nil
  }

  /// A qwink as a direct message; nil if it is none. If the server doesn't say, it may be one.
  public func message(from qwink: Qwink) -> Qwink? {
    guard let me, isSearched else { return nil }
    return search.messages.message(qwink, me: me)
  }

  /// Whether messages come from a search, not from the server's list.
  private var isSearched: Bool { search.lookedAt != nil && !hasListed && mayBePrivate }

  /// Whether a qwink that the server calls private may be direct. Servers with a newer API version say "direct".
  private var mayBePrivate: Bool { search.isFirstVersion == true || search.messages.tellsDirect }

  // MARK: Looking

  func takeInFirst(_ page: Page<Conversation>) {
    guard page.items.isEmpty, page.older == nil, page.damagedCount == 0, !hasListed else {
      if !page.items.isEmpty, !hasListed {
        search.hasListed = true
        cache?.setLastSeen(Self.mark, in: Self.listedKey)
      }
      return takeInNewest(page)
    }
    guard shouldLook else { return takeInNewest(page) }
    search.lookedAt = clock.now
    search.error = nil
    look(.timeline(.home, limit: Self.pageSize)) { $0.search.messages.take($1.items) }
    look(.notifications(limit: Self.pageSize)) { inbox, page in
      let mentions = page.items.filter { $0.kind == .mention }.compactMap(\.qwink)
      inbox.search.messages.take(mentions, isNaming: true)
    }
  }

  /// Searches a list: `take` gets its page.
  private func look<Item>(
    _ request: Request<Page<Item>>, take: @escaping @MainActor (Inbox, Page<Item>) -> Void
  ) {
    search.looksUnderWay += 1
    connection.ask(request) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let page): take(self, page)
      case .failure(let error):
        if error.isCancelled { state.wasCancelled = true } else { search.error = error }
      }
      search.looksUnderWay -= 1
      guard !isLooking else { return }
      takeInFound()
      didRefresh()
    }
  }

  private var shouldLook: Bool {
    guard let lookedAt = search.lookedAt, search.isFirstVersion == false, list.items.isEmpty else { return true }
    return clock.now.timeIntervalSince(lookedAt) >= Self.lookInterval
  }

  /// Makes conversations of the messages found.
  func takeInFound() {
    guard let me else {
      // Goes on once the signed-in user is known.
      search.isWaiting = true
      return
    }
    search.isWaiting = false
    if let error = search.error {
      return state.note(error, at: clock.now)
    }
    search.messages.take(me)
    takeUp()
    while hasMoreKept { appendKept() }
    let found = mayBePrivateOrDirect(search.messages.conversations(me: me))
    let isFirstTime = !hasFoundBefore
    let all = Conversation.merged(found, kept: list.items).map { asUnread($0, me: me, isFirstTime: isFirstTime) }
    noteFound()
    takeInNewest(Page(items: all))
    askForStrangers(me: me)
  }

  /// Only conversations that the server itself calls direct, if it has a word for that.
  private func mayBePrivateOrDirect(_ conversations: [Conversation]) -> [Conversation] {
    mayBePrivate ? conversations : conversations.filter { $0.lastQwink?.isAudienceUnclear == false }
  }

  /// A conversation whose last message is somebody else's is unread until it was seen here. Those found by the first
  /// search count as read.
  private func asUnread(_ conversation: Conversation, me: Qwinker, isFirstTime: Bool) -> Conversation {
    var conversation = conversation
    conversation.isUnread = false
    guard let last = conversation.lastQwink, last.author.id != me.id else { return conversation }
    if isFirstTime {
      cache?.setLastSeen(last.id, in: conversation.id)
      readUpTo[conversation.id] = .some(last.id)
    } else {
      conversation.isUnread = cache?.lastSeen(in: conversation.id) != last.id
    }
    return conversation
  }

  private var hasFoundBefore: Bool { cache?.lastSeen(in: Self.foundKey) != nil || state.refreshedAt != nil }

  private func noteFound() {
    // Whether its private qwinks are direct is unknown yet.
    guard search.isFirstVersion != nil else { return }
    if cache?.lastSeen(in: Self.foundKey) == nil { cache?.setLastSeen(Self.mark, in: Self.foundKey) }
  }

  /// Some servers name people without their ids.
  private func askForStrangers(me: Qwinker) {
    let strangers = search.messages.strangers(me: me).subtracting(search.askedFor).sorted()
    for handle in strangers.prefix(Self.maximumStrangers) {
      search.askedFor.insert(handle)
      search.strangersUnderWay += 1
      connection.ask(.lookup(handle: handle)) { [weak self] result in
        guard let self else { return }
        if case .success(let qwinker) = result { search.messages.take(qwinker) }
        search.strangersUnderWay -= 1
        guard search.strangersUnderWay == 0 else { return }
        takeInFound()
        resumeIdleWaiters()
      }
    }
  }

  // MARK: Hiding

  /// Hides a found conversation until its next message: the server can't delete it.
  func hide(_ conversation: Conversation) {
    if let last = conversation.lastQwink?.id { cache?.setLastSeen(last, in: Self.hiddenKey(conversation.id)) }
  }

  func isHidden(_ conversation: Conversation) -> Bool {
    guard conversation.isFound, let last = cache?.lastSeen(in: Self.hiddenKey(conversation.id)) else { return false }
    return last == conversation.lastQwink?.id
  }

  private static func hiddenKey(_ id: Conversation.ID) -> Conversation.ID { .init("hidden " + id.rawValue) }

  // MARK: Qwinks as messages

  /// A qwink as a message of a found conversation; unchanged in others.
  func asMessage(_ qwink: Qwink, in id: Conversation.ID?) -> Qwink {
    guard let me, let id, conversation(id)?.isFound == true else { return qwink }
    return search.messages.message(qwink, me: me) ?? qwink
  }

  func asMessages(_ thread: QwinkThread, in id: Conversation.ID?) -> QwinkThread {
    guard let id, conversation(id)?.isFound == true else { return thread }
    search.messages.take(thread.ancestors + thread.descendants)
    return QwinkThread(
      ancestors: thread.ancestors.map { asMessage($0, in: id) },
      descendants: thread.descendants.map { asMessage($0, in: id) })
  }

  /// A message sent from here is direct, whatever the server calls it.
  func asSent(_ qwink: Qwink) -> Qwink {
    guard qwink.visibility != .direct else { return qwink }
    search.messages.takeSent(qwink)
    var sent = me.flatMap { search.messages.message(qwink, me: $0) } ?? qwink
    sent.visibility = .direct
    return sent
  }

  /// A cached message with the visibility it was shown with. The cache has the server's.
  func asKept(_ qwink: Qwink, in id: Conversation.ID) -> Qwink {
    guard Conversation(id: id, participants: []).isFound, qwink.visibility == .private else { return qwink }
    var message = qwink
    message.visibility = .direct
    message.isAudienceUnclear = true
    return message
  }

  func asKept(_ conversation: Conversation) -> Conversation {
    var kept = conversation
    kept.lastQwink = conversation.lastQwink.map { asKept($0, in: conversation.id) }
    return kept
  }
}
