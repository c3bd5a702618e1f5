public import QwinkleModel
import QwinkleStore

/// Items that their writer can still take back. They are found by their key, as an item gets another id when another
/// program has changed its draft.
extension Outbox {
  /// The item with this key that can be taken back; nil: there is none any more.
  func undoable(_ key: String) -> OutboxItem? {
    items.first { $0.state == .undoable && !$0.isElsewhere && $0.entry?.sent?.idempotencyKey == key }
  }

  /// Adds an item to the outbox, on disk too, in place of the draft `other`, without sending it. `saved` gets the error
  /// if it can't be saved.
  func keepUndoable(
    _ item: OutboxItem, insteadOf other: String? = nil,
    saved: (@MainActor @Sendable (StoreError?) -> Void)? = nil
  ) {
    let key = item.entry?.sent?.idempotencyKey ?? ""
    var item = item
    item.state = .undoable
    send(item, insteadOf: other) { [weak self] error in
      // Its writer need not have it open any longer.
      if let self, let item = undoable(key) { store?.holdAlone(item.id) }
      saved?(error)
    }
  }

  /// Sends an item that was held. If it `isAttended`, its writer waits for the outcome.
  func sendUndoable(_ key: String, isAttended: Bool = true) {
    guard let item = undoable(key) else { return }
    if isAttended { attended.insert(item.id) }
    queue.change(item.id) { $0.endUndoable() }
    // What is being saved is saved again before it is sent.
    if !queue.isBusy(item.id) { save(item.id) }
    didChange()
    go()
    tellIfWaiting(item.id)
  }

  /// Takes an item out of the queue. On disk it stays until something takes its place.
  func withdrawUndoable(_ id: String) {
    drop(id)
    didChange()
  }

  /// Makes an item a draft, which `done` gets once it is saved.
  func takeBackUndoable(_ key: String, done: @escaping @MainActor @Sendable (OutgoingEntry) -> Void) {
    guard let item = undoable(key), let entry = item.entry?.asDraft else { return }
    drop(item.id)
    // If the item is still being saved, its writer has not been released yet.
    store?.holdAlone(item.id)
    makeDraft(entry) { done(entry) }
    didChange()
    go()
  }

  /// Restores a discarded item. An item that the user could still undo is held until the user releases it.
  public func restore(_ item: OutboxItem) {
    var item = item
    if item.state == .undoable {
      item.endUndoable()
      item.isHeld = true
    }
    send(item)
  }

  /// Makes drafts of what a program that has ended left behind so.
  func makeDrafts(of left: [OutboxItem]) {
    let entries = left.compactMap(\.entry)
    guard !entries.isEmpty else { return }
    for entry in entries { makeDraft(entry.asDraft) }
    connection.observers.forEach { $0.outbox(self, didKeepAsDrafts: entries) }
  }
}

extension OutboxItem {
  /// Ends the time in which it can be taken back.
  mutating func endUndoable() {
    guard state == .undoable else { return }
    state = isDoubtful ? .uncertain : .queued
    nextAttempt = nil
  }
}
