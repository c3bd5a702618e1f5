import Timekeeping
import FoundationEssentials
public import QwinkleModel
import QwinkleService
public import QwinkleStore

/// Sending direct messages. Each keeps its idempotency key however often it is sent, and stays on disk until it is
/// known to have arrived: none is lost or sent twice.
extension Inbox {
  /// Sends `text` to a conversation. It shows in the chat at once, replaces its draft on disk, and is sent after that.
  /// `done` gets the error if it couldn't be written to disk: it is sent all the same, but would be lost if the program
  /// ended now.
  public func send(
    _ text: String, in conversation: Conversation, insteadOf draft: String? = nil,
    done: (@MainActor @Sendable (StoreError?) -> Void)? = nil
  ) {
    takeUp()
    let typed = Entry(text: text, visibility: .direct, idempotencyKey: UUID().uuidString)
    let entry = EntryRules(.conversation(conversation), me: me).outgoing(typed)
    let message = OutgoingMessage(entry: entry, text: text, conversation: conversation.id, writtenAt: clock.now)
    outgoing.append(message)
    keptOutgoing.append(message)
    tellChat(conversation.id)
    guard let drafts else {
      done?(nil)
      return postNext(in: conversation.id)
    }
    unwritten.insert(message.id)
    drafts.keep(message, insteadOf: draft) { [weak self] error in
      self?.unwritten.remove(message.id)
      done?(error)
      self?.postNext(in: conversation.id)
    }
  }

  /// Sends a failed message again. If it may have arrived, looks for it first.
  public func sendAgain(_ key: String) {
    guard let index = outgoing.firstIndex(where: { $0.id == key }), let failure = outgoing[index].failure else {
      return
    }
    let message = outgoing[index]
    outgoing[index].failure = nil
    keepOutgoing()
    tellChat(message.conversationID)
    if failure.isDoubtful, let parent = message.parent, !gone.contains(parent) {
      return check(message, below: parent)
    }
    // If its parent is gone, it was looked for in the whole conversation.
    if let parent = message.parent, gone.contains(parent) { outgoing[index].entry.inReplyTo = nil }
    postNext(in: message.conversationID)
  }

  /// Removes a failed message, to be edited or dropped.
  @discardableResult
  public func takeBack(_ key: String) -> OutgoingMessage? {
    guard let index = outgoing.firstIndex(where: { $0.id == key && $0.failure != nil }) else { return nil }
    let message = outgoing.remove(at: index)
    keepOutgoing()
    tellChat(message.conversationID)
    return message
  }

  /// Forgets a message that another place keeps now.
  public func forget(_ key: String) {
    guard let index = outgoing.firstIndex(where: { $0.id == key }) else { return }
    let message = outgoing.remove(at: index)
    keptOutgoing.removeAll { $0.id == key }
    tellChat(message.conversationID)
  }

  /// Drops the failed messages of a conversation.
  func dropOutgoing(of id: Conversation.ID) {
    for message in outgoing(of: id) where message.failure != nil { takeBack(message.id) }
  }

  /// The people a message in a conversation is for.
  public func people(in conversation: Conversation) -> [Qwinker] {
    conversation.participants.filter { $0.id != me?.id }
  }

  /// Loads unsent messages of an earlier run: whether they arrived is unknown. Leaves those that another program
  /// holds.
  func takeUpOutgoing() {
    guard isSignedIn, let drafts else { return }
    drafts.takeMessages { [weak self] messages in
      guard let self, !messages.isEmpty else { return }
      let known = Set(outgoing.map(\.id))
      let new = messages.filter { !known.contains($0.id) }
      keptOutgoing += new
      // They are older than those written since.
      outgoing =
        new.map { message in
          var message = message
          message.failure =
            message.failure
            ?? .init("Qwinkle quit before the server confirmed this message.", isDoubtful: true)
          return message
        } + outgoing
      for id in Set(new.map(\.conversationID)) {
        settleDoubts(with: self.messages(of: id), in: id)
        tellChat(id)
      }
    }
  }

