import GRDB
import GRDBSQLite
import Synchronization
import Timekeeping

/// The maximum cost of a read.
struct ReadLimit: Sendable {
  var time = Duration.seconds(5)
  /// Steps of SQLite's virtual machine. Each row that it examines takes a few.
  var steps = 500_000_000

  /// No limit, for writes.
  static let unlimited = ReadLimit(time: .seconds(Int.max), steps: .max)
}

/// Watches a read, or a write with ``ReadLimit/unlimited``. SQLite regularly calls it to find out whether to continue.
/// A read ends early if it reaches its limit, or if its client disconnects. A quick read (see ``Turns``) also ends
/// early if it takes too long while the maximum number of long reads is running.
final class ReadWatch: Sendable {
  /// Thrown when a quick read has to restart as a long one.
  struct RestartsRead: Error {}

  private enum End: Int, AtomicRepresentable { case none, cancelled, tooSlow, again }

  /// Steps between two checks, a few microseconds of work.
  private static let stepsBetweenQuestions: Int32 = 1000

  private let clock: any ProgramClock
  private let end: Duration
  private let most: Int
  private let steps = Atomic(0)
  private let reason = Atomic(End.none)
  private let turns: Turns
  /// The time at which a quick read becomes a long one. Nil for a long read or a write.
  private let quickEnd: Duration?
  private let isLong = Atomic(false)

  /// Starts the time limit of a read.
  init(_ limit: ReadLimit, of kind: Turns.Kind = .longRead, _ budget: Budget) {
    clock = budget.clock
    turns = budget.turns
    let now = clock.uptime
    end = now + limit.time
    quickEnd = kind == .read ? now + Turns.quickRead : nil
    most = limit.steps
  }

  /// Whether a quick read has become a long one.
  var hasLengthened: Bool { isLong.load(ordering: .relaxed) }

  /// Cancels the read because its client has disconnected.
  func cancel() { reason.store(.cancelled, ordering: .relaxed) }

  /// Runs a read, or the statements of a write. Must be called on the connection's queue.
  ///
  /// - Throws: ``ServiceError/tooSlow`` at the limit, `CancellationError` after ``cancel()``, ``RestartsRead``, or an
  ///   error of `work`.
  func watch<Value>(_ db: Database, _ work: (Database) throws -> Value) throws -> Value {
    try checkCancellation()
    sqlite3_progress_handler(
      db.sqliteConnection, Self.stepsBetweenQuestions,
      { watch in
        guard let watch else { return 0 }
        return Unmanaged<ReadWatch>.fromOpaque(watch).takeUnretainedValue().isOver ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
    defer { sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
    do {
      let value = try work(db)
      try checkCancellation()
      return value
    } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
      if Task.isCancelled { throw CancellationError() }
      switch reason.load(ordering: .relaxed) {
      case .cancelled: throw CancellationError()
      case .again: throw RestartsRead()
      case .none, .tooSlow: throw ServiceError.tooSlow
      }
    } catch {
      // After an interrupt, later statements fail with other errors. A cancellation takes precedence over these.
      try checkCancellation()
      throw error
    }
  }

  /// Runs a write in a transaction, which is rolled back if ``cancel()`` is called before the end of `work`. Must be
  /// called on the writer's queue.
  func write<Value>(_ db: Database, _ work: (Database) throws -> Value) throws -> Value {
    try checkCancellation()
    var result: Result<Value, any Error> = .failure(CancellationError())
    try db.inTransaction {
      result = .success(try watch(db, work))
      return .commit
    }
    return try result.get()
  }

  private func checkCancellation() throws {
    if reason.load(ordering: .relaxed) == .cancelled { throw CancellationError() }
  }

  private var isOver: Bool {
    if reason.load(ordering: .relaxed) != .none { return true }
    let now = clock.uptime
    if steps.add(Int(Self.stepsBetweenQuestions), ordering: .relaxed).newValue > most || now >= end {
      reason.store(.tooSlow, ordering: .relaxed)
      return true
    }
    guard let quickEnd, now >= quickEnd, !hasLengthened else { return false }
    if turns.lengthen() {
      isLong.store(true, ordering: .relaxed)
      return false
    }
    reason.store(.again, ordering: .relaxed)
    return true
  }
}
