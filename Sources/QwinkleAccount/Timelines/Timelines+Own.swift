import QwinkleModel
import QwinkleStore

/// My new posts, which show on top of their timelines as soon as they are posted.
extension Timelines {
  func takeInOwn(_ qwink: Qwink) {
    for name in entries.keys where name.takesIn(qwink) { takeInOwn(qwink, in: name) }
  }

  func takeInOwn(_ qwink: Qwink, in name: TimelineName) {
    guard let entry = entries[name] else { return }
    guard entry.state.refreshedAt != nil || !entry.timeline.isEmpty else {
      entries[name]?.waitingOwn.append(qwink)
      return
    }
    guard let change = entries[name]?.timeline.insertOwn(qwink) else { return }
    if !change.inserted.isEmpty { cache?.insertOwn(qwink, in: name) }
    tell(change, name, .own)
  }
}
