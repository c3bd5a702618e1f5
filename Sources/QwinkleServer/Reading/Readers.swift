import Dispatch
import Foundation
import GRDB

/// Connections that only read, beside the one that writes: reads run side by side, and none waits for a write. A
/// connection opens when it is first needed.
///
/// The embedded service of one person does without: its reads are few, and each connection costs a start.
final class Readers: Sendable {
  private let pool: DatabasePool
  private let turns: ReadTurns
  private let queue = DispatchQueue(label: "qwinkle.readers", attributes: .concurrent)

  /// Opens readers of a file whose write-ahead log exists, since another connection has it open.
  init(path: String, _ configuration: Configuration) throws {
    // One more than there are processors, so that a read that waits for the disk keeps none idle.
    let places = max(3, ProcessInfo.processInfo.activeProcessorCount + 1)
    var configuration = configuration
    configuration.readonly = true
    configuration.maximumReaderCount = places
    configuration.label = "qwinkle.readers"
    pool = try DatabasePool(path: path, configuration: configuration)
    turns = ReadTurns(places: places)
  }

  /// Reads in a transaction of its own, when it is `client`'s turn.
  func read<Value: Sendable>(
    for client: String, _ meter: ReadMeter, _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    await turns.enter(client)
    defer { turns.leave(client) }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.async { [pool] in
          continuation.resume(with: Result { try pool.read { try meter.watch($0, work) } })
        }
      }
    } onCancel: {
      meter.cancel()
    }
  }

  /// Closes the connections after the reads under way.
  func close() throws {
    try pool.close()
  }
}
