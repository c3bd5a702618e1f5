/// Changes of the data source, told to the list.
extension ListView {
  /// What one change deletes and inserts.
  struct Batch {
    /// How many ``ListView/beginUpdates()`` have not ended yet.
    var depth = 0
    /// Indices of the old list.
    var deleted: Set<Int> = []
    /// Indices of the new list.
    var inserted: [Range<Int>] = []
    var followsTop = false
  }

  /// Applies what `changes` deletes and inserts as one change, which the data source has already made. What is seen
  /// does not move: the selected item stays in its row, or if it is not seen, the first one that is. But a list at its
  /// beginning shows what came before if `followsTop`. If the selected item goes, the nearest one is selected.
  ///
  /// Afterwards the list must count as many items as its data source: anything else is a mistake in the program, which
  /// stops a debug build and makes a release reload.
  public func performBatchUpdates(followsTop: Bool = false, _ changes: () -> Void) {
    beginUpdates(followsTop: followsTop)
    changes()
    endUpdates()
  }

  /// Begins a change that ends with the matching ``endUpdates()``. Those within another one are a part of it.
  public func beginUpdates(followsTop: Bool = false) {
    batch.depth += 1
    if followsTop { batch.followsTop = true }
  }

  /// Ends a change, and applies it if it was the outermost.
  public func endUpdates() {
    guard batch.depth > 0 else { return ProgrammingError.report("endUpdates() without beginUpdates()") }
    batch.depth -= 1
    guard batch.depth == 0 else { return }
    let ended = batch
    batch = Batch()
    apply(ended)
  }

  /// Deletes items, by their indices before the change.
  public func deleteItems(at indices: some Sequence<Int>) {
    performBatchUpdates { batch.deleted.formUnion(indices) }
  }

  /// Inserts items, by their indices after the change.
  public func insertItems(at range: Range<Int>) {
    performBatchUpdates { batch.inserted.append(range) }
  }
}
