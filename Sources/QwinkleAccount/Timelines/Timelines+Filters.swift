import QwinkleModel

/// The effects of changed filters on the rows in memory. The cache stores the matches that the server sends, so these
/// changes last until the server's next page with the row.
extension Timelines {
  /// Marks all loaded qwinks that match a filter, except the user's own, and refreshes visible timelines.
  func apply(_ filter: ContentFilter) {
    let me = identity.me?.id
    changeMatches { qwink in
      guard qwink.author.id != me, let match = filter.match(of: qwink) else { return }
      qwink.filterMatches.removeAll { $0.id == match.id }
      qwink.filterMatches.append(match)
    }
  }

  /// Removes the matches of a deleted filter, or of a filter that no longer lists the qwink `id`.
  func withdraw(filter: ContentFilter.ID, from id: Qwink.ID? = nil) {
    changeMatches { qwink in
      if id == nil || qwink.originalID == id { qwink.filterMatches.removeAll { $0.id == filter.rawValue } }
    }
  }

  private func changeMatches(_ change: (inout Qwink) -> Void) {
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
    for qwink in changed.values {
      connection.observers.forEach { $0.timelines(self, didChange: qwink) }
    }
    for (name, entry) in entries where entry.window.readers.contains(where: { $0.object != nil && $0.isOnScreen }) {
      refresh(name, cause: .poll)
    }
  }
}
