public import QwinkleModel
public import QwinkleStore

/// Actions that are delayed for a few seconds so that the user can undo them. They are performed at once if delays are
/// off. If the program exits, pending deletions, blocks, votes and dismissals are lost, because they are only in
/// memory. Pending posts and messages are saved in the outbox.
extension Account {
  /// Deletes one of the user's qwinks after the delay. See ``Posts/delete(_:)``.
  public func holdDeletion(of qwink: Qwink) {
    pendingActions.hold(.delete(qwink.originalID)) { [weak posts] in posts?.delete(qwink) }
  }

  /// Blocks a user after the delay. See ``block(_:isOn:done:)``.
  public func holdBlock(of qwinker: Qwinker, done: @escaping @MainActor () -> Void) {
    pendingActions.hold(.block(qwinker)) { [weak self] in self?.block(qwinker, isOn: true, done: done) }
  }

  /// Blocks a whole server after the delay. See ``blockServer(_:isOn:isUndo:done:)``.
  public func holdServerBlock(of host: String, done: @escaping @MainActor () -> Void) {
    pendingActions.hold(.blockServer(host)) { [weak self] in self?.blockServer(host, isOn: true, done: done) }
  }

  /// Votes in a qwink's poll after the delay. See ``vote(in:for:done:)``.
  public func holdVote(in qwink: Qwink, for choices: [Int], done: @escaping @MainActor (Poll) -> Void) {
    pendingActions.hold(.vote(qwink.originalID)) { [weak self] in self?.vote(in: qwink, for: choices, done: done) }
  }

  /// Dismisses notifications after the delay. They disappear from the list at once, and reappear if the user undoes
  /// this or the server doesn't dismiss them.
  public func holdDismissal(of ids: [AccountNotification.ID], done: @escaping @MainActor () -> Void) {
    notifications.hide(ids)
    let onCancel: @MainActor () -> Void = { [weak notifications] in notifications?.putBack(ids) }
    pendingActions.hold(.dismiss(ids), onCancel: onCancel) { [weak notifications] in
      notifications?.dismiss(ids, done: done)
    }
  }

  /// Removes all notifications from the server after the delay.
  public func holdClearing(done: @escaping @MainActor () -> Void) {
    pendingActions.hold(.clearNotifications) { [weak notifications] in notifications?.clear(done: done) }
  }

  /// Sends an item of the outbox now, without waiting for its time. See ``Outbox/sendNow(_:)``.
  public func sendNow(_ item: OutboxItem) {
    guard outbox.mayChange(item.id) else { return }
    // An undoable item may have to be sent as a thread. The outbox has only the whole text; the pending action has the
    // parts.
    if item.state == .undoable, let entry = item.entry?.sent, pendingActions.perform(.sending(entry)) { return }
    outbox.sendNow(item.id)
  }

  /// Prevents an outbox item from being sent until ``Outbox/release(_:)`` is called. Returns the id to release, because
  /// an undoable thread gets a new id. Has no effect on an item that can't be changed now.
  public func hold(_ item: OutboxItem) -> OutboxItem.ID {
    guard outbox.mayChange(item.id) else { return item.id }
    if let first = posts.holdParts(of: item) { return first.id }
    outbox.hold(item.id)
    return item.id
  }

  /// Restores a discarded item to the outbox. An undoable item is put on hold until the user releases it.
  public func restore(_ item: OutboxItem) {
    if posts.holdParts(of: item) == nil { outbox.restore(item) }
  }

  /// Restores a discarded or cancelled message in the open chat of its conversation. Returns whether such a chat is
  /// open. `isSaved` is true if the message is saved as a draft.
  public func bringBack(_ message: OutgoingEntry, isSaved: Bool = false) -> Bool {
    var isTaken = false
    connection.observers.forEach { observer in
      if !isTaken { isTaken = observer.account(didBringBack: message, isSaved: isSaved) }
    }
    return isTaken
  }

  /// Sends `text` with `files`, which are on the server, to a conversation. The message appears in the chat at once,
  /// and replaces `draft` on disk. It waits in the outbox while it can be undone. ``undo()`` turns it into a draft,
  /// which is passed to `takenBack`. If delays are off, the message is sent now. If it can't be written to disk,
  /// `saved` receives the error. The message is sent anyway, but would be lost if the program quit now.
  public func send(
    _ text: String, files: [OutgoingFile] = [], in conversation: Conversation, insteadOf draft: String? = nil,
    takenBack: @escaping @MainActor @Sendable (OutgoingEntry) -> Void,
    saved: @escaping @MainActor @Sendable (StoreError?) -> Void
  ) {
    let item = inbox.item(for: text, files: files, in: conversation)
    let key = item.entry?.sent?.idempotencyKey ?? ""
    guard pendingActions.isOn else {
      undoHistory.remember(.final(PendingActions.Kind.message(key: key).name))
      return outbox.send(item, insteadOf: draft, saved: saved)
    }
    outbox.keepUndoable(item, insteadOf: draft, saved: saved)
    pendingActions.hold(
      .message(key: key),
      isWaiting: { [weak outbox] in outbox?.undoable(key) != nil },
      onCancel: { [weak outbox] in outbox?.cancelUndoable(key, done: takenBack) },
      perform: { [weak outbox] in outbox?.sendUndoable(key, isAttended: false) })
  }
}

extension PendingActions.Kind {
  /// Returns the kind of action that sends `entry`.
  static func sending(_ entry: Entry) -> PendingActions.Kind {
    entry.visibility == .direct ? .message(key: entry.idempotencyKey) : .post(key: entry.idempotencyKey)
  }

  /// Returns the same action with a qwink's new id.
  func replacingID(_ old: Qwink.ID, by new: Qwink.ID) -> PendingActions.Kind {
    switch self {
    case .delete(old): .delete(new)
    case .vote(old): .vote(new)
    default: self
    }
  }

  /// Whether the action sends text that the user wrote.
  public var isSending: Bool {
    switch self {
    case .post, .message: true
    case .delete, .block, .blockServer, .vote, .dismiss, .clearNotifications: false
    }
  }

  /// The beginning of a sentence about the action: "Posting".
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

  /// The message after the action was cancelled.
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
