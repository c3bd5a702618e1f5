import Timekeeping
import FoundationEssentials
public import QwinkleModel
public import QwinkleService
import QwinkleStore

/// What the download service says, merged into what is known.
extension Inbox {
  public func downloadService(
    _ service: DownloadService, didDownload download: Download, for identifier: DownloadIdentifier
  ) {
    guard let purpose = purposes[identifier] else { return }
    contact.note(nil, at: clock.now)
    if case .post = purpose { contact.noteWrite() }
    switch (purpose, download) {
    case (.newest, .conversations(let page)): takeInFirst(page)
    case (.look, .qwinks(let page)): search.messages.take(page.items)
    case (.look, .notifications(let page)): takeInFound(page.items)
    case (.stranger, .qwinker(let qwinker)): search.messages.take(qwinker)
    case (.older, .conversations(let page)): takeInOlder(page)
    case (.read(let id, _), .conversation): unsentReads.remove(id)
    case (.thread(let id, let fetch), .thread(let thread)): takeIn(asMessages(thread, in: id), fetch, in: id)
    case (.delete(let conversation, _), .deletedConversation): dropOutgoing(of: conversation.id)
    case (.post(let key), .qwink(let qwink)): takeInSent(asSent(qwink), key: key)
    case (.check(let key), .thread(let thread)):
      takeInCheck(asMessages(thread, in: outgoing.first { $0.id == key }?.conversationID), key: key)
    default: break
    }
  }

