public import QwinkleModel
import QwinkleService
import QwinkleStore

/// What becomes of qwinks that are here already, in every timeline at once.
extension QwinkFeed {
  /// Takes in the newer state of a qwink, and tells observers.
  public func takeIn(_ qwink: Qwink) {
    for key in reactedQwinks.keys where key.id == qwink.originalID { reactedQwinks[key] = qwink }
    for name in entries.keys {
      guard let change = entries[name]?.timeline.update(by: qwink), !change.isEmpty,
        let timeline = entries[name]?.timeline
      else { continue }
      cache?.update(change.changed.map { TimelineCache.Row(timeline.rows[$0]) })
    }
    forEachObserver { $0.feed(self, didChange: qwink) }
  }

  /// A qwink as it is known now; `qwink` itself where no timeline has it.
  func current(_ qwink: Qwink) -> Qwink {
    let id = qwink.originalID
    for entry in entries.values {
      if let found = entry.timeline.rows.lazy.compactMap(\.qwink).first(where: { $0.originalID == id }) { return found }
    }
    return reactedQwinks.first { $0.key.id == id }?.value ?? qwink
  }

  /// Deletes one's own qwink.
  public func delete(_ qwink: Qwink) {
    purposes[service.start(.delete(qwink.originalID), delegate: self)] = .delete(qwink.originalID)
  }

  /// Takes a qwink that is gone out of everything.
  func remove(_ id: Qwink.ID) {
    for name in entries.keys {
      guard let change = entries[name]?.timeline.remove(id), !change.isEmpty else { continue }
      entries[name]?.keptOffset -= change.removed.count
      tell(change, name, .own)
    }
    cache?.remove(id)
    forEachObserver { $0.feed(self, didDelete: id) }
  }

  // MARK: Warnings

  /// Whether the reader has opened what stands behind a qwink's warning.
  public func isRevealed(_ qwink: Qwink) -> Bool { revealed.contains(qwink.originalID) }

  /// Opens or closes what stands behind a qwink's warning.
  public func toggleReveal(_ qwink: Qwink) {
    if revealed.remove(qwink.originalID) == nil { revealed.insert(qwink.originalID) }
    forEachObserver { $0.feed(self, didChange: qwink) }
  }
}
