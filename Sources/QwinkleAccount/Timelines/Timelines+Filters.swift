import QwinkleModel
import QwinkleStore

/// The effects of changed filters on known qwinks, until the server's next page with them.
extension Timelines {
  /// Marks all known qwinks that match a filter, except the user's own, and refreshes visible timelines.
  func apply(_ filter: ContentFilter) {
    let me = identity.me?.id
    changeMatches(of: filter) { qwink in
      guard qwink.author.id != me, let match = filter.match(of: qwink) else { return }
      qwink.filterMatches.removeAll { $0.id == match.id }
      qwink.filterMatches.append(match)
    }
  }

  /// Marks a single qwink if it matches a filter, and otherwise removes the filter's match.
  func apply(_ filter: ContentFilter, to id: Qwink.ID) {
    let me = identity.me?.id
    changeMatches(of: filter, in: id) { qwink in
      guard qwink.originalID == id else { return }
      qwink.filterMatches.removeAll { $0.id == filter.id.rawValue }
      if qwink.author.id != me, let match = filter.match(of: qwink) { qwink.filterMatches.append(match) }
    }
  }

  /// Removes the matches of a deleted filter.
  func withdraw(_ filter: ContentFilter) {
    changeMatches(of: filter) { $0.filterMatches.removeAll { $0.id == filter.id.rawValue } }
  }

  /// Changes the matches of qwinks in memory and in the cache. With `id`, changes only this qwink in the cache.
  private func changeMatches(
    of filter: ContentFilter, in id: Qwink.ID? = nil, _ change: @escaping @Sendable (inout Qwink) -> Void
  ) {
    contentRevision += 1
    var changed: [Qwink.ID: Qwink] = [:]
    for name in entries.keys {
      guard let modified = entries[name]?.timeline.modify(change), let rows = entries[name]?.timeline.rows else {
        continue
      }
      for qwink in modified.changed.compactMap({ rows[$0].qwink }) { changed[qwink.originalID] = qwink.original }
      // A list doesn't contain the rows that it hides, so it must be arranged again to show them.
      tell(modified, name, .poll)
    }
    let ids = id.map { [$0] } ?? Set(changed.keys).union(filter.statuses)
    cache.changeFilterMatches(of: ids, by: change)
    if id == nil { cache.changeFilterMatches(ofQwinksWith: filter.keywords.map(\.text), by: change) }
    for qwink in changed.values {
      connection.observers.forEach { $0.timelines(self, didChange: qwink) }
    }
    for (name, entry) in entries where entry.window.readers.contains(where: { $0.object != nil && $0.isOnScreen }) {
      refresh(name, cause: .poll)
    }
  }
}
