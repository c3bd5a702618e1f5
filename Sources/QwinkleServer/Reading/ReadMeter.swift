import GRDB
import GRDBSQLite
import Synchronization
import Timekeeping

/// What one read may cost before it is given up.
struct ReadBudget: Sendable {
  var time = Duration.seconds(5)
  /// Steps of SQLite's machine, a few for each row that it looks at.
  var steps = 500_000_000
}

/// Watches one read: SQLite asks it now and then whether to go on. A read ends early when its budget is spent or nobody
/// waits for its result any longer.
final class ReadMeter: Sendable {
  /// Steps between two questions, a few microseconds of work.
  private static let stepsBetweenQuestions = 1000

  private let clock: any ProgramClock
  private let end: Duration
  private let most: Int
  private let steps = Atomic(0)
  private let isUnwanted = Atomic(false)

  /// A meter for a read that starts now.
  init(_ budget: ReadBudget, clock: any ProgramClock) {
    self.clock = clock
    end = clock.uptime + budget.time
    most = budget.steps
  }

  /// Ends the read, as nobody waits for it.
  func cancel() {
    isUnwanted.store(true, ordering: .relaxed)
  }

  /// Runs a read under watch, on its connection's queue.
  ///
  /// - Throws: ``ServiceError/tooSlow`` if the budget is spent, `CancellationError` after ``cancel()``, or what `work`
  ///   throws.
  func watch<Value>(_ db: Database, _ work: (Database) throws -> Value) throws -> Value {
    if isUnwanted.load(ordering: .relaxed) { throw CancellationError() }
    sqlite3_progress_handler(
      db.sqliteConnection, Int32(Self.stepsBetweenQuestions),
      { meter in
        guard let meter else { return 0 }
        return Unmanaged<ReadMeter>.fromOpaque(meter).takeUnretainedValue().isOver ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
    defer { sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
    do {
      return try work(db)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
      if isUnwanted.load(ordering: .relaxed) || Task.isCancelled { throw CancellationError() }
      throw ServiceError.tooSlow
    }
  }

  private var isOver: Bool {
    steps.add(Self.stepsBetweenQuestions, ordering: .relaxed).newValue > most || clock.uptime >= end
      || isUnwanted.load(ordering: .relaxed)
  }
}
