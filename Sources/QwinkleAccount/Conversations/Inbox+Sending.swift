import FoundationEssentials
public import QwinkleModel
import QwinkleService
import QwinkleStore
import Timekeeping

/// Sending direct messages through the outbox. The messages of a conversation are sent one at a time, so that the
/// server receives them in the order in which they were written.
extension Inbox {
  /// Creates an outbox item for a message with `files`, which are on the server.
  func item(for text: String, files: [OutgoingFile], in conversation: Conversation) -> OutboxItem {
    loadCacheIfNeeded()
    let typed = Entry(
      text: text, visibility: .direct, attachmentIDs: files.map(\.id), idempotencyKey: UUID().uuidString)
    let purpose = EntryPurpose.conversation(conversation)
    return OutboxItem(
      OutgoingEntry(
        id: typed.idempotencyKey, purpose: purpose.key, entry: typed, subject: purpose.subject,
        files: files.isEmpty ? nil : files, sent: EntryRules(purpose, me: me).outgoing(typed), writtenAt: clock.now))
  }

  /// Sends a failed or queued message now. If it may have reached the server, searches for it first.
  public func sendAgain(_ key: String) { outbox.sendNow(key) }

  /// Removes a message that failed or whose sending is delayed, and returns it, so that the user can edit or discard
  /// it. Returns nil if the message is missing, is being sent, or belongs to another program.
  @discardableResult
  public func withdraw(_ key: String) -> OutgoingMessage? {
    guard let message = outgoing.first(where: { $0.id == key && $0.failure != nil }), outbox.mayChange(key) else {
      return nil
    }
    outbox.discard(key)
    return message
  }

  /// Removes a message from the outbox after the message has been stored elsewhere.
  public func forget(_ key: String) { outbox.forget(key) }

  /// Removes the failed messages of a conversation.
  func dropOutgoing(of id: Conversation.ID) {
    for message in outgoing(of: id) where message.failure != nil { withdraw(message.id) }
  }

  /// Returns the recipients of messages in a conversation.
  public func people(in conversation: Conversation) -> [Qwinker] {
    conversation.participants.filter { $0.id != me?.id }
  }

  /// Messages that may not have reached the server, oldest first.
  var outgoing: [OutgoingMessage] { outbox.items.compactMap(OutgoingMessage.init) }

  /// Adds a sent message to its conversation as the last one.
  private func settle(_ message: OutgoingMessage, as qwink: Qwink) {
    if let conversation = home(of: qwink, writtenIn: message.conversationID) {
      file(qwink, in: conversation)
    } else {
      // The message belongs to a conversation that isn't loaded. A refresh of the list fetches it.
      refresh()
    }
    tellChat(message.conversationID)
  }

  /// Returns the conversation that a message belongs to, if known. The message's recipients may differ from the
  /// participants of the conversation in which it was written.
  private func home(of qwink: Qwink, writtenIn id: Conversation.ID) -> Conversation? {
    let here = conversation(id).map { [$0] } ?? []
    return (here + list.items).first { $0.holds(qwink, me: me?.id) }
  }

  private func file(_ qwink: Qwink, in conversation: Conversation) {
    let id = conversation.id
    var conversation = conversation
    conversation.lastQwink = qwink
    conversation.isUnread = false
    chats[id]?.log.merge([qwink])
    chats[id]?.seenBefore = qwink.id
    chats[id]?.conversation = conversation
    cache?.keep([qwink], of: id)
    cache?.setLastSeen(qwink.id, in: id)
    cache?.putOnTop([.init(conversation)])
    change { inbox in
      inbox.list.putOnTop(conversation)
      inbox.updateCachedOffset()
    }
    tellChat(id)
  }

  /// Looks among `qwinks` for messages whose delivery is uncertain. A message that is found counts as sent.
  func settleDoubts(with qwinks: [Qwink], in id: Conversation.ID) {
    guard let conversation = conversation(id) else { return }
    let mine = qwinks.filter { isMe($0.author, in: conversation) }
    for message in outgoing where message.conversationID == id && message.failure?.isDoubtful == true {
      outbox.settle(message.id, with: mine, isOrphan: message.parent.map { gone.contains($0) } ?? false)
    }
  }
}

extension Inbox: OutboxHandler {
  func outbox(_ outbox: Outbox, willSend item: OutboxItem) -> OutboxItem {
    guard var entry = item.entry, case .conversation(let id)? = entry.kind else { return item }
    // Replace a deleted parent. The parent is no longer needed to find the message, because all lists were searched.
    if let parent = entry.sent?.inReplyTo, gone.contains(Qwink.ID(parent)) { entry.sent?.inReplyTo = nil }
    // A retried message keeps its parent, because the parent is used to find the message on the server.
    if entry.sent?.inReplyTo == nil { entry.sent?.inReplyTo = lastThere(in: id)?.originalID.rawValue }
    var item = item
    item.entry = entry
    return item
  }

  func outbox(_ outbox: Outbox, didSend item: OutboxItem, as answer: OutboxAnswer) {
    guard case .qwink(let qwink) = answer, let message = OutgoingMessage(item) else { return }
    settle(message, as: asSent(qwink))
    if let entry = item.entry { connection.tell(entry.differences(in: qwink)) }
    if message.entry.inReplyTo == nil { refresh() }
  }

  func outbox(_ outbox: Outbox, didNotSend item: OutboxItem, _ ending: OutboxEnding, isAttended: Bool) {
    guard let message = OutgoingMessage(item) else { return }
    let id = message.conversationID
    switch ending {
    case .waits(let error):
      guard error?.mayHaveArrived == true else { return }
      // The server may have received the message. Search for it in the loaded messages, and fetch the conversation
      // again.
      settleDoubts(with: messages(of: id), in: id)
      fetchAnew(id)
    case .refused(let error):
      if case .notFound = error, let parent = message.parent { gone.insert(parent) }
      guard error.isRefusal else { return }
      // The server may have refused the message because of its parent. Without a parent, a retry replies to another
      // message.
      outbox.dropParent(of: item.id)
      fetchAnew(id)
    case .notLookedFor, .arrivedBefore: break
    }
  }

  func outbox(_ outbox: Outbox, didMiss id: Qwink.ID) { gone.insert(id) }
}

extension Inbox {
  /// Notifies the chats whose outgoing messages have changed.
  public func outboxDidChange(_ outbox: Outbox) {
    let now = outgoing
    guard now != toldOutgoing else { return }
    let changed = Set(now).symmetricDifference(toldOutgoing).map(\.conversationID)
    toldOutgoing = now
    for id in Set(changed) { tellChat(id) }
  }
}

extension DownloadError {
  /// Whether the server refused the message itself.
  fileprivate var isRefusal: Bool {
    switch self {
    case .notFound, .rejected: true
    default: false
    }
  }
}

extension OutgoingMessage {
  public var conversationID: Conversation.ID { Conversation.ID(conversation) }

  /// The qwink that the message replies to.
  fileprivate var parent: Qwink.ID? { entry.inReplyTo.map { Qwink.ID($0) } }
}
