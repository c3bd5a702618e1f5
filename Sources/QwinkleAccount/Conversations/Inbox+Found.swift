import FoundationEssentials
public import QwinkleModel
import QwinkleService
import QwinkleStore
import Timekeeping

/// The state of the search for messages on a server that doesn't list conversations.
struct MessageSearch {
  var messages = FoundMessages()
  /// Whether the server's description is available only in version 1 of the API; nil if unknown.
  var isFirstVersion: Bool?
  /// The time of the last search.
  var lookedAt: Date?
  /// The error of the last search, if a part of it failed.
  var error: DownloadError?
  /// Whether the found messages will be processed as soon as the signed-in user's account has loaded.
  var isWaiting = false
  /// Number of lists being searched.
  var searchesInProgress = 0
  /// Handles already requested from the server.
  var askedFor: Set<String> = []
  /// Number of handle lookups in progress.
  var strangersInProgress = 0
  /// Whether the server has listed a conversation since the program started.
  var hasListed = false
}

/// Direct messages on servers that don't list conversations. They are searched for in the home timeline and in
/// notifications.
extension Inbox {
  /// Seconds between two searches on a server that may list conversations, if neither its list nor the last search
  /// contained any.
  private static let lookInterval: TimeInterval = 600
  /// Maximum number of simultaneous handle lookups.
  private static let maximumStrangers = 5
  /// Cache keys for flags. The cache stores these flags like the last-seen messages of conversations.
  private static let listedKey = Conversation.ID("listed")
  private static let foundKey = Conversation.ID("found")
  private static let mark = Qwink.ID("yes")

  /// Whether the server doesn't list conversations: its description is available only in version 1 of the API, and it
  /// has never listed a conversation.
  public var serverListsNone: Bool { search.isFirstVersion == true && !hasListed }

  private var hasListed: Bool { search.hasListed || cache?.lastSeen(in: Self.listedKey) != nil }

  /// Whether a search for messages is in progress.
  var isLooking: Bool { search.searchesInProgress > 0 }

  /// Whether a qwink is shown as a direct message.
  public func isMessage(_ qwink: Qwink) -> Bool {
    qwink.visibility == .direct || message(from: qwink) != nil
  }

  /// Returns a qwink as a direct message. Returns nil if it can't be one, or if the messages are from the server's list
  /// rather than from a search. If the server doesn't distinguish direct messages, other qwinks may be returned too.
  public func message(from qwink: Qwink) -> Qwink? {
    guard let me, isSearched else { return nil }
    return search.messages.message(qwink, me: me)
  }

  /// Whether messages are found by a search instead of the server's list.
  private var isSearched: Bool { search.lookedAt != nil && !hasListed && mayBePrivate }

  /// Whether all found messages count as direct messages. On a server with version 1 of the API, they include private
  /// qwinks that may be direct messages. Once the server has reported a qwink as direct, they include only direct
  /// qwinks.
  private var mayBePrivate: Bool { search.isFirstVersion == true || search.messages.tellsDirect }

  // MARK: Searching

  func mergeFirst(_ page: Page<Conversation>) {
    guard page.items.isEmpty, page.older == nil, page.damagedCount == 0, !hasListed else {
      if !page.items.isEmpty, !hasListed {
        search.hasListed = true
        cache?.setLastSeen(Self.mark, in: Self.listedKey)
      }
      return mergeNewest(page)
    }
    guard shouldLook else { return mergeNewest(page) }
    search.lookedAt = clock.now
    search.error = nil
    search.searchesInProgress += 2
    load(.timeline(.home, limit: Self.pageSize), for: .search)
    load(.notifications(limit: Self.pageSize), for: .search)
  }

  /// Called when one of the searched lists has been fetched, or the request has failed.
  func didSearchList() {
    search.searchesInProgress -= 1
    guard !isLooking else { return }
    mergeFound()
    didRefresh()
  }

  private var shouldLook: Bool {
    guard let lookedAt = search.lookedAt, search.isFirstVersion == false, list.items.isEmpty else { return true }
    return clock.now.timeIntervalSince(lookedAt) >= Self.lookInterval
  }

