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

  /// Applies the deletions and insertions in `changes` as one change, which the data source has already made. Visible
  /// rows don't move: the selected item stays in its row, or if it isn't visible, the first visible item does. A list
  /// that is scrolled to its beginning shows items inserted there if `followsTop` is true. If the selected item is
  /// deleted, the nearest one is selected.
  ///
  /// Afterwards the list must have as many items as its data source. A mismatch is a programming error: it stops a
  /// debug build and reloads the list in a release build.
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

  /// Ends a change. The outermost change is applied.
  public func endUpdates() {
    guard batch.depth > 0 else { return ProgrammingError.report("endUpdates() without beginUpdates()") }
    batch.depth -= 1
    guard batch.depth == 0 else { return }
    let ended = batch
    batch = Batch()
    apply(ended)
  }

  /// Deletes items at their indices before the change.
  public func deleteItems(at indices: some Sequence<Int>) {
    performBatchUpdates { batch.deleted.formUnion(indices) }
  }

  /// Inserts items at their indices after the change.
  public func insertItems(at range: Range<Int>) {
    performBatchUpdates { batch.inserted.append(range) }
  }
}
