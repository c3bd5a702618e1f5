import QwinkleModel
import QwinkleStore

/// The user's new posts. They appear at the top of their timelines immediately after posting.
extension Timelines {
  func insertOwn(_ qwink: Qwink) {
    for name in entries.keys where name.includes(qwink) { insertOwn(qwink, in: name) }
  }

  /// Ids of the user's qwinks in loaded timelines.
  var ownIDs: Set<String> {
    guard let me = identity.me?.id else { return [] }
    var ids: Set<String> = []
    for entry in entries.values {
      for qwink in entry.timeline.rows.lazy.compactMap(\.qwink) where qwink.booster == nil && qwink.author.id == me {
        ids.insert(qwink.originalID.rawValue)
      }
    }
    return ids
  }

  func insertOwn(_ qwink: Qwink, in name: TimelineName) {
    guard let entry = entries[name] else { return }
    guard entry.state.refreshedAt != nil || !entry.timeline.isEmpty else {
      entries[name]?.waitingOwn.append(qwink)
      return
    }
    guard let change = entries[name]?.timeline.insertOwn(qwink) else { return }
    if !change.inserted.isEmpty || entry.timeline.hasMoreAbove {
      cache.insertOwn(qwink, in: name)
      countAbove(name)
    }
    tell(change, name, .own)
  }
}