  /// Converts the found messages to conversations and merges them into the list.
  func mergeFound() {
    guard let me else {
      // `identityDidChange` calls this method again once the signed-in user's account has loaded.
      search.isWaiting = true
      return
    }
    search.isWaiting = false
    if let error = search.error {
      return state.note(error, at: clock.now)
    }
    search.messages.take(me)
    loadCacheIfNeeded()
    while hasMoreCached { appendCached() }
    let found = mayBePrivateOrDirect(search.messages.conversations(me: me))
    let isFirstTime = !hasFoundBefore
    let all = Conversation.merged(found, cached: list.items).map { asUnread($0, me: me, isFirstTime: isFirstTime) }
    noteFound()
    mergeNewest(Page(items: all))
    askForStrangers(me: me)
  }

  /// Returns all conversations if ``mayBePrivate`` is true. Otherwise returns only conversations whose last message the
  /// server reports as direct.
  private func mayBePrivateOrDirect(_ conversations: [Conversation]) -> [Conversation] {
    mayBePrivate ? conversations : conversations.filter { $0.lastQwink?.isAudienceUnclear == false }
  }

  /// Returns the conversation, marked as unread if its last message is by another account and wasn't seen here.
  /// Conversations found by the first search count as read.
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
    // Don't set the flag before the API version has loaded: private qwinks may still turn out to be direct messages.
    guard search.isFirstVersion != nil else { return }
    if cache?.lastSeen(in: Self.foundKey) == nil { cache?.setLastSeen(Self.mark, in: Self.foundKey) }
  }

  /// Fetches accounts that are mentioned only by handle, because some servers omit the id in mentions.
  private func askForStrangers(me: Qwinker) {
    let strangers = search.messages.strangers(me: me).subtracting(search.askedFor).sorted()
    for handle in strangers.prefix(Self.maximumStrangers) {
      search.askedFor.insert(handle)
      search.strangersInProgress += 1
      load(.lookup(handle: handle), for: .stranger)
    }
  }

  func didLookUpStranger() {
    search.strangersInProgress -= 1
    guard search.strangersInProgress == 0 else { return }
    mergeFound()
    resumeIdleWaiters()
  }

  // MARK: Hiding

  /// Hides a found conversation until its next message, because the server can't delete it.
  func hide(_ conversation: Conversation) {
    if let last = conversation.lastQwink?.id { cache?.setLastSeen(last, in: Self.hiddenKey(conversation.id)) }
  }

  func isHidden(_ conversation: Conversation) -> Bool {
    guard conversation.isFound, let last = cache?.lastSeen(in: Self.hiddenKey(conversation.id)) else { return false }
    return last == conversation.lastQwink?.id
  }

  private static func hiddenKey(_ id: Conversation.ID) -> Conversation.ID { .init("hidden " + id.rawValue) }

  // MARK: Qwinks as messages

  /// Converts a qwink to a message if conversation `id` was found by a search and the qwink can be a message. Otherwise
  /// returns the qwink unchanged.
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

  /// Returns a message that this client has sent, marked as direct regardless of the visibility that the server
  /// reports.
  func asSent(_ qwink: Qwink) -> Qwink {
    guard qwink.visibility != .direct else { return qwink }
    search.messages.takeSent(qwink)
    var sent = me.flatMap { search.messages.message(qwink, me: $0) } ?? qwink
    sent.visibility = .direct
    return sent
  }

  /// Returns a cached message of a found conversation as a direct message. The cache stores the visibility that the
  /// server reported.
  func asCached(_ qwink: Qwink, in id: Conversation.ID) -> Qwink {
    guard Conversation(id: id, participants: []).isFound, qwink.visibility == .private else { return qwink }
    var message = qwink
    message.visibility = .direct
    message.isAudienceUnclear = true
    return message
  }

  func asCached(_ conversation: Conversation) -> Conversation {
    var cached = conversation
    cached.lastQwink = conversation.lastQwink.map { asCached($0, in: conversation.id) }
    return cached
  }
}
