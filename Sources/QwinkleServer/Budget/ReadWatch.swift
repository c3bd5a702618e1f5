import GRDB
import GRDBSQLite
import Synchronization
import Timekeeping

/// The most that one read may cost.
struct ReadLimit: Sendable {
  var time = Duration.seconds(5)
  /// Steps of SQLite's virtual machine, a few for each row that it looks at.
  var steps = 500_000_000
}

/// Watches one read: SQLite asks it now and then whether to go on. A read ends early when it reaches its limit, when
/// its client has gone away, or when a quick read has become a long one and has no place as such.
final class ReadWatch: Sendable {
  /// A quick read that has to begin again as a long one.
  struct BeginsAgain: Error {}

  private enum End: Int, AtomicRepresentable { case none, cancelled, tooSlow, again }

  /// Steps between two questions, a few microseconds of work.
  private static let stepsBetweenQuestions: Int32 = 1000

  private let clock: any ProgramClock
  private let end: Duration
  private let most: Int
  private let steps = Atomic(0)
  private let reason = Atomic(End.none)
  private let turns: Turns
  /// When a quick read becomes a long one; nil if it is one.
  private let quickEnd: Duration?
  private let isLong = Atomic(false)

  /// Watches a read that starts now.
  init(_ limit: ReadLimit, of kind: Turns.Kind = .longRead, _ budget: Budget) {
    clock = budget.clock
    turns = budget.turns
    let now = clock.uptime
    end = now + limit.time
    quickEnd = kind == .read ? now + Turns.quickRead : nil
    most = limit.steps
  }

  /// Whether it has become a long read.
  var hasLengthened: Bool { isLong.load(ordering: .relaxed) }

  /// Ends the read, as its client has gone away.
  func cancel() { reason.store(.cancelled, ordering: .relaxed) }

  /// Runs a read, on its connection's queue.
  ///
  /// - Throws: ``ServiceError/tooSlow`` at the limit, `CancellationError` after ``cancel()``, ``BeginsAgain``, or what
  ///   `work` throws.
  func watch<Value>(_ db: Database, _ work: (Database) throws -> Value) throws -> Value {
    if reason.load(ordering: .relaxed) == .cancelled { throw CancellationError() }
    sqlite3_progress_handler(
      db.sqliteConnection, Self.stepsBetweenQuestions,
      { watch in
        guard let watch else { return 0 }
        return Unmanaged<ReadWatch>.fromOpaque(watch).takeUnretainedValue().isOver ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
    defer { sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
    do {
      return try work(db)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
      if Task.isCancelled { throw CancellationError() }
      switch reason.load(ordering: .relaxed) {
      case .cancelled: throw CancellationError()
      case .again: throw BeginsAgain()
      case .none, .tooSlow: throw ServiceError.tooSlow
      }
    }
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
