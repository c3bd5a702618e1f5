import QwinkleModel
import QwinkleStore

/// Things that are on or off on the server. For each, one change is under way at a time; what is wanted meanwhile waits
/// behind it. What has not been sent is folded: on, off and on is one, on and off is none.
extension Outbox {
  /// Notes what is wanted, and sends it if need be.
  func want(_ change: OutgoingChange) {
    guard let last = items.last(where: { $0.purpose == change.key && !$0.isElsewhere && $0.state != .failed }),
      var known = last.change
    else { return send(OutboxItem(change)) }
    guard last.state == .queued else {
      guard known.isOn != change.isOn else { return }
      // The server will have done what is under way.
      var next = change
      next.wasOn = known.isOn
      return send(OutboxItem(next))
    }
    known.isOn = change.isOn
    // What was tried may have arrived.
    guard known.isOn != known.wasOn || last.attemptCount > 0 else { return withdraw(last.id) }
    replace(last.id, by: known)
  }

  /// Changes all items about a qwink that has another id now.
  func replaceID(_ old: Qwink.ID, by new: Qwink.ID) {
    for item in items where !item.isElsewhere && item.state != .sending {
      var changed = item
      changed.replaceID(old, by: new)
      guard changed != item else { continue }
      queue.change(item.id) { $0 = changed }
      // An item that is being saved is saved again before it is sent.
      if !queue.isBusy(item.id) { save(item.id) }
    }
    didChange()
  }

  /// Returns an item with the ids that its qwinks have now: it may have been written before they changed.
  func current(_ item: OutboxItem) -> OutboxItem {
    var current = item
    for id in timelines.newIDs.keys { current.replaceID(id, by: timelines.currentID(of: id)) }
    return current
  }

  /// Makes drafts of the edits of a deleted qwink: the server would refuse them.
  func makeDrafts(ofEditsOf id: Qwink.ID) {
    let edits = items.filter { $0.purpose == EntryPurpose.key(ofEditOf: id) && mayChange($0.id) }
    guard !edits.isEmpty else { return }
    for edit in edits {
      drop(edit.id)
      if let entry = edit.entry { makeDraft(entry.asDraft) }
    }
    didChange()
  }

  /// Whether something will be on once all is sent; nil if nothing is to be sent.
  func target(of key: String) -> Bool? {
    items.last { $0.purpose == key && $0.state != .failed }?.change?.isOn
  }

  /// The changes that are to be sent, by what they are of.
  var targets: [OutgoingChange] {
    var last: [String: OutgoingChange] = [:]
    for item in items where item.state != .failed {
      if let change = item.change { last[change.key] = change }
    }
    return Array(last.values)
  }
}
