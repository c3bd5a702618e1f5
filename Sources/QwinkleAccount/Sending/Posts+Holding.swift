public import QwinkleModel
import QwinkleStore

/// Posts that can be taken back for some seconds. Meanwhile they are in the outbox, on disk too: a program that ends
/// leaves a draft.
extension Posts {
  /// Gives `outgoing` to the outbox, from which it is sent when it was held, with `entry` as what the server gets, or
  /// the `parts` of a thread. Observers hear what becomes of it.
  public func hold(_ outgoing: OutgoingEntry, as entry: Entry, parts: [Entry]? = nil) {
    var item = item(for: outgoing, as: entry)
    item.state = .undoable
    let key = entry.idempotencyKey
    outbox.keepUndoable(item)
    let id = held.hold(
      .post(key: key),
      isWaiting: { [weak outbox] in outbox?.undoable(key) != nil },
      takeBack: { [weak self] in self?.takeBack(key) },
      perform: { [weak self] in self?.letGo(key, parts: parts) })
    if let id { undoHistory.remember(.held(id)) }
  }

  private func letGo(_ key: String, parts: [Entry]?) {
    guard let parts, let item = outbox.undoable(key), let outgoing = item.entry else {
      return outbox.sendUndoable(key)
    }
    outbox.withdrawUndoable(item.id)
    send(thread: parts, insteadOf: outgoing) { [weak self] error in
      guard let error, let self else { return }
      outbox.makeDraft(outgoing.asDraft)
      connection.observers.forEach { $0.posts(self, didKeepAsDraft: outgoing, because: error) }
    }
  }

  private func takeBack(_ key: String) {
    outbox.takeBackUndoable(key) { [weak self] entry in
      guard let self else { return }
      connection.observers.forEach { $0.posts(self, didTakeBack: entry) }
    }
  }
}
