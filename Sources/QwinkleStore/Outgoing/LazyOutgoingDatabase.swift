import QwinkleModel
import Synchronization

/// The database of drafts and unsent items, opened on first use.
final class LazyOutgoingDatabase: Sendable {
  /// A row that is queued for saving, and the callbacks for the result.
  struct Waiting {
    var row: OutgoingRow
    /// Ids of rows to remove in the same transaction.
    var others: Set<String>
    var done: [@MainActor @Sendable (Result<String, StoreError>) -> Void]
  }

  /// Identifies consecutive saves of one row. They are merged, because no other call was queued between them.
  struct Slot: Hashable {
    var row: String
    /// Number of calls other than saves that were queued before these saves.
    var calls: Int
  }

  let directory: String
  /// Nil until first use. `unsafe` because the compiler can't check that all accesses are on the work queue of
  /// ``OutgoingStore``: in its `enqueue` and the closures passed to that method, and in `flushAndReleaseMemory`,
  /// `close`, `abandon` and `setReadOnly`. Untrusted input can't change where accesses happen.
  nonisolated(unsafe) var opened: OutgoingDatabase?
  private let waiting = Mutex<[Slot: Waiting]>([:])

  init(directory: String) {
    self.directory = directory
  }

  func database() throws(StoreError) -> OutgoingDatabase {
    if let opened { return opened }
    // If this fails, the next call tries again.
    let database = try OutgoingDatabase(directory: directory)
    opened = database
    return database
  }

  /// Queues a row for saving. If an earlier state of the row is already queued in `slot`, replaces that state and
  /// returns false: the caller need not start another save.
  func wait(
    with row: OutgoingRow, in slot: Slot, insteadOf other: String?,
    _ done: @escaping @MainActor @Sendable (Result<String, StoreError>) -> Void
  ) -> Bool {
    waiting.withLock { waiting in
      let former = waiting[slot]
      var others = former?.others ?? []
      if let other { others.insert(other) }
      waiting[slot] = Waiting(row: row, others: others, done: (former?.done ?? []) + [done])
      return former == nil
    }
  }

  func takeWaiting(_ slot: Slot) -> Waiting? {
    waiting.withLock { $0.removeValue(forKey: slot) }
  }
}
