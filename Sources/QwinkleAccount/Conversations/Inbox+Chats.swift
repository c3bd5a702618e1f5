import Timekeeping
public import QwinkleModel
import QwinkleService
import QwinkleStore

/// The messages of open conversations.
extension Inbox {
  /// Opens a conversation. Cached messages are available at once, the others after ``fetchThread(of:)``. Balance each
  /// call with ``close(_:)``.
  public func open(_ conversation: Conversation) {
    loadCacheIfNeeded()
    // Adopt unsent messages of other processes that have quit.
    outbox.reload()
    let id = conversation.id
    if chats[id] == nil {
      var chat = Chat(conversation: groups[id] ?? conversation)
      if let cached = cache?.messages(of: id, limit: Self.cachedMessagesPageSize) {
        chat.log = MessageLog(cached.messages.map { asCached($0, in: id) })
        chat.earlier = cached.earlier
      }
      if let last = chat.conversation.lastQwink { chat.log.merge([last]) }
      chats[id] = chat
    }
    if chats[id]?.openCount == 0 {
      chats[id]?.seenBefore = cache?.lastSeen(in: id)
      chats[id]?.wholeFrom = []
    }
    chats[id]?.openCount += 1
    settleDoubts(with: messages(of: id), in: id)
    if state.refreshedAt != nil, state.error == nil, !state.isRefreshing { schedulePoll() }
  }

  /// Balances one ``open(_:)``.
  public func close(_ id: Conversation.ID) {
    chats[id]?.openCount -= 1
    guard chats[id]?.openCount ?? 0 <= 0 else { return }
    // Cached messages needn't stay in memory.
    if cache != nil { chats[id] = nil } else { chats[id]?.openCount = 0 }
  }

  /// The known messages of an open conversation, oldest first.
  public func messages(of id: Conversation.ID) -> [Qwink] { chats[id]?.log.messages ?? [] }

  /// The user's messages in a conversation that may not have reached the server, oldest first.
  public func outgoing(of id: Conversation.ID) -> [OutgoingMessage] {
    loadCacheIfNeeded()
    let ids = Set(members(of: id).map(\.id.rawValue) + [id.rawValue])
    return outgoing.filter { ids.contains($0.conversation) }
  }

  /// The fetching state of an open conversation.
  public func state(of id: Conversation.ID) -> FeedState { chats[id]?.state ?? FeedState() }

  /// The last message seen before the conversation was opened; nil if unknown.
  public func lastSeenBefore(in id: Conversation.ID) -> Qwink.ID? { chats[id]?.seenBefore }

  /// Whether the cache has earlier messages that aren't in memory.
  public func hasEarlier(in id: Conversation.ID) -> Bool { chats[id]?.earlier != nil }

  /// Loads earlier messages from the cache.
  public func loadEarlier(in id: Conversation.ID) {
    guard let place = chats[id]?.earlier, let cache else { return }
    let cached = cache.messages(of: id, before: place, limit: Self.cachedMessagesPageSize)
    chats[id]?.earlier = cached.earlier
    chats[id]?.log.merge(cached.messages.map { asCached($0, in: id) })
    tellChat(id)
  }

  /// Fetches the messages of an open conversation.
  public func fetchThread(of id: Conversation.ID) {
    guard isSignedIn, let chat = chats[id], !isFetchingThread(of: id) else { return }
    let last = chat.conversation.lastQwink
    let isThere = last.map { !gone.contains($0.originalID) } ?? false
    guard let start = isThere ? last : lastThere(in: id) ?? last ?? chat.log.messages.last else { return tellChat(id) }
    startThread(of: id, around: start, isWhole: false)
    // Fetch other threads with the same people too.
    for other in members(of: id).prefix(Self.maximumThreads) {
      guard let last = other.lastQwink, last.id != start.id, !gone.contains(last.originalID) else { continue }
      absorb([last], in: id)
      startThread(of: id, around: last, isWhole: false)
    }
  }