  public func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) {
    contact.note(error, at: clock.now)
    switch purposes[identifier] {
    case .newest:
      state.error = error
      state.noteOffline(after: error, now: clock.now)
    case .older:
      state.error = error
    case .look:
      search.error = error
    case .stranger: break
    case .read(let id, _):
      // What the server does not know or does not allow would fail again.
      if !error.isTransient { unsentReads.remove(id) }
    case .delete(let conversation, let index):
      takeBackDeletion(of: conversation, at: index, error)
    case .thread(let id, let fetch):
      if case .notFound = error, lookElsewhere(than: fetch, in: id) { return }
      chats[id]?.state.error = error
      chats[id]?.state.noteOffline(after: error, now: clock.now)
    case .post(let key):
      noteFailure(error, key: key, ofCheck: false)
    case .check(let key):
      noteFailure(error, key: key, ofCheck: true)
    case nil:
      break
    }
  }

  public func downloadService(_ service: DownloadService, didFinish identifier: DownloadIdentifier) {
    switch purposes.removeValue(forKey: identifier) {
    case .newest:
      if !isLooking { didRefresh() }
    case .look:
      if !isLooking {
        takeInFound()
        didRefresh()
      }
    case .stranger:
      if !isAskingForStrangers { takeInFound() }
    case .older:
      state.isLoadingMore = false
      tellState()
    case .thread(let id, _):
      chats[id]?.state.isRefreshing = isFetchingThread(of: id)
      tellChat(id)
    case .read, .delete, .post, .check, nil:
      break
    }
  }

  // MARK: The list

  private func didRefresh() {
    state.isRefreshing = false
    schedulePoll()
    tellState()
  }

  func takeInNewest(_ page: Page<Conversation>) {
    state.error = nil
    state.offlineSince = nil
    state.refreshedAt = clock.now
    let sources = sources(of: page)
    var page = page
    page.items = page.items.filter { !isDeleted($0) }.map(asRead)
    change { inbox in
      // What is kept but not taken from the store yet must not look new because a page reaches down to it.
      while inbox.hasMoreKept, inbox.list.items.count <= page.items.count { inbox.appendKept() }
      let before = inbox.list.items
      switch inbox.list.mergeNewest(page, hasMoreKept: inbox.hasMoreKept) {
      case .replaced:
        inbox.cache?.replace(rows(inbox.list.items, sources), older: inbox.list.older)
        inbox.noteKept(none: true)
      case .onTop(let dropped):
        if !dropped.isEmpty || Array(before.prefix(page.items.count)) != page.items {
          inbox.cache?.putOnTop(rows(page.items, sources), gone: dropped)
        }
        inbox.noteKept()
      }
      inbox.state.isComplete = inbox.isComplete
    }
    updateChats(with: page.items)
    resendReads()
  }

  private func takeInOlder(_ page: Page<Conversation>) {
    state.error = nil
    let sources = sources(of: page)
    var page = page
    page.items = page.items.filter { !isDeleted($0) }.map(asRead)
    change { inbox in
      let new = inbox.list.appendOlder(page)
      inbox.cache?.append(rows(new, sources), older: inbox.list.older)
      inbox.noteKept()
      inbox.state.isComplete = inbox.isComplete
    }
  }

  /// Open chats learn of new last messages, and look for what else came.
  private func updateChats(with conversations: [Conversation]) {
    let rows = Set(conversations.map { rowID(of: $0.id) })
    for id in chats.keys where rows.contains(rowID(of: id)) {
      guard let conversation = groups[id] else { continue }
      chats[id]?.conversation = conversation
      guard let last = conversation.lastQwink else { continue }
      let isNew = chats[id]?.log.contains(last.id) == false
      absorb([last], in: id)
      guard chats[id]?.openCount ?? 0 > 0 else { continue }
      if isNew {
        fetchThread(of: id)
      } else if let shown = chats[id]?.log.messages.last?.id, shown != last.id, chats[id]?.compared != [last.id, shown]
      {
        // What stands last here may have been deleted.
        chats[id]?.compared = [last.id, shown]
        fetchAnew(id)
      }
    }
    // What failed is tried again with the list.
    for (id, chat) in chats where chat.openCount > 0 && chat.state.error?.isTransient == true { fetchThread(of: id) }
  }

  private func isDeleted(_ conversation: Conversation) -> Bool {
    guard let last = deleted[conversation.id] else { return isHidden(conversation) }
    return last == conversation.lastQwink?.id
  }

  /// An answer that was on its way while I read says that something is unread which is not.
  private func asRead(_ conversation: Conversation) -> Conversation {
    guard conversation.isUnread, let last = readUpTo[conversation.id], last == conversation.lastQwink?.id else {
      return conversation
    }
    var read = conversation
    read.isUnread = false
    return read
  }

  // MARK: Reading and deleting

  /// Notes that the last message of a conversation was seen, here and on the server.
  public func markRead(_ id: Conversation.ID) {
    guard var conversation = conversation(id) else { return }
    if let last = chats[id]?.log.messages.last?.id ?? conversation.lastQwink?.id { cache?.setLastSeen(last, in: id) }
    guard conversation.isUnread else { return }
    conversation.isUnread = false
    chats[id]?.conversation = conversation
    let unread = members(of: id).filter(\.isUnread)
    change { inbox in
      for var member in unread {
        member.isUnread = false
        inbox.readUpTo[member.id] = .some(member.lastQwink?.id)
        inbox.cache?.update(.init(member))
        inbox.list.replace(member)
      }
    }
    // A server that does not list conversations hears nothing of them.
    for member in unread where !member.isFound { sendRead(member.id, last: member.lastQwink?.id) }
  }

  private func sendRead(_ id: Conversation.ID, last: Qwink.ID?) {
    unsentReads.insert(id)
    purposes[service.start(.readConversation(id), delegate: self)] = .read(id, last: last)
  }

  private func resendReads() {
    for id in unsentReads where !isSendingRead(id) { sendRead(id, last: list[id]?.lastQwink?.id) }
  }

  private func isSendingRead(_ id: Conversation.ID) -> Bool {
    purposes.values.contains { if case .read(id, _) = $0 { true } else { false } }
  }

  /// Deletes a conversation: it goes at once, and comes back where the server does not agree.
  public func delete(_ id: Conversation.ID) {
    takeUp()
    let all = members(of: id)
    let places = all.map { list.index(of: $0.id) ?? 0 }
    for member in all {
      deleted[member.id] = .some(member.lastQwink?.id)
      unsentReads.remove(member.id)
      cache?.remove(member.id)
    }
    change { inbox in
      for member in all { inbox.list.remove(member.id) }
      inbox.noteKept()
    }
    for (member, index) in zip(all, places) {
      if member.isFound {
        hide(member)
      } else {
        purposes[service.start(.deleteConversation(member.id), delegate: self)] = .delete(member, index: index)
      }
    }
  }

  private func takeBackDeletion(of conversation: Conversation, at index: Int, _ error: DownloadError) {
    // What is not there any more is deleted.
    if case .notFound = error { return dropOutgoing(of: conversation.id) }
    deleted[conversation.id] = nil
    change { inbox in
      inbox.list.insert(conversation, at: index)
      inbox.noteKept()
    }
    // Only this one: the store may keep more than is here.
    let place = list.index(of: conversation.id) ?? 0
    cache?.putBack(.init(conversation), below: place > 0 ? list.items[place - 1].id : nil)
    state.error = error
    tellState()
  }

  // MARK: The store

  private func rows(_ conversations: [Conversation], _ sources: [Conversation.ID: [UInt8]]) -> [ConversationCache.Row] {
    conversations.map { ConversationCache.Row($0, source: sources[$0.id]) }
  }

  private func sources(of page: Page<Conversation>) -> [Conversation.ID: [UInt8]] {
    guard page.sources.count == page.items.count else { return [:] }
    return Dictionary(zip(page.items.map(\.id), page.sources)) { first, _ in first }
  }
}

extension FeedState {
  /// A server that answers, if not what was hoped for, is not offline.
  mutating func noteOffline(after error: DownloadError, now: Date) {
    if case .transport = error {
      offlineSince = offlineSince ?? now
    } else {
      offlineSince = nil
    }
  }
}
