public import QwinkleModel
import QwinkleStore

/// Changes to known qwinks, applied to all timelines.
extension Timelines {
  /// Replaces a qwink with its newer version everywhere, and notifies observers.
  public func merge(_ qwink: Qwink) { merge(qwink) { $0.update($1) } }

  /// Shows the user's new reactions to a qwink everywhere. The cache stores them next to the server's JSON.
  func mergeReactions(of qwink: Qwink) { merge(qwink) { $0.saveReactions(of: $1) } }

  private func merge(_ qwink: Qwink, save: (TimelineCache, Qwink) -> Void) {
    contentRevision += 1
    for name in entries.keys { entries[name]?.timeline.update(by: qwink) }
    save(cache, qwink)
    connection.observers.forEach { $0.timelines(self, didChange: qwink) }
  }

  /// Replaces qwink `id` with its edited version. Some servers give an edited qwink a new id.
  func mergeEdit(_ qwink: Qwink, insteadOf id: Qwink.ID) {
    guard qwink.originalID != id else { return merge(qwink) }
    contentRevision += 1
    newIDs[id] = qwink.originalID
    newIDs[qwink.originalID] = nil
    if revealed.remove(id) != nil { revealed.insert(qwink.originalID) }
    for name in entries.keys {
      if let change = entries[name]?.timeline.replace(id, by: qwink) { tell(change, name, .own) }
    }
    cache.replace(id, by: qwink)
    connection.observers.forEach { $0.timelines(self, didReplace: id, by: qwink) }
  }

  /// Replaces known qwinks that got a new id when they were edited elsewhere. Returns `page` without their former
  /// versions. snac derives ids from the time of the edit, so only the qwink's address stays the same.
  func followNewIDs(in page: Page<Qwink>) -> Page<Qwink> {
    var edits: [String: Qwink] = [:]
    for qwink in page.items where qwink.editedAt != nil {
      guard let url = qwink.url, edits[url].map({ qwink.isEditedLater(than: $0) }) ?? true else { continue }
      edits[url] = qwink.original
    }
    guard !edits.isEmpty else { return page }
    func successor(of qwink: Qwink) -> Qwink? {
      guard let newer = qwink.url.flatMap({ edits[$0] }), newer.originalID != qwink.originalID,
        newer.isEditedLater(than: qwink)
      else { return nil }
      return newer
    }
    var successors: [Qwink.ID: Qwink] = [:]
    for known in knownQwinks {
      if let newer = successor(of: known) { successors[known.originalID] = newer }
    }
    for (id, newer) in successors { mergeEdit(newer, insteadOf: id) }
    return page.items.contains { successor(of: $0) != nil } ? page.filtered { successor(of: $0) == nil } : page
  }

  /// Returns the current id of a qwink. An edit may have changed the id since `qwink` was fetched.
  func currentID(of qwink: Qwink) -> Qwink.ID { currentID(of: qwink.originalID) }

  /// Returns a qwink with its current id.
  func current(_ qwink: Qwink) -> Qwink {
    let id = currentID(of: qwink)
    guard id != qwink.originalID else { return qwink }
    var current = qwink.original
    (current.id, current.originalID) = (id, id)
    return current
  }

  /// Returns the current id of the qwink that has, or once had, this id.
  public func currentID(of id: Qwink.ID) -> Qwink.ID {
    var id = id
    while let newer = newIDs[id] { id = newer }
    return id
  }

  /// Returns a qwink if any loaded timeline has it.
  func known(_ id: Qwink.ID) -> Qwink? {
    for entry in entries.values {
      if let found = entry.timeline.rows.lazy.compactMap(\.qwink).first(where: { $0.originalID == id }) { return found }
    }
    return nil
  }

  /// Removes a deleted qwink everywhere.
  func remove(_ id: Qwink.ID, cause: Cause = .own) {
    contentRevision += 1
    for name in entries.keys {
      guard let change = entries[name]?.timeline.remove(id), !change.isEmpty else { continue }
      tell(change, name, cause)
    }
    cache.remove(id)
    for (name, entry) in entries where entry.timeline.hasMoreAbove { countAbove(name) }
    connection.observers.forEach { $0.timelines(self, didDelete: id) }
    withholdQuotes(of: id)
  }

  /// Removes a deleted qwink from the qwinks that quote it.
  private func withholdQuotes(of id: Qwink.ID) {
    // A qwink may have a row in several timelines, and `merge` updates all of them.
    var done: Set<Qwink.ID> = []
    for quoting in knownQwinks where done.insert(quoting.originalID).inserted {
      if let withheld = quoting.withholdingQuote(of: id) { merge(withheld) }
    }
  }

  // MARK: Warnings

  /// Whether a qwink's content warning is open.
  public func isRevealed(_ qwink: Qwink) -> Bool { revealed.contains(qwink.originalID) }

  /// Opens or closes a qwink's content warning.
  public func toggleReveal(_ qwink: Qwink) {
    if revealed.remove(qwink.originalID) == nil { revealed.insert(qwink.originalID) }
    connection.observers.forEach { $0.timelines(self, didChange: qwink) }
  }
}
