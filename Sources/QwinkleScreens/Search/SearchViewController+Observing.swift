import PaneKit
public import QwinkleAccount
public import QwinkleModel

extension SearchViewController: AccountObserver {
  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {
    replace(qwink)
  }

  public func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink) {
    replace(qwink, insteadOf: id)
  }

  private func replace(_ qwink: Qwink, insteadOf id: Qwink.ID? = nil) {
    let changed = hits.replace(qwink, insteadOf: id)
    show(hits.hits, after: ListChange(changed: changed))
    navigator?.selectionDidChange(in: self)
  }

  public func drafts(_ drafts: Drafts, didChangeRepliesTo qwinks: Set<Qwink.ID>) {
    reloadRows { if case .qwink(let qwink) = $0 { qwinks.contains(qwink.originalID) } else { false } }
  }

  public func follows(_ follows: Follows, didChange relationship: Relationship) {
    reloadRows { if case .qwinker(let qwinker) = $0 { qwinker.id == relationship.id } else { false } }
  }

  public func followsDidChangeHidden(_ follows: Follows) { showHits() }

  /// Updates the hits after the filters, mutes or blocks have changed.
  func showHits() {
    let change = leaveOutHidden()
    guard !change.isEmpty else { return }
    show(hits.hits, after: change)
    // A heading is drawn above the first hit of its kind, which may be another hit now.
    list.reloadCells()
    navigator?.selectionDidChange(in: self)
  }

  public func timelines(_ timelines: Timelines, didDelete id: Qwink.ID) {
    for case .qwink(let hit) in hits.hits {
      if let quoting = hit.withholdingQuote(of: id) { replace(quoting) }
    }
    guard let index = hits.remove(id) else { return }
    show(hits.hits, after: ListChange(removed: [index]))
    list.reloadCells()
  }
}
