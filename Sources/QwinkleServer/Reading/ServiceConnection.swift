import Databases
import GRDB
import Timekeeping

/// The open database: a writer, and readers if it is served to many clients. Code on their queues must not lock the
/// service's state. The service holds that lock while it waits for the connections to close, so both would wait
/// forever.
struct ServiceConnection: Sendable {
  let writer: DatabaseQueue
  let readers: Readers?
  /// Cached responses, if the database is served to many clients.
  let answers: AnswerCache?
  /// The account id of the service's owner, if any.
  var owner: Int64?

  /// Runs `work` in a read transaction. With ``readers``, it waits for `client`'s turn (see ``Turns``), and if it takes
  /// long, it may be interrupted and run again. Without readers, it runs on the writer's queue.
  func read<Value: Sendable>(
    for client: Client, within limit: ReadLimit, _ budget: Budget,
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    if let readers { return try await readers.read(for: client, within: limit, budget, work) }
    return try await writer.unsafeRead { try $0.snapshot { try ReadWatch(limit, budget).watch($0, work) } }
  }

  /// Runs `work` in a write transaction. With ``readers``, it waits for `client`'s turn. Rolls the transaction back if
  /// the task is cancelled.
  func write<Value: Sendable>(
    for client: Client, _ budget: Budget, _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    guard readers != nil else { return try await writer.write(work) }
    let (turns, clock) = (budget.turns, budget.clock)
    let watch = ReadWatch(.unlimited, of: .write, budget)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        turns.enter(.write, client) {
          let start = clock.uptime
          writer.asyncWriteWithoutTransaction { db in
            let result = Result { try watch.write(db, work) }
            // This is the writer's queue. The next write starts here without waiting for another thread.
            turns.leave(.write, client, used: clock.uptime - start)
            continuation.resume(with: result)
          }
        }
      }
    } onCancel: {
      watch.cancel()
    }
  }

  /// Closes all connections after the work in progress.
  func close() throws {
    answers?.close()
    try readers?.close()
    try writer.close()
  }
}
