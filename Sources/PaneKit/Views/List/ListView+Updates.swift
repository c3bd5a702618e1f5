/// Notifying the list of changes in its data source.
extension ListView {
  /// The deletions and insertions of one change.
  struct Batch {
    /// Number of ``ListView/beginUpdates()`` calls that haven't ended yet.
    var depth = 0
    /// Indices before the change.
    var deleted: Set<Int> = []
    /// Indices after the change.
    var inserted: [Range<Int>] = []
    var followsTop = false
  }

  /// Calls `changes`, and applies the deletions and insertions made in it as one change. Visible rows don't move: the
  /// selected item stays in its row, or if it isn't visible, the first visible item does. If `followsTop` is true and
  /// the list is scrolled to its beginning, items inserted there become visible. If the selected item is deleted, the
  /// next remaining item is selected, or the last item if none follows.
  ///
  /// After the change, the list must have as many items as its data source. A mismatch is a programming error: it stops
  /// a debug build and reloads the list in a release build.
  public func performBatchUpdates(followsTop: Bool = false, _ changes: () -> Void) {
    beginUpdates(followsTop: followsTop)
    changes()
    endUpdates()
  }

  /// Begins a change that ends with the matching ``endUpdates()``. Nested changes are part of the outermost one.
  public func beginUpdates(followsTop: Bool = false) {
    batch.depth += 1
    if followsTop { batch.followsTop = true }
  }

  /// Completes the change begun by the matching ``beginUpdates(followsTop:)``. Completing the outermost change applies
  /// all deletions and insertions.
  public func endUpdates() {
    guard batch.depth > 0 else { return ProgrammingError.report("endUpdates() without beginUpdates()") }
    batch.depth -= 1
    guard batch.depth == 0 else { return }
    let ended = batch
    batch = Batch()
    apply(ended)
  }

  /// Deletes the items that had `indices` before the change.
  public func deleteItems(at indices: some Sequence<Int>) {
    performBatchUpdates { batch.deleted.formUnion(indices) }
  }

  /// Inserts the items that have the indices in `range` after the change.
  public func insertItems(at range: Range<Int>) {
    performBatchUpdates { batch.inserted.append(range) }
  }
}
