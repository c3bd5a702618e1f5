public import QwinkleModel
public import QwinkleStore

/// Actions that wait for some seconds, in which the user can undo them. If holding is off, they are done at once. A
/// program that ends drops deletions, blocks, votes and dismissals, which are in memory alone; messages are in the
/// outbox.
extension Account {
  /// Deletes one of my own qwinks; see ``Posts/delete(_:)``.
  public func holdDeletion(of qwink: Qwink) {
    held.hold(.delete(qwink.originalID)) { [weak posts] in posts?.delete(qwink) }
  }

  /// Blocks somebody; see ``block(_:isOn:done:)``.
  public func holdBlock(of qwinker: Qwinker, done: @escaping @MainActor () -> Void) {
    held.hold(.block(qwinker)) { [weak self] in self?.block(qwinker, isOn: true, done: done) }
  }

  /// Blocks a whole server; see ``blockServer(_:done:)``.
  public func holdServerBlock(of host: String, done: @escaping @MainActor () -> Void) {
    held.hold(.blockServer(host)) { [weak self] in self?.blockServer(host, done: done) }
  }

  /// Votes in a qwink's poll; see ``vote(in:for:done:)``.
  public func holdVote(in qwink: Qwink, for choices: [Int], done: @escaping @MainActor (Poll) -> Void) {
    held.hold(.vote(qwink.originalID)) { [weak self] in self?.vote(in: qwink, for: choices, done: done) }
  }

  /// Dismisses notifications, which leave the list at once. They come back if the server keeps them, or it is taken
  /// back.
  public func holdDismissal(of ids: [AccountNotification.ID], done: @escaping @MainActor () -> Void) {
    notifications.hide(ids)
    let takeBack: @MainActor () -> Void = { [weak notifications] in notifications?.putBack(ids) }
    held.hold(.dismiss(ids), takeBack: takeBack) { [weak notifications] in notifications?.dismiss(ids, done: done) }
  }

  /// Removes all notifications from the server.
  public func holdClearing(done: @escaping @MainActor () -> Void) {
    held.hold(.clearNotifications) { [weak notifications] in notifications?.clear(done: done) }
  }

  /// Sends an item of the outbox now, without waiting for its time. See ``Outbox/sendNow(_:)``.
  public func sendNow(_ item: OutboxItem) {
    guard outbox.mayChange(item.id) else { return }
    // An undoable item may be sent as a thread, but the outbox has only its whole text.
    if item.state == .undoable, let entry = item.entry?.sent, held.perform(.sending(entry)) { return }
    outbox.sendNow(item.id)
  }

  /// Holds an item of the outbox until ``Outbox/release(_:)``. Returns the id to release. An undoable thread gets
  /// a new id.
  public func hold(_ item: OutboxItem) -> OutboxItem.ID {
    guard outbox.mayChange(item.id) else { return item.id }
    if let first = posts.holdParts(of: item) { return first.id }
    outbox.hold(item.id)
    return item.id
  }

  /// Returns a discarded item to the outbox. An undoable item is held until the user releases it.
  public func restore(_ item: OutboxItem) {
    if posts.holdParts(of: item) == nil { outbox.restore(item) }
  }

  /// Restores a discarded or cancelled message in the open chat of its conversation. Returns false if no such chat is
  /// open. If the message `isSaved`, it is a draft.
  public func bringBack(_ message: OutgoingEntry, isSaved: Bool = false) -> Bool {
    var isTaken = false
    connection.observers.forEach { observer in
      if !isTaken { isTaken = observer.account(didBringBack: message, isSaved: isSaved) }
    }
    return isTaken
  }

  /// Sends `text` to a conversation, whose chat shows it at once; see ``Inbox/send(_:in:insteadOf:done:)``. Until it
  /// has been held it is in the outbox, and ``undo()`` makes it a draft, which `takenBack` gets.
  public func send(
    _ text: String, in conversation: Conversation, insteadOf draft: String? = nil,
    takenBack: @escaping @MainActor @Sendable (OutgoingEntry) -> Void,
    saved: @escaping @MainActor @Sendable (StoreError?) -> Void
  ) {
    let item = inbox.item(for: text, in: conversation)
    let key = item.entry?.sent?.idempotencyKey ?? ""
    guard held.isOn else {
      undoHistory.remember(.final(HeldActs.Kind.message(key: key).name))
      return outbox.send(item, insteadOf: draft, saved: saved)
    }
    outbox.keepUndoable(item, insteadOf: draft, saved: saved)
    held.hold(
      .message(key: key),
      isWaiting: { [weak outbox] in outbox?.undoable(key) != nil },
      takeBack: { [weak outbox] in outbox?.takeBackUndoable(key, done: takenBack) },
      perform: { [weak outbox] in outbox?.sendUndoable(key, isAttended: false) })
  }
}

extension HeldActs.Kind {
  /// The kind of sending `entry`.
  static func sending(_ entry: Entry) -> HeldActs.Kind {
    entry.visibility == .direct ? .message(key: entry.idempotencyKey) : .post(key: entry.idempotencyKey)
  }

  /// The same for a qwink that has another id now.
  func replacingID(_ old: Qwink.ID, by new: Qwink.ID) -> HeldActs.Kind {
    switch self {
    case .delete(old): .delete(new)
    case .vote(old): .vote(new)
    default: self
    }
  }

  /// Whether it sends something that the user wrote.
  public var isSending: Bool {
    switch self {
    case .post, .message: true
    case .delete, .block, .blockServer, .vote, .dismiss, .clearNotifications: false
    }
  }

  /// The beginning of a sentence about it: "Posting".
  public var name: String {
    switch self {
    case .post: "Posting"
    case .message: "Sending"
    case .delete: "Deleting"
    case .block(let qwinker): "Blocking @\(qwinker.handle)"
    case .blockServer(let host): "Blocking \(host)"
    case .vote: "Voting"
    case .dismiss(let ids): ids.count == 1 ? "Dismissing" : "Dismissing \(ids.count) notifications"
    case .clearNotifications: "Clearing notifications"
    }
  }

  /// The result of taking it back.
  var takenBack: String {
    switch self {
    case .post: "Not posted"
    case .message: "Not sent"
    case .delete: "Not deleted"
    case .block(let qwinker): "Not blocked: @\(qwinker.handle)"
    case .blockServer(let host): "Not blocked: \(host)"
    case .vote: "Not voted"
    case .dismiss: "Not dismissed"
    case .clearNotifications: "Notifications not cleared"
    }
  }
}
