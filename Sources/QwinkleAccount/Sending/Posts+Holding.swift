public import QwinkleModel
import QwinkleStore

/// Posts and direct messages that the user can undo for some seconds. During this time they are in the outbox, on disk
/// too: a program that ends leaves a draft.
extension Posts {
  /// Gives `outgoing` to the outbox, from which it is sent when it was held, with `entry` as what the server gets, or
  /// the `parts` of a thread. Observers hear what becomes of it.
  public func hold(_ outgoing: OutgoingEntry, as entry: Entry, parts: [Entry]? = nil) {
    let key = entry.idempotencyKey
    heldParts[key] = parts
    outbox.keepUndoable(item(for: outgoing, as: entry))
    held.hold(
      .sending(entry),
      isWaiting: { [weak outbox] in outbox?.undoable(key) != nil },
      takeBack: { [weak self] in self?.takeBack(key) },
      perform: { [weak self] in self?.letGo(key) })
  }

  private func letGo(_ key: String) {
    guard let parts = heldParts.removeValue(forKey: key), let item = outbox.undoable(key), let outgoing = item.entry
    else { return outbox.sendUndoable(key) }
    outbox.withdrawUndoable(item.id)
    send(thread: parts, insteadOf: outgoing) { [weak self] in self?.noteSaved(outgoing, $0) }
  }

  /// Replaces an undoable thread in the outbox with its parts. The first part is held until the user releases it, and
  /// the others wait for the first. Returns the first part; nil if `item` is not an undoable thread.
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

  private func takeBack(_ key: String) {
    heldParts[key] = nil
    outbox.takeBackUndoable(key) { [weak self] entry in
      guard let self else { return }
      connection.observers.forEach { $0.posts(self, didTakeBack: entry) }
    }
  }
}
