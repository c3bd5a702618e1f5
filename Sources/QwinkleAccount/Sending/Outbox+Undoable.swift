public import QwinkleModel
import QwinkleStore

/// Items that the user can still undo. They are identified by their idempotency key, because an item gets another id if
/// another program has changed its draft.
extension Outbox {
  /// Returns the undoable item with this key, if it still exists.
  func undoable(_ key: String) -> OutboxItem? {
    items.first { $0.state == .undoable && !$0.isElsewhere && $0.entry?.sent?.idempotencyKey == key }
  }

  /// Adds an item to the outbox without sending it, replacing the draft `other`. `saved` receives the error if the item
  /// can't be saved.
  func keepUndoable(
    _ item: OutboxItem, insteadOf other: String? = nil,
    saved: (@MainActor @Sendable (StoreError?) -> Void)? = nil
  ) {
    let key = item.entry?.sent?.idempotencyKey ?? ""
    var item = item
    item.state = .undoable
    send(item, insteadOf: other) { [weak self] error in
      // Remove the composer's hold, a reference count in the store. Otherwise, closing the composer would release the
      // entry, which the outbox still needs.
      if let self, let item = undoable(key) { store?.holdAlone(item.id) }
      saved?(error)
    }
  }

  /// Sends an undoable item. `isAttended` is true if its writer waits for the outcome.
  func sendUndoable(_ key: String, isAttended: Bool = true) {
    guard let item = undoable(key) else { return }
    if isAttended { attended.insert(item.id) }
    queue.change(item.id) { $0.endUndoable() }
    // A busy item needn't be saved now, because it is saved again before it is sent.
    if !queue.isBusy(item.id) { save(item.id) }
    didChange()
    go()
    tellIfWaiting(item.id)
  }

  /// Removes an item from the queue. It stays on disk until its replacement is saved.
  func withdrawUndoable(_ id: String) {
    drop(id)
    didChange()
  }

  /// Turns an item into a draft, which is passed to `done` after it was saved.
  func cancelUndoable(_ key: String, done: @escaping @MainActor @Sendable (OutgoingEntry) -> Void) {
    guard let item = undoable(key), let entry = item.entry?.asDraft else { return }
    drop(item.id)
    // While the item is being saved, its composer still has a hold, a reference count in the store. Remove that hold
    // too.
    store?.holdAlone(item.id)
    makeDraft(entry) { done(entry) }
    didChange()
    go()
  }

  /// Restores a discarded item. An undoable item is put on hold until the user releases it.
  public func restore(_ item: OutboxItem) {
    var item = item
    if item.state == .undoable {
      item.endUndoable()
      item.isHeld = true
    }
    send(item)
  }

  /// Turns undoable items of a program that has ended into drafts, and notifies observers.
  func makeDrafts(of left: [OutboxItem]) {
    let entries = left.compactMap(\.entry)
    guard !entries.isEmpty else { return }
    for entry in entries { makeDraft(entry.asDraft) }
    connection.observers.forEach { $0.outbox(self, didKeepAsDrafts: entries) }
  }
}

extension OutboxItem {
  /// Changes the state from undoable to queued, or to uncertain if an earlier attempt may have arrived.
  mutating func endUndoable() {
    guard state == .undoable else { return }
    state = isDoubtful ? .uncertain : .queued
    nextAttempt = nil
  }
}