  /// Fetches an open conversation from its first message on, which also detects deleted messages.
  func fetchAnew(_ id: Conversation.ID) {
    chats[id]?.wholeFrom = []
    fetchThread(of: id)
  }

  /// Returns a conversation's last message, ignoring messages that the server has reported as not found.
  func lastThere(in id: Conversation.ID) -> Qwink? {
    let known = chats[id]?.log.messages ?? []
    if let last = known.last(where: { !gone.contains($0.originalID) }) { return last }
    return conversation(id)?.lastQwink.flatMap { gone.contains($0.originalID) ? nil : $0 }
  }

  /// Fetches the thread around another message, because the message of `fetch` no longer exists. Returns false if there
  /// is no message left to try, if too many messages no longer exist, or if the server had already reported the message
  /// of `fetch` as not found.
  func lookElsewhere(than fetch: ThreadFetch, in id: Conversation.ID) -> Bool {
    guard gone.insert(fetch.message.originalID).inserted else { return false }
    guard let next = lastThere(in: id) else {
      // A refresh of the list also fetches the conversation's current last message.
      refresh()
      return false
    }
    // Don't try every message on a server that has none of them.
    guard messages(of: id).count(where: { gone.contains($0.originalID) }) <= Self.maximumGone else { return false }
    // The next thread may begin with the deleted message. Don't fetch around that message again, to avoid an endless
    // loop.
    chats[id]?.wholeFrom = [fetch.message.id]
    startThread(of: id, around: next, isWhole: false)
    return true
  }

  private func startThread(of id: Conversation.ID, around qwink: Qwink, isWhole: Bool) {
    chats[id]?.state.isRefreshing = true
    chats[id]?.state.wasCancelled = false
    let fetch = ThreadFetch(message: qwink, isWhole: isWhole, known: Set(messages(of: id).map(\.id)))
    threadsInProgress[id, default: 0] += 1
    load(.thread(qwink.originalID), for: .thread(fetch, in: id))
    tellChat(id)
  }

  func didFetchThread(of id: Conversation.ID) {
    threadsInProgress[id, default: 1] -= 1
    chats[id]?.state.isRefreshing = isFetchingThread(of: id)
    tellChat(id)
    resumeIdleWaiters()
  }

  func isFetchingThread(of id: Conversation.ID) -> Bool { threadsInProgress[id, default: 0] > 0 }

  func merge(_ thread: QwinkThread, _ fetch: ThreadFetch, in id: Conversation.ID) {
    guard let chat = chats[id] else { return }
    chats[id]?.state.note(nil, at: clock.now)
    let all = thread.ancestors + [fetch.message] + thread.descendants
    let said = all.filter { chat.conversation.holds($0, me: me?.id) }
    gone.subtract(all.map(\.originalID))
    // Search `all` instead of `said` for messages whose delivery is uncertain: a message that mentions additional
    // people belongs to another conversation.
    settleDoubts(with: all, in: id)
    // The ancestors of a message are a single branch. Only a fetch around the first message returns the whole thread.
    guard fetch.isWhole || thread.ancestors.isEmpty else {
      absorb(said, in: id)
      if let first = said.first, first.id != fetch.message.id, !chat.wholeFrom.contains(first.id) {
        chats[id]?.wholeFrom.insert(first.id)
        startThread(of: id, around: first, isWhole: true)
      }
      return
    }
    chats[id]?.wholeFrom.insert(fetch.message.id)
    let removed = chats[id]?.log.removeMissing(from: said, of: fetch.known) ?? []
    cache?.removeMessages(removed)
    absorb(said, in: id)
    tellChat(id)
  }

  /// Adds messages to the chat and the cache, and looks among them for messages whose delivery was uncertain.
  func absorb(_ messages: [Qwink], in id: Conversation.ID) {
    guard let different = chats[id]?.log.merge(messages), !different.isEmpty else { return }
    cache?.keep(different, of: id)
    settleDoubts(with: different, in: id)
    tellChat(id)
  }
}
