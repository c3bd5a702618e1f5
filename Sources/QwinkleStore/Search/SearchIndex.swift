import Dispatch
import Foundation
import GRDB
import Synchronization
import Timekeeping

/// The index of what is cached, on a connection of its own: neither a page to save nor one to read waits for it.
///
/// What was cached is indexed in the background, a few qwinks at a time, after each write that ``wake()`` tells of.
final class SearchIndex: Sendable {
  private struct State {
    var connection: DatabaseQueue?
    var isClosed = false
    /// Whether indexing is under way, and whether there may be more to do after it.
    var isRunning = false
    var isWanted = false
    /// Whether indexing waits, as what is cached is being pruned.
    var isHeld = false
    /// Whether it was rebuilt since it was opened.
    var isRebuilt = false
    /// Qwinks removed from the index since it was last made smaller.
    var removedCount = 0
    /// Number of merges so far to make it smaller.
    var mergeCount = 0
    var waiting: [@Sendable () -> Void] = []
  }

  /// Number of removed qwinks from which on the index is made smaller.
  private static let mostRemoved = 400
  /// Number of pages that are merged at a time to make the index smaller.
  private static let mergedPages = 100
  private static let mostMerges = 1000

  private let path: String
  private let ledger: ActivityLedger
  private let worker = DispatchQueue(label: "qwinkle.search", qos: .utility)
  private let state = Mutex(State())
  /// Told of errors; whether the index is being rebuilt for it.
  private let didFail: @Sendable (any Error, _ isRebuilt: Bool) -> Void

  /// The index in the cache's file at `path`, which is opened when something is to be indexed or found.
  init(path: String, ledger: ActivityLedger, didFail: @escaping @Sendable (any Error, _ isRebuilt: Bool) -> Void) {
    self.path = path
    self.ledger = ledger
    self.didFail = didFail
  }

  /// Indexes in the background what was cached.
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

  /// Lets indexing wait.
  func hold() {
    state.withLock { $0.isHeld = true }
  }

  /// Lets indexing go on.
  func release() {
    state.withLock { $0.isHeld = false }
    wake()
  }

  /// Calls `then` when everything that was cached is indexed, or can't be.
  func whenDone(_ then: @escaping @Sendable () -> Void) {
    let isOpen = state.withLock { state in
      if !state.isClosed { state.waiting.append(then) }
      return !state.isClosed
    }
    if isOpen { wake() } else { then() }
  }

  /// Runs `body` in the background, then `then` with its result; nil if it failed.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value?, then: @escaping @Sendable (Value?) -> Void
  ) {
    worker.async { then(self.perform { try $0.read(body) } ?? nil) }
  }

  /// Closes the file, after what is being done.
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

  /// Indexes a slice, then lets those in that want to search.
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

  /// Does some of what is to be done. Returns whether there is more.
  private func step(on connection: DatabaseQueue) throws -> Bool {
    if var slice = try connection.read({ try SearchIndexing(database: $0).next() }) {
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
      // It changes one row even if there is nothing to merge.
      if database.totalChangesCount - before >= 2, mergeCount < Self.mostMerges { return true }
      state.withLock { ($0.removedCount, $0.mergeCount) = (0, 0) }
      try database.execute(sql: "PRAGMA incremental_vacuum")
      return false
    }
  }

  /// Runs `body` with the open file. Returns nil if it failed; a damaged index is rebuilt.
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

  /// Starts the index anew, once. Returns false if that fails, or did not help: more than the index is damaged.
  private func repair(_ connection: DatabaseQueue) -> Bool {
    let isFirst = state.withLock { state in
      defer { state.isRebuilt = true }
      return !state.isRebuilt
    }
    guard isFirst, (try? connection.write({ try SearchSchema.rebuildIndex(in: $0) })) != nil else { return false }
    state.withLock { $0.isWanted = true }
    return true
  }

  /// A damaged index may also take an id for used, which no other constraint could fail for.
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
