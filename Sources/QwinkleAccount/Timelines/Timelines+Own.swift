import QwinkleModel
import QwinkleStore

/// What I wrote, which stands on top of the timelines that it belongs to as soon as it is posted.
extension Timelines {
  func takeInOwn(_ qwink: Qwink) {
    for name in entries.keys where name.holds(own: qwink) { takeInOwn(qwink, in: name) }
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

extension TimelineName {
  /// Whether the server puts what I wrote there.
  fileprivate func holds(own qwink: Qwink) -> Bool {
    switch self {
    case .home: qwink.visibility != .direct
    case .public, .local: qwink.visibility == .public && qwink.inReplyTo == nil
    case .tag(let tag): qwink.visibility == .public && qwink.tags.contains { $0.lowercased() == tag.lowercased() }
    case .qwinker(let id): qwink.author.id == id
    case .bookmarks, .favourites: false
    }
  }
}
