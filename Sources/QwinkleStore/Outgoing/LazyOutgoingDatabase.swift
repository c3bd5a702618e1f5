import QwinkleModel
import Synchronization

/// The database of drafts and unsent items, opened on first use. All work on it runs on one queue.
final class LazyOutgoingDatabase: Sendable {
  /// A row that is queued for saving, and the callbacks for the result.
  struct Waiting {
    var row: OutgoingRow
    var other: String?
    var done: [@MainActor @Sendable (Result<String, StoreError>) -> Void]
  }

  /// `@unchecked` because `OutgoingDatabase` isn't `Sendable`. Only the work queue uses it.
  private struct Opened: @unchecked Sendable {
    var database: OutgoingDatabase?
    var remark: String?
  }

  let directory: String
  private let opened = Mutex(Opened())
  private let waiting = Mutex<[String: Waiting]>([:])

  init(directory: String) {
    self.directory = directory
  }

  func database() throws(StoreError) -> OutgoingDatabase {
    if let database = opened.withLock({ $0 }).database { return database }
    // If this fails, the next call tries again.
    let database = try OutgoingDatabase(directory: directory)
    let new = Opened(database: database, remark: database.remark)
    opened.withLock { $0 = new }
    return database
  }

  func takeRemark() -> String? {
    opened.withLock { opened in
      defer { opened.remark = nil }
      return opened.remark
    }
  }

  func close(_ end: (OutgoingDatabase) -> Void) {
    guard let database = opened.withLock({ $0 }).database else { return }
    end(database)
    opened.withLock { $0 = Opened() }
  }

  /// Queues a row for saving. If an earlier state of the row is already queued, replaces that state and returns false:
  /// the caller need not start another save.
  func wait(
    with row: OutgoingRow, insteadOf other: String?,
    _ done: @escaping @MainActor @Sendable (Result<String, StoreError>) -> Void
  ) -> Bool {
    waiting.withLock { waiting in
      let former = waiting[row.id]
      waiting[row.id] = Waiting(row: row, other: other ?? former?.other, done: (former?.done ?? []) + [done])
      return former == nil
    }
  }

  func takeWaiting(_ id: String) -> Waiting? {
    waiting.withLock { $0.removeValue(forKey: id) }
  }
}
