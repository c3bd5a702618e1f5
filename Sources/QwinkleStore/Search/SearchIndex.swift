import Databases
import Dispatch
import Foundation
import GRDB
import Synchronization
import Timekeeping

/// The search index of the cache. It uses its own connection, so loading timeline pages never waits for it. Saving
/// waits at most for one of its short write transactions.
///
/// Indexes new content in the background, a few qwinks at a time, after each write reported with ``wake()``.
final class SearchIndex: Sendable {
  private struct State {
    var connection: DatabaseQueue?
    var isClosed = false
    /// Whether indexing is in progress, and whether there may be more to index afterwards.
    var isRunning = false
    var isWanted = false
    /// Whether indexing is paused while the cache is pruned.
    var isHeld = false
    /// Whether the index has been rebuilt since it was opened.
    var isRebuilt = false
    /// Number of qwinks removed from the index since it was last compacted.
    var removedCount = 0
    /// Number of merge steps of the current compaction.
    var mergeCount = 0
    var waiting: [@Sendable () -> Void] = []
  }

  /// Number of removed qwinks that triggers compaction.
  private static let mostRemoved = 400
  /// Number of pages merged per compaction step.
  private static let mergedPages = 100
  private static let mostMerges = 1000

  private let path: String
  private let ledger: ActivityLedger
  private let worker = DispatchQueue(label: "qwinkle.search", qos: .utility)
  private let state = Mutex(State())
  /// Called with each error, and whether the index is being rebuilt because of it.
  private let didFail: @Sendable (any Error, _ isRebuilt: Bool) -> Void

  /// Creates an index in the cache file at `path`, which is opened on first use.
  init(path: String, ledger: ActivityLedger, didFail: @escaping @Sendable (any Error, _ isRebuilt: Bool) -> Void) {
    self.path = path
    self.ledger = ledger
    self.didFail = didFail
  }

  /// Indexes new content in the background.
  func wake() {
    let starts = state.withLock { state in
      state.isWanted = true
      guard !state.isRunning, !state.isHeld, !state.isClosed else { return false }
      state.isRunning = true
      return true
    }
    guard starts else { return }
    let activity = ledger.begin("index the cache", isBackground: true)
    worker.async { self.run(activity) }
  }

  /// Pauses indexing.
  func hold() {
    state.withLock { $0.isHeld = true }
  }

  /// Resumes indexing.
  func release() {
    state.withLock { $0.isHeld = false }
    wake()
  }

  /// Calls `then` when everything cached is indexed, or when indexing has failed or the index is closed.
  func whenDone(_ then: @escaping @Sendable () -> Void) {
    let isOpen = state.withLock { state in
      if !state.isClosed { state.waiting.append(then) }
      return !state.isClosed
    }
    if isOpen { wake() } else { then() }
  }

  /// Runs `body` in the background and calls `then` with its result, or nil on failure.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value?, then: @escaping @Sendable (Value?) -> Void
  ) {
    worker.async { then(self.perform { try $0.snapshot(body) } ?? nil) }
  }

  /// Closes the file after the current work.
  func close() {
    state.withLock { $0.isClosed = true }
    worker.sync {
      let connection = state.withLock { state in
        defer { state.connection = nil }
        return state.connection
      }
      try? connection?.close()
    }
    tellWaiting()
  }

  // MARK: In the background

  /// Indexes a batch, then lets waiting searches run.
  private func run(_ activity: Activity) {
    let goesOn = state.withLock { state in
      state.isWanted = false
      return !state.isHeld && !state.isClosed
    }
    let hasMore = goesOn && perform { try self.step(on: $0) } == true
    let ends = state.withLock { state in
      if hasMore || state.isWanted && !state.isHeld && !state.isClosed { return false }
      state.isRunning = false
      return true
    }
    guard ends else { return worker.async { self.run(activity) } }
    if !state.withLock({ $0.isHeld }) { tellWaiting() }
    activity.end()
  }

  /// Indexes a batch or runs a compaction step. Returns whether there is more to do.
  private func step(on connection: DatabaseQueue) throws -> Bool {
    if var slice = try connection.snapshot({ try SearchIndexing(database: $0).next() }) {
      slice.decode()
      let removedCount = try connection.write { [slice] in try SearchIndexing(database: $0).save(slice) }
      state.withLock { $0.removedCount += removedCount }
      return true
    }
    guard state.withLock({ $0.removedCount >= Self.mostRemoved }) else { return false }
    return try connection.writeWithoutTransaction { database in
      let mergeCount = state.withLock { state in
        state.mergeCount += 1
        return state.mergeCount
      }
      let before = database.totalChangesCount
      try database.execute(
        sql: "INSERT INTO word_index (word_index, rank) VALUES ('merge', ?)", arguments: [-Self.mergedPages])
      // A merge changes one row even if there is nothing to merge.
      if database.totalChangesCount - before >= 2, mergeCount < Self.mostMerges { return true }
      state.withLock { ($0.removedCount, $0.mergeCount) = (0, 0) }
      try database.execute(sql: "PRAGMA incremental_vacuum")
      return false
    }
  }

  /// Runs `body` with the open file. Returns nil on failure. If the index is corrupt, also rebuilds it.
  private func perform<Value>(_ body: (DatabaseQueue) throws -> Value) -> Value? {
    do {
      guard let connection = try open() else { return nil }
      do {
        return try body(connection)
      } catch  where Self.isDamage(error) {
        didFail(error, repair(connection))
        return nil
      }
    } catch {
      didFail(error, false)
      return nil
    }
  }

  /// Rebuilds the index, at most once. Returns false if the rebuild fails. Also returns false if the index was already
  /// rebuilt, because other parts of the file must then be corrupt.
  private func repair(_ connection: DatabaseQueue) -> Bool {
    let isFirst = state.withLock { state in
      defer { state.isRebuilt = true }
      return !state.isRebuilt
    }
    guard isFirst, (try? connection.write({ try SearchSchema.rebuildIndex(in: $0) })) != nil else { return false }
    state.withLock { $0.isWanted = true }
    return true
  }

  /// Whether an error means that the index is corrupt. Rows are always inserted under unused ids, so a constraint
  /// violation also means that the index is corrupt.
  private static func isDamage(_ error: any Error) -> Bool {
    CacheDatabase.isDamage(error) || (error as? DatabaseError)?.resultCode == .SQLITE_CONSTRAINT
  }

  private func open() throws -> DatabaseQueue? {
    let (known, isClosed) = state.withLock { ($0.connection, $0.isClosed) }
    guard known == nil, !isClosed else { return known }
    let connection = try CacheDatabase.connect(to: path, label: "qwinkle.search", cacheSize: 512)
    state.withLock { $0.connection = connection }
    return connection
  }

  private func tellWaiting() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for tell in waiting { tell() }
  }
}
