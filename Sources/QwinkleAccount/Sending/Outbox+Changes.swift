import QwinkleModel
import QwinkleStore

/// Reactions, follows and other states that are on or off. Each has at most one change in progress; the next change is
/// queued behind it. Changes not yet sent are merged: on, off and on again is a single change, and on and off cancel
/// each other.
extension Outbox {
  /// Queues a change, or merges it with the last queued change to the same target.
  func want(_ change: OutgoingChange) {
    guard let last = items.last(where: { $0.purpose == change.key && !$0.isElsewhere && $0.state != .failed }),
      var known = last.change
    else { return send(OutboxItem(change)) }
    guard last.state == .queued else {
      guard known.isOn != change.isOn || change.options != nil else { return }
      // The next change starts from the state that the change in progress sets.
      var next = change
      next.wasOn = known.isOn
      return send(OutboxItem(next))
    }
    known.isOn = change.isOn
    known.options = change.isOn ? known.options?.merged(with: change.options) ?? change.options : nil
    // Don't withdraw a change if an earlier attempt may have reached the server.
    guard known.isOn != known.wasOn || known.options != nil || last.attemptCount > 0 else { return withdraw(last.id) }
    replace(last.id, by: known)
  }

  /// Updates the id of a qwink in all items, except items that are being sent or that other programs have claimed.
  func replaceID(_ old: Qwink.ID, by new: Qwink.ID) {
    for item in items where !item.isElsewhere && item.state != .sending {
      var changed = item
      changed.replaceID(old, by: new)
      guard changed != item else { continue }
      queue.change(item.id) { $0 = changed }
      // A busy item needn't be saved now, because it is saved again before it is sent.
      if !queue.isBusy(item.id) { save(item.id) }
    }
    didChange()
  }

  /// Returns an item with the current ids of its qwinks, which may have changed since it was written.
  func current(_ item: OutboxItem) -> OutboxItem {
    var current = item
    for id in timelines.newIDs.keys { current.replaceID(id, by: timelines.currentID(of: id)) }
    return current
  }

  /// Turns edits of a deleted qwink into drafts, because the server would reject them.
  func makeDrafts(ofEditsOf id: Qwink.ID) {
    let edits = items.filter { $0.entry?.kind == .edit(id) && mayChange($0.id) }
    guard !edits.isEmpty else { return }
    for edit in edits {
      drop(edit.id)
      if let entry = edit.entry { makeDraft(entry.asDraft) }
    }
    didChange()
  }

  /// Returns the state of a target after all changes in the outbox that haven't failed, or nil if there are no such
  /// changes.
  func target(of key: String) -> Bool? {
    items.last { $0.purpose == key && $0.state != .failed }?.change?.isOn
  }

  /// The last pending change of each target.
  var targets: [OutgoingChange] {
    var last: [String: OutgoingChange] = [:]
    for item in items where item.state != .failed {
      if let change = item.change { last[change.key] = change }
    }
    return Array(last.values)
  }
}
