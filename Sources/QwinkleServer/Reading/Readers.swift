import Dispatch
import Foundation
import GRDB
import Timekeeping

/// Read-only connections in addition to the writer. Reads run in parallel, and don't wait for writes. A connection is
/// opened when it is first needed.
///
/// The embedded service has no readers, because a single user reads little and each connection takes time to open.
final class Readers: Sendable {
  /// The number of connections. One more than the number of processors, so that no processor is idle while a read waits
  /// for the disk.
  static let places = max(3, ProcessInfo.processInfo.activeProcessorCount + 1)

  private let pool: DatabasePool
  private let queue = DispatchQueue(label: "qwinkle.readers", attributes: .concurrent)

  /// Opens readers of a database file. Another connection must already have the file open, because readers can't create
  /// the write-ahead log.
  init(path: String, _ configuration: Configuration) throws {
    var configuration = configuration
    configuration.readonly = true
    configuration.maximumReaderCount = Self.places
    configuration.label = "qwinkle.readers"
    pool = try DatabasePool(path: path, configuration: configuration)
  }

  /// Runs `work` in a separate read transaction when it is `client`'s turn (see ``Turns``). If `work` takes long, it
  /// may be interrupted and run again.
  func read<Value: Sendable>(
    for client: Client, within limit: ReadLimit, _ budget: Budget,
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    do {
      return try await attempt(.read, for: client, within: limit, budget, work)
    } catch is ReadWatch.RestartsRead {
      return try await attempt(.longRead, for: client, within: limit, budget, work)
    }
  }

  private func attempt<Value: Sendable>(
    _ kind: Turns.Kind, for client: Client, within limit: ReadLimit, _ budget: Budget,
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    let (turns, clock) = (budget.turns, budget.clock)
    await turns.enter(kind, client)
    let start = clock.uptime
    let watch = ReadWatch(limit, of: kind, budget)
    defer {
      let used = clock.uptime - start
      turns.leave(watch.hasLengthened ? .longRead : kind, client, used: used)
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.async { [pool] in
          continuation.resume(with: Result { try pool.read { try watch.watch($0, work) } })
        }
      }
    } onCancel: {
      watch.cancel()
    }
  }

  /// Closes the connections after the reads in progress.
  func close() throws {
    try pool.close()
  }
}
