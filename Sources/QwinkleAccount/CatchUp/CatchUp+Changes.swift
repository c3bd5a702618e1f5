public import QwinkleModel

/// Edits, reactions, deletions, and changes to the hidden posts.
extension CatchUp {
  /// Updates the rows of a qwink to its newer state.
  func update(_ qwink: Qwink) {
    let id = qwink.originalID
    for (row, old) in recent where row.status == id { recent[row] = old.updated(by: qwink) }
    change(where: { $0.rowID.status == id }, isHiding: true) { updated($0, by: qwink) }
  }

  /// Replaces a qwink whose id has changed with an edit.
  func replace(_ id: Qwink.ID, by qwink: Qwink) {
    for (row, old) in recent where row.status == id {
      recent[row] = nil
      if let newer = old.replaced(id, by: qwink) { recent[newer.rowID] = newer }
    }
    if seen.contains(id) { seen.insert(qwink.originalID) }
    change(where: { $0.rowID.status == id }, isHiding: true) { updated($0, by: qwink) }
  }

  /// Removes a deleted qwink and its boosts, or a deleted boost.
  func remove(_ id: Qwink.ID) {
    recent = recent.filter { $0.key.status != id && $0.value.id != id }
    change(where: { $0.rowID.status == id || $0.statusID == id }, isHiding: false) { _ in nil }
  }

  /// Returns the newer item. Nil for a hidden qwink.
  private func updated(_ item: CatchUpItem, by qwink: Qwink) -> CatchUpItem? {
    // Rules may be about the row's boost, which `qwink` lacks. They decided when the row was read.
    guard !account.leavesOut(qwink.original, in: .home) else { return nil }
    let newer = shown(item.updated(by: qwink), qwink)
    // Answers to actions may omit filter matches.
    return item.traits.contains(.covered) && qwink.contentWarning.isEmpty && qwink.filterMatches.isEmpty
      ? newer.covered : newer
  }

  /// Changes some items, and removes those for which `newer` returns nil. `isHiding` is true if these are hidden
  /// instead of deleted.
  private func change(
    where isAffected: (CatchUpItem) -> Bool, isHiding: Bool, to newer: (CatchUpItem) -> CatchUpItem?
  ) {
    func changed(_ items: [CatchUpItem]) -> [CatchUpItem]? {
      guard items.contains(where: isAffected) else { return nil }
      let result = items.compactMap { isAffected($0) ? newer($0) : $0 }
      return result == items ? nil : result
    }
    if let changed = changed(loading.pass.items) {
      if isHiding { loading.pass.hiddenCount += loading.pass.items.count - changed.count }
      loading.pass.items = changed
    }
    guard let changed = changed(items) else { return }
    if isHiding { hiddenCount += items.count - changed.count }
    items = changed
    notifyRows()
  }

  /// Reads all rows again, because other rows are hidden.
  func reread() {
    guard state != .idle, !loading.pass.known.isEmpty else { return }
    loading.needsReread = true
    read()
  }
}

extension CatchUp: AccountObserver {
  public func timelines(_ timelines: Timelines, didChangeStateOf name: TimelineName) {
    if name == .home { checkRefresh() }
  }

  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) { update(qwink) }

  public func timelines(_ timelines: Timelines, didDelete id: Qwink.ID) { remove(id) }

  public func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink) { replace(id, by: qwink) }

  public func readPositions(_ positions: ReadPositions, didChangeIn list: ReadList) { marksDidChange() }

  public func followsDidChangeHidden(_ follows: Follows) { reread() }

  public func accountFilterDidExpire() { reread() }

  public func identityDidChange(_ identity: Identity) {
    if !hideRules.isEmpty { reread() }
  }
}