  /// Sends the next message. One at a time, so that the server has them in the order in which they were written.
  private func postNext(in id: Conversation.ID) {
    let waiting = outgoing.indices.filter { outgoing[$0].conversationID == id && outgoing[$0].failure == nil }
    guard let index = waiting.first, !unwritten.contains(outgoing[index].id),
      !waiting.contains(where: { messagesUnderWay.contains(outgoing[$0].id) })
    else { return }
    // A message sent again keeps its parent, by which it can be found.
    if outgoing[index].entry.inReplyTo == nil {
      outgoing[index].entry.inReplyTo = lastThere(in: id)?.originalID.rawValue
      keepOutgoing()
    }
    let message = outgoing[index]
    messagesUnderWay.insert(message.id)
    connection.ask(.post(message.entry)) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let qwink): takeInSent(asSent(qwink), key: message.id)
      case .failure(let error): noteFailure(error, key: message.id, ofCheck: false)
      }
    }
  }

  /// Looks for a message that may have arrived, before it is sent again.
  private func check(_ message: OutgoingMessage, below parent: Qwink.ID) {
    messagesUnderWay.insert(message.id)
    connection.ask(.thread(parent), isKept: true) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let thread): takeInCheck(asMessages(thread, in: message.conversationID), key: message.id)
      case .failure(let error): noteFailure(error, key: message.id, ofCheck: true)
      }
    }
  }

  private func takeInSent(_ qwink: Qwink, key: String) {
    guard let index = outgoing.firstIndex(where: { $0.id == key }) else { return }
    let message = outgoing.remove(at: index)
    keepOutgoing()
    settle(message, as: qwink)
    if message.entry.inReplyTo == nil { refresh() }
  }

  /// Files a sent message as the last of its conversation.
  private func settle(_ message: OutgoingMessage, as qwink: Qwink) {
    arrived.insert(qwink.id)
    drafts?.noteArrived(qwink.id)
    if let conversation = home(of: qwink, writtenIn: message.conversationID) {
      file(qwink, in: conversation)
    } else {
      // The server knows the new conversation.
      refresh()
    }
    tellChat(message.conversationID)
    messagesUnderWay.remove(message.id)
    postNext(in: message.conversationID)
  }

  /// The conversation that a message belongs to; nil if unknown. It may have gone to other people than those of the
  /// conversation it was written in.
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
      inbox.noteKept()
    }
    tellChat(id)
  }

  private func noteFailure(_ error: DownloadError, key: String, ofCheck isCheck: Bool) {
    messagesUnderWay.remove(key)
    guard let index = outgoing.firstIndex(where: { $0.id == key }) else { return }
    let message = outgoing[index]
    // A failed search tells nothing new.
    let isDoubtful = isCheck || error.mayHaveArrived
    outgoing[index].failure = .init(words(for: error, isDoubtful: isDoubtful), isDoubtful: isDoubtful)
    if case .notFound = error, let parent = message.parent { gone.insert(parent) }
    // The parent may be why it was refused: sent again, it gets another.
    let isRefused = !isDoubtful && error.isRefusal
    if isRefused { outgoing[index].entry.inReplyTo = nil }
    keepOutgoing()
    tellChat(message.conversationID)
    if isDoubtful {
      // It may be here already, or comes with the next fetch.
      settleDoubts(with: messages(of: message.conversationID), in: message.conversationID)
    }
    if isDoubtful || isRefused { fetchAnew(message.conversationID) }
    postNext(in: message.conversationID)
  }

  private func words(for error: DownloadError, isDoubtful: Bool) -> String {
    isDoubtful
      ? "\(error.summary) It may have arrived: Qwinkle checks before sending it again."
      : "Not sent. \(error.summary)"
  }

  /// Looks for a doubtful message below its parent: if it isn't there, sends it again.
  private func takeInCheck(_ thread: QwinkThread, key: String) {
    messagesUnderWay.remove(key)
    guard let message = outgoing.first(where: { $0.id == key }) else { return }
    let id = message.conversationID
    if let qwink = thread.descendants.first(where: { became(message, $0) }) {
      outgoing.removeAll { $0.id == key }
      keepOutgoing()
      settle(message, as: qwink)
    } else {
      postNext(in: id)
    }
  }

  /// Settles doubtful messages that are among `qwinks`.
  func settleDoubts(with qwinks: [Qwink], in id: Conversation.ID) {
    for message in outgoing where message.conversationID == id && message.failure?.isDoubtful == true {
      guard let qwink = qwinks.first(where: { became(message, $0) }) else { continue }
      outgoing.removeAll { $0.id == message.id }
      keepOutgoing()
      settle(message, as: qwink)
    }
  }

  /// Whether `qwink` is `message`, posted. Allows for clocks that differ a little.
  private func became(_ message: OutgoingMessage, _ qwink: Qwink) -> Bool {
    guard let conversation = conversation(message.conversationID) else { return false }
    return !arrived.contains(qwink.id) && isMe(qwink.author, in: conversation)
      && answersSame(qwink, as: message)
      && qwink.createdAt > message.writtenAt.addingTimeInterval(-600)
      && MessageText.isSame(message.entry.text, as: qwink)
  }

  /// Whether both have the same parent. A deleted parent is nil on the server.
  private func answersSame(_ qwink: Qwink, as message: OutgoingMessage) -> Bool {
    qwink.inReplyTo == message.parent || (qwink.inReplyTo == nil && message.parent.map { gone.contains($0) } ?? false)
  }

  /// Writes the changed messages to disk.
  private func keepOutgoing() {
    guard let drafts else { return }
    let before = Dictionary(keptOutgoing.map { ($0.id, $0) }) { $1 }
    for message in outgoing where before[message.id] != message { drafts.keep(message) { _ in } }
    let there = Set(outgoing.map(\.id))
    for message in keptOutgoing where !there.contains(message.id) { drafts.forget(message: message.id) }
    keptOutgoing = outgoing
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

  /// The qwink that it replies to.
  fileprivate var parent: Qwink.ID? { entry.inReplyTo.map { Qwink.ID($0) } }
}
