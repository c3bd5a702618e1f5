import Timekeeping
import FoundationEssentials
public import QwinkleModel
import QwinkleService
import QwinkleStore

/// The list of conversations: merging pages, marking as read and deleting.
extension Inbox {
  // MARK: The list

  func didRefresh() {
    state.isRefreshing = false
    schedulePoll()
    tellState()
    resumeIdleWaiters()
  }

  func mergeNewest(_ page: Page<Conversation>) {
    state.note(nil, at: clock.now)
    let sources = sources(of: page)
    var page = page.filtered { !isDeleted($0) }
    page.items = page.items.map(asRead)
    change { inbox in
      // Load as many cached conversations as the page has. Otherwise they would seem new.
      while inbox.hasMoreCached, inbox.list.items.count <= page.items.count { inbox.appendCached() }
      inbox.changeAndKeep(sources) { list in
        list.mergeNewest(page)
        // Remove rows below a gap, because the cache can't store gaps.
        list.forgetBelowGap()
      }
    }
    updateChats(with: page.items)
    resendReads()
  }

  func mergeOlder(_ page: Page<Conversation>) {
    state.error = nil
    let sources = sources(of: page)
    var page = page.filtered { !isDeleted($0) }
    page.items = page.items.map(asRead)
    change { inbox in
      inbox.changeAndKeep(sources) { $0.appendOlder(page) }
    }
  }

  /// Updates the last messages of open chats, and fetches their other new messages.
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
        // The last message shown may have been deleted on the server.
        chats[id]?.compared = [last.id, shown]
        fetchAnew(id)
      }
    }
    // Retry failed chats each time the list is refreshed.
    for (id, chat) in chats where chat.openCount > 0 && chat.state.error?.isTransient == true { fetchThread(of: id) }
  }

  private func isDeleted(_ conversation: Conversation) -> Bool {
    guard let last = deleted[conversation.id] else { return isHidden(conversation) }
    return last == conversation.lastQwink?.id
  }

  /// Returns the conversation, marked as read if its page was requested before the user read it.
  private func asRead(_ conversation: Conversation) -> Conversation {
    guard conversation.isUnread, let last = readUpTo[conversation.id], last == conversation.lastQwink?.id else {
      return conversation
    }
    var read = conversation
    read.isUnread = false
    return read
  }

  // MARK: Reading and deleting

  /// Marks a conversation as read, here and on the server.
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
        inbox.cache?.update(member)
        inbox.list.update([member])
      }
    }
    // A server that doesn't list conversations can't mark them as read.
    for member in unread where !member.isFound { sendRead(member.id) }
  }

  private func sendRead(_ id: Conversation.ID) {
    unsentReads.insert(id)
    readsInProgress.insert(id)
    connection.ask(.readConversation(id)) { [weak self] result in
      self?.readsInProgress.remove(id)
      // Retry only after transient errors. Other errors would occur again.
      if case .failure(let error) = result, error.isTransient { return }
      self?.unsentReads.remove(id)
    }
  }

  private func resendReads() {
    for id in unsentReads where !readsInProgress.contains(id) { sendRead(id) }
  }

  /// Deletes a conversation. It is removed at once, and restored if the server refuses. A conversation that was found
  /// by a search is hidden instead, until its next message.
  public func delete(_ id: Conversation.ID) {
    loadCacheIfNeeded()
    let all = members(of: id)
    let places = all.map { list.index(of: $0.id) ?? 0 }
    for member in all {
      deleted[member.id] = .some(member.lastQwink?.id)
      unsentReads.remove(member.id)
      cache?.remove(member.id)
    }
    change { inbox in
      inbox.list.remove { member in all.contains { $0.id == member.id } }
      inbox.updateCachedOffset()
    }
    for (member, index) in zip(all, places) {
      if member.isFound {
        hide(member)
      } else {
        connection.ask(.deleteConversation(member.id), as: .deletion) { [weak self] result in
          switch result {
          case .success, .failure(.notFound): self?.dropOutgoing(of: member.id)
          case .failure(let error): self?.revertDeletion(of: member, at: index, error)
          }
        }
      }
    }
  }

  private func revertDeletion(of conversation: Conversation, at index: Int, _ error: DownloadError) {
    deleted[conversation.id] = nil
    change { inbox in
      inbox.list.insert(conversation, at: index)
      inbox.updateCachedOffset()
    }
    // Restore only this row, because the cache may have more rows than are in memory.
    let place = list.index(of: conversation.id) ?? 0
    cache?.putBack(.init(conversation), below: place > 0 ? list.rows[place - 1].item?.id : nil)
    state.error = error
    tellState()
  }

  // MARK: The store

  /// Merges a page into the list with `change`, and stores the changed rows. `sources` contains the JSON of the page's
  /// rows.
  private func changeAndKeep(
    _ sources: [Conversation.ID: [UInt8]], _ change: (inout PagedRows<Conversation>) -> Void
  ) {
    let (before, older) = (list.items, list.older)
    change(&list)
    let after = list.items
    updateCachedOffset()
    state.isComplete = isComplete
    guard after != before || list.older != older else { return }
    // Unchanged rows at the end of the list are already stored.
    let same = zip(before.reversed(), after.reversed()).prefix { $0 == $1 }.count
    if hasMoreCached || (same > 0 && list.older == older) {
      let ids = Set(after.map(\.id))
      cache?.putOnTop(
        rows(after.dropLast(same), sources), gone: before.map(\.id).filter { !ids.contains($0) })
    } else if !before.isEmpty, after.starts(with: before) {
      cache?.append(rows(after.dropFirst(before.count), sources), older: list.older)
    } else {
      cache?.replace(rows(after[...], sources), older: list.older)
    }
  }

  private func rows(
    _ conversations: ArraySlice<Conversation>, _ sources: [Conversation.ID: [UInt8]]
  ) -> [ConversationCache.Row] {
    conversations.map { ConversationCache.Row($0, source: sources[$0.id]) }
  }

  private func sources(of page: Page<Conversation>) -> [Conversation.ID: [UInt8]] {
    guard page.sources.count == page.items.count else { return [:] }
    return Dictionary(zip(page.items.map(\.id), page.sources)) { first, _ in first }
  }
}
