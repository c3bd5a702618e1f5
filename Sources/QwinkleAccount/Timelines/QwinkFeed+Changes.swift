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

  /// Takes in what a qwink says now. Some servers give it another id with an edit.
  func takeInEdited(_ qwink: Qwink, insteadOf id: Qwink.ID) {
    guard qwink.originalID != id else {
      takeIn(qwink)
      // It may be kept where nobody has looked yet.
      cache?.update([TimelineCache.Row(.qwink(qwink))])
      return
    }
    if revealed.remove(id) != nil { revealed.insert(qwink.originalID) }
    doneActs = doneActs.map { $0.replacing(id, by: qwink) }
    for (name, entry) in entries {
      let change = entries[name]?.timeline.replace(id, by: qwink) ?? Timeline.Change()
      guard !change.isEmpty else { continue }
      keepReplaced(id, by: qwink, rows: entry.timeline.rows)
      tell(change, name, .own)
    }
    keepReplaced(id, by: qwink, rows: [.qwink(old(qwink, id))])
    forEachObserver { $0.feed(self, didReplace: id, by: qwink) }
  }

  /// Rows that are kept get their new ids and states where they stand.
  private func keepReplaced(_ id: Qwink.ID, by qwink: Qwink, rows: [Timeline.Row]) {
    let replaced = rows.compactMap { row -> (old: Qwink.RowID, new: TimelineCache.Row)? in
      guard let old = row.qwink, let new = old.replaced(id, by: qwink) else { return nil }
      return (old.rowID, TimelineCache.Row(.qwink(new)))
    }
    cache?.replace(replaced)
  }

  /// `qwink` as a row of its own with the id that it had.
  private func old(_ qwink: Qwink, _ id: Qwink.ID) -> Qwink {
    var old = qwink.original
    old.id = id
    old.originalID = id
    return old
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

  /// A server that does not know what is to be deleted, or how, is asked whether it is there.
  func didFailToDelete(_ id: Qwink.ID, with error: DownloadError) {
    guard error.mayMeanUndeletable else {
      return forEachObserver { $0.feed(self, didFail: FeedFailure("Deleting", error)) }
    }
    purposes[service.start(.qwink(id), delegate: self)] = .lookFor(id, error)
  }

  /// What is not there is deleted, by this attempt, or by an earlier one whose answer was lost.
  func didNotFind(_ id: Qwink.ID, _ error: DownloadError, after refusal: DownloadError) {
    if case .notFound = error { return remove(id) }
    forEachObserver { $0.feed(self, didFail: FeedFailure("Deleting", error)) }
  }

  /// Takes a qwink that is gone out of everything.
  func remove(_ id: Qwink.ID) {
    for name in entries.keys {
      guard let change = entries[name]?.timeline.remove(id), !change.isEmpty else { continue }
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

extension DownloadError {
  /// Whether the server may not know how to delete, or not have what was to be deleted: servers without the call answer
  /// as if the qwink were not there.
  fileprivate var mayMeanUndeletable: Bool {
    switch self {
    case .notFound: true
    case .unexpectedStatus(_, let status): status == 405
    case .serverFailed(_, let status): status == 501
    default: false
    }
  }
}
