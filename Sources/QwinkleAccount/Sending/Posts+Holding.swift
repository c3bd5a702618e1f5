public import QwinkleModel
import QwinkleStore

/// Posts and direct messages that the user can undo for a few seconds. During this time they are saved in the outbox.
/// Quitting sends them at once; a crash leaves drafts.
extension Posts {
  /// Adds `outgoing` to the outbox and sends it after the delay, as `entry` or as the `parts` of a thread. Observers
  /// are notified of the result.
  public func hold(_ outgoing: OutgoingEntry, as entry: Entry, parts: [Entry]? = nil) {
    let key = entry.idempotencyKey
    heldParts[key] = parts
    outbox.keepUndoable(item(for: outgoing, as: entry))
    held.hold(
      .sending(entry),
      isWaiting: { [weak outbox] in outbox?.undoable(key) != nil },
      onCancel: { [weak self] in self?.cancelPending(key) },
      perform: { [weak self] in self?.letGo(key) })
  }

  private func letGo(_ key: String) {
    guard let parts = heldParts.removeValue(forKey: key), let item = outbox.undoable(key), let outgoing = item.entry
    else { return outbox.sendUndoable(key) }
    outbox.withdrawUndoable(item.id)
    send(thread: parts, insteadOf: outgoing) { [weak self] in self?.noteSaved(outgoing, $0) }
  }

  /// Replaces an undoable thread in the outbox with its parts. The first part is on hold until the user releases it,
  /// and the others wait for the first. Returns the first part, or nil if `item` is not an undoable thread.
  func holdParts(of item: OutboxItem) -> OutboxItem? {
    guard item.state == .undoable, let outgoing = item.entry, let key = outgoing.sent?.idempotencyKey,
      let parts = heldParts.removeValue(forKey: key)
    else { return nil }
    var items = self.items(for: parts, insteadOf: outgoing)
    guard !items.isEmpty else { return nil }
    items[0].isHeld = true
    outbox.withdrawUndoable(item.id)
    outbox.send(thread: items, insteadOf: outgoing.id) { [weak self] in self?.noteSaved(outgoing, $0) }
    return items[0]
  }

  /// Turns a thread into a draft if its parts could not be saved, and notifies observers.
  private func noteSaved(_ outgoing: OutgoingEntry, _ error: StoreError?) {
    guard let error else { return }
    outbox.makeDraft(outgoing.asDraft)
    connection.observers.forEach { $0.posts(self, didKeepAsDraft: outgoing, because: error) }
  }

  private func cancelPending(_ key: String) {
    heldParts[key] = nil
    outbox.cancelUndoable(key) { [weak self] entry in
      guard let self else { return }
      connection.observers.forEach { $0.posts(self, didTakeBack: entry) }
    }
  }
}
