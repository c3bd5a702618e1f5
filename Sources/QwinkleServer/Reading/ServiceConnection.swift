import GRDB
import Timekeeping

/// The open database: one connection that writes, and readers beside it where many read. Code on its queues must not
/// lock the service's state: that lock is held while they are closed.
struct ServiceConnection: Sendable {
  let writer: DatabaseQueue
  let readers: Readers?
  /// Kept answers where many read.
  let answers: AnswerCache?
  /// The owner's id; nil if there is none.
  var owner: Int64?

  /// Reads within a budget, for a client named as in ``ServiceRequest/client``.
  func read<Value: Sendable>(
    for client: String, within budget: ReadBudget, clock: any ProgramClock,
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    if let readers { return try await readers.read(for: client, ReadMeter(budget, clock: clock), work) }
    return try await writer.read { try ReadMeter(budget, clock: clock).watch($0, work) }
  }

  /// Closes all connections after the work under way.
  func close() throws {
    answers?.close()
    try readers?.close()
    try writer.close()
  }
}
