public import QwinkleModel
public import QwinkleService
import QwinkleStore

/// Changes of known qwinks, in every timeline at once.
extension Timelines {
  /// Replaces a qwink by its newer state everywhere, and tells observers.
  public func takeIn(_ qwink: Qwink) {
    contentRevision += 1
    for name in entries.keys { entries[name]?.timeline.update(by: qwink) }
    cache?.update(qwink)
    connection.observers.forEach { $0.timelines(self, didChange: qwink) }
  }

  /// Sends a change of a qwink, whose answer is its new state, and shows that everywhere. `what` begins the sentence
  /// that observers hear if it fails: "Pinning".
  public func change(by request: Request<Qwink>, failing what: String, as kind: UnderWay = .edit) {
    connection.ask(request, as: kind) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let qwink): takeIn(qwink)
      case .failure(let error): connection.observers.forEach { $0.account(didFail: FeedFailure(what, error)) }
      }
    }
  }

  /// Replaces an edited qwink. Some servers give it another id.
  func takeInEdited(_ qwink: Qwink, insteadOf id: Qwink.ID) {
    guard qwink.originalID != id else { return takeIn(qwink) }
    contentRevision += 1
    newIDs[id] = qwink.originalID
    newIDs[qwink.originalID] = nil
    if revealed.remove(id) != nil { revealed.insert(qwink.originalID) }
    for name in entries.keys {
      if let change = entries[name]?.timeline.replace(id, by: qwink) { tell(change, name, .own) }
    }
    cache?.replace(id, by: qwink)
    connection.observers.forEach { $0.timelines(self, didReplace: id, by: qwink) }
  }

  /// Replaces known qwinks that an edit elsewhere gave another id, and returns `page` without their former states. snac
  /// makes ids from the time of the edit: only the address of a qwink stays.
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
    for (id, newer) in successors { takeInEdited(newer, insteadOf: id) }
    return page.items.contains { successor(of: $0) != nil } ? page.filtered { successor(of: $0) == nil } : page
  }

  /// The id that a qwink has now: an edit may have changed it since `qwink` was fetched.
  func currentID(of qwink: Qwink) -> Qwink.ID { currentID(of: qwink.originalID) }

  /// Returns a qwink with the id that it has now.
  func current(_ qwink: Qwink) -> Qwink {
    let id = currentID(of: qwink)
    guard id != qwink.originalID else { return qwink }
    var current = qwink.original
    (current.id, current.originalID) = (id, id)
    return current
  }

  /// The id that the qwink with a former id has now.
  public func currentID(of id: Qwink.ID) -> Qwink.ID {
    var id = id
    while let newer = newIDs[id] { id = newer }
    return id
  }

  /// A qwink that some timeline has; nil if none does.
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
    cache?.remove(id)
    for (name, entry) in entries where entry.timeline.hasMoreAbove { countAbove(name) }
    connection.observers.forEach { $0.timelines(self, didDelete: id) }
    withholdQuotes(of: id)
  }

  /// Removes a deleted qwink from the qwinks that quote it.
  private func withholdQuotes(of id: Qwink.ID) {
    // A qwink has a row in each timeline, and taking it in updates all of them.
    var done: Set<Qwink.ID> = []
    for quoting in knownQwinks where done.insert(quoting.originalID).inserted {
      if let withheld = quoting.withholdingQuote(of: id) { takeIn(withheld) }
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
