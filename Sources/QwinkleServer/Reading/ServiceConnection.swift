import GRDB
import Timekeeping

/// The open database: a writer, and readers if it is served to many clients. Code on their queues must not lock the
/// service's state, because that lock is held while the connections are closed.
struct ServiceConnection: Sendable {
  let writer: DatabaseQueue
  let readers: Readers?
  /// Cached responses, if the database is served to many clients.
  let answers: AnswerCache?
  /// The owner's id, if any.
  var owner: Int64?

  /// Reads when it is `client`'s turn. `work` may run twice.
  func read<Value: Sendable>(
    for client: Client, within limit: ReadLimit, _ budget: Budget,
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    if let readers { return try await readers.read(for: client, within: limit, budget, work) }
    return try await writer.read { try ReadWatch(limit, budget).watch($0, work) }
  }

  /// Writes when it is `client`'s turn.
  func write<Value: Sendable>(
    for client: Client, _ budget: Budget, _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    guard readers != nil else { return try await writer.write(work) }
    let (turns, clock) = (budget.turns, budget.clock)
    await turns.enter(.write, client)
    let start = clock.uptime
    defer { turns.leave(.write, client, used: clock.uptime - start) }
    return try await writer.write(work)
  }

  /// Closes all connections after the work in progress.
  func close() throws {
    answers?.close()
    try readers?.close()
    try writer.close()
  }
}
