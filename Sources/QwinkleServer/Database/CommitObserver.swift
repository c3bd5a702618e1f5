import GRDB
import Synchronization

/// Runs work after the next commit. It observes a connection for as long as the connection is open: adding an observer
/// for a single transaction would make GRDB discard all cached statements that can delete rows.
final class CommitObserver: TransactionObserver, Sendable {
  private let work = Mutex<[@Sendable () -> Void]>([])
  private let observed = Mutex<ObjectIdentifier?>(nil)

  /// Observes a newly opened connection. Forgets the work of an earlier one.
  func observe(_ queue: DatabaseQueue) {
    _ = takeAll()
    let database = queue.unsafeRead { ObjectIdentifier($0) }
    observed.withLock { $0 = database }
    queue.add(transactionObserver: self, extent: .databaseLifetime)
  }

  /// Forgets the work of earlier transactions if `db` is the observed connection. Must be called at the start of each
  /// transaction: SQLite rolls back without a notification when a statement is interrupted or the disk is full.
  func begin(on db: Database) {
    if observed.withLock({ $0 == ObjectIdentifier(db) }) { _ = takeAll() }
  }

  /// Runs `work` on the connection's queue after the transaction in progress is committed, but not if it is rolled
  /// back.
  func afterCommit(_ work: @escaping @Sendable () -> Void) { self.work.withLock { $0.append(work) } }

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ db: Database) { for work in takeAll() { work() } }
  func databaseDidRollback(_ db: Database) { _ = takeAll() }

  private func takeAll() -> [@Sendable () -> Void] {
    work.withLock { work in
      defer { work = [] }
      return work
    }
  }
}
