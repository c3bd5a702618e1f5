import Databases
import Foundation
import GRDB
public import QwinkleModel
import QwinkleWire
import Synchronization
public import Timekeeping

/// A slice of a cached timeline.
public struct CachedRows: Sendable {
  public var rows: [Timeline.Row] = []
  /// Whether more rows are cached after these.
  public var hasMore = false
  /// Cursor for fetching rows older than the last cached one.
  public var older: PageCursor?
  /// Whether these rows directly follow the rows after which the caller requested them. False if, for example, another
  /// program has replaced the list.
  public var isAdjacent = true
}

/// The part of the cache that a read or write concerns.
enum CacheSubject: Hashable, Sendable {
  /// The rows of a timeline.
  case timeline(TimelineName)
  /// The content of rows, in any timeline.
  case content
  case conversations
  case notifications
  /// Pruning the cache to its limits.
  case limits
}

/// A cache of one account's timelines, for the next start and for offline use. Rows are stored as the server's JSON and
/// decoded like any response, so a new field needs no migration.
///
/// A page is merged with the rows currently in the file. Several programs can therefore write the same file, and a
/// failed write leaves an older but correct list.
///
/// Writes run on a serial queue, and the activity ledger lists them as work in progress. A blocking read doesn't wait
/// for unrelated writes: while an unrelated write runs, the read uses a separate connection and doesn't see the changes
/// made by that write.
public final class TimelineCache: Sendable {
  /// A row to cache.
  public struct Row: Sendable {
    let row: PagedRow<CachedElement>

    /// Creates a row. `source` is the server's JSON; if nil, the qwink is encoded.
    public init(_ row: Timeline.Row, source: [UInt8]? = nil) {
      switch row {
      case .gap(let cursor): self.row = .gap(cursor)
      case .item(let qwink): self.row = .item(CachedElement(qwink, source: source))
      }
    }
  }

  struct Reader {
    var queue: DatabaseQueue?
    var isClosed = false
  }

  /// A message about damage found on opening, if any.
  public let remark: String?

  /// The database, shared with the account's other caches.
  let queue: DatabaseQueue
  private let damage: CacheDamage
  /// A connection for reading while ``queue`` writes. Opened on first use, because startup needs only one connection.
  let reader = Mutex(Reader())
  /// Number of unfinished writes per subject.
  private let unwritten = Mutex<[CacheSubject: Int]>([:])
  /// Nil for a cache in memory.
  private let directory: String?
  let ledger: ActivityLedger
  let clock: any ProgramClock
  let index: SearchIndex

  /// Opens `directory`/cache.sqlite, and creates it if it's missing. If the file is corrupt, renames it and creates a
  /// new one. If an earlier run suspected corruption, checks the whole file first.
  ///
  /// - Throws: ``StoreError`` if nothing can be cached there. The program can still run without a cache.
  public init(
    directory: String, ledger: ActivityLedger, clock: any ProgramClock = SystemClock()
  ) throws(StoreError) {
    (queue, remark) = try CacheDatabase.open(directory: directory)
    self.directory = directory
    self.ledger = ledger
    self.clock = clock
    let damage = CacheDamage(directory: directory)
    self.damage = damage
    index = SearchIndex(path: queue.path, ledger: ledger) { damage.note($0, rebuildsIndex: $1) }
  }

  /// Opens an empty cache in memory, for a program that can't use the file. It can't be searched.
  public init(inMemoryWith ledger: ActivityLedger, clock: any ProgramClock) {
    queue = CacheDatabase.openInMemory()
    (remark, directory) = (nil, nil)
    self.ledger = ledger
    self.clock = clock
    damage = CacheDamage(directory: nil)
    index = SearchIndex(path: "", ledger: ledger) { _, _ in }
    index.close()
  }

  /// Returns whether something is cached in `directory`.
  public static func exists(in directory: String) -> Bool { CacheDatabase.exists(in: directory) }

  /// Returns at most `limit` cached rows, newest first: the first rows of the timeline, or the rows after `rows` if
  /// these are given. Skips rows that can no longer be decoded. If the file can't be read, the result is empty, because
  /// the program can fetch everything again.
  public func load(_ name: TimelineName, after rows: [Timeline.Row] = [], limit: Int) -> CachedRows {
    read { try CachedTimeline(name: name.key, database: $0, now: 0).rows(after: rows, limit: limit) } ?? CachedRows()
  }

  /// Inserts one of the user's own qwinks on top.
  public func insertOwn(_ qwink: Qwink, in name: TimelineName) {
    let element = CachedElement(qwink, source: nil)
    change(name, "save an own post") { try $0.insertOwn(element) }
  }

  public func replace(_ rows: [Row], of name: TimelineName, older: PageCursor?) {
    change(name, "save a timeline") { try $0.replace(rows.map(\.row), older: older) }
  }

  /// Saves the newer state of a qwink and its boosts, in all timelines.
  public func update(_ qwink: Qwink) {
    write("save a newer state", about: .content) { database in
      try CachedContent(database).update(qwink.originalID) { $0.updated(by: qwink) }
    }
  }

  /// Saves the user's reactions to a qwink next to the server's JSON, until a page requested later replaces them.
  public func saveReactions(of qwink: Qwink) {
    write("save reactions", about: .content) { database in
      try CachedContent(database).set(ReactionOverlay(qwink), on: qwink.originalID)
    }
  }

  /// Saves the newer state of the qwink that had the id `id`. An edit can change the id.
  public func replace(_ id: Qwink.ID, by qwink: Qwink) {
    write("save an edited post", about: .content) { database in
      try CachedContent(database).update(id) { $0.replaced(id, by: qwink) }
    }
  }

  public func remove(_ id: Qwink.ID) {
    write("delete a post", about: .content) { try CachedContent($0).remove(id.rawValue) }
  }

  /// Waits until all requested writes have been performed.
  public func flush() {
    queue.writeWithoutTransaction { _ in }
  }

  /// Waits for pending writes and closes the file cleanly. Later writes are ignored, and later reads fail. Call this
  /// method on the thread that reads, so that no read is in progress.
  public func close() {
    flush()
    index.close()
    reader.withLock { reader in
      try? reader.queue?.close()
      reader = Reader(isClosed: true)
    }
    try? queue.close()
  }

  /// Runs `change` in the background.
  func write(
    _ what: String, about subject: CacheSubject, _ change: @escaping @Sendable (Database) throws -> Void
  ) {
    let activity = ledger.begin(what)
    // Ignore errors: the server sends the content again.
    write(about: subject, change) { _ in activity.end() }
  }

  /// Runs `change` in the background, then calls `then` with its result, or nil on failure.
  func write<Value: Sendable>(
    about subject: CacheSubject, _ change: @escaping @Sendable (Database) throws -> Value,
    then: @escaping @Sendable (Value?) -> Void
  ) {
    guard !isClosed else { return then(nil) }
    unwritten.withLock { $0[subject, default: 0] += 1 }
    queue.asyncWrite(change) { [weak self] _, result in
      self?.unwritten.withLock { unwritten in
        if let count = unwritten[subject] { unwritten[subject] = count > 1 ? count - 1 : nil }
      }
      switch result {
      case .failure(let error): self?.damage.note(error)
      case .success: self?.index.wake()
      }
      then(try? result.get())
    }
  }

  /// Reads from the file at once. If a pending write concerns `subjects`, first waits for all pending writes. Returns
  /// nil if the file can't be read.
  func read<Value>(after subjects: Set<CacheSubject> = [], _ body: (Database) throws -> Value) -> Value? {
    do {
      return try connection(after: subjects).snapshot(body)
    } catch {
      damage.note(error)
      return nil
    }
  }

  /// Reads from the file in the background, after pending writes that concern `subjects`. Calls `then` with the result,
  /// or nil if the file can't be read. A short read (`isShort`) can run on the main connection, where blocking reads
  /// may have to wait for it.
  func fetch<Value: Sendable>(
    _ what: String, after subjects: Set<CacheSubject>, isShort: Bool = false,
    _ body: @escaping @Sendable (Database) throws -> Value,
    then: @escaping @MainActor @Sendable (Value?) -> Void
  ) {
    let activity = ledger.begin(what)
    let finish: @Sendable (Value?) -> Void = { value in
      Task { @MainActor in
        then(value)
        activity.end()
      }
    }
    do {
      try connection(after: subjects, isSoon: isShort).asyncUnsafeRead { [weak self] database in
        let value = Result { try database.get().snapshot(body) }
        if case .failure(let error) = value { self?.damage.note(error) }
        finish(try? value.get())
      }
    } catch {
      damage.note(error)
      finish(nil)
    }
  }

  private var isClosed: Bool { reader.withLock { $0.isClosed } }
  private static var closed: DatabaseError { DatabaseError(resultCode: .SQLITE_MISUSE, message: "the cache is closed") }

  /// Returns whether a write is pending that concerns the rows of this timeline, or the content of rows in any
  /// timeline.
  public func isSaving(_ name: TimelineName) -> Bool {
    unwritten.withLock { $0[.timeline(name)] != nil || $0[.content] != nil }
  }

  /// Returns the connection to read from. `isSoon` means that the read is short, or that its caller waits for the
  /// result.
  private func connection(after subjects: Set<CacheSubject>, isSoon: Bool = true) throws -> DatabaseQueue {
    // Reading from a closed connection would crash, because GRDB dereferences a null pointer.
    guard !isClosed else { throw Self.closed }
    let isFree = unwritten.withLock { unwritten in
      (isSoon && unwritten.isEmpty) || subjects.contains { unwritten[$0] != nil }
    }
    guard let directory, !isFree else { return queue }
    return try reader.withLock { reader in
      guard !reader.isClosed else { throw Self.closed }
      if let opened = reader.queue { return opened }
      let opened = try CacheDatabase.openReader(directory: directory)
      reader.queue = opened
      return opened
    }
  }

  /// Sets a handler that is called with a message if the file seems to be corrupt: at most once for the file, and at
  /// most once for its search index. A single failed read can look like corruption, so the next start checks the file
  /// and replaces it if necessary.
  public func onDamage(_ tell: @escaping @MainActor @Sendable (String) -> Void) {
    damage.onDamage(tell)
  }

  /// Runs `change` on a timeline in the background.
  private func change(
    _ name: TimelineName, _ what: String, _ change: @escaping @Sendable (CachedTimeline) throws -> Void
  ) {
    let now = clock.now.timeIntervalSince1970
    write(what, about: .timeline(name)) { try change(CachedTimeline(name: name.key, database: $0, now: now)) }
  }

  static func cached(_ page: Page<Qwink>) -> Page<CachedElement> {
    let hasSources = page.sources.count == page.items.count
    var index = -1
    return page.map { qwink in
      index += 1
      return CachedElement(
        qwink, source: hasSources ? page.sources[index] : nil, isChanged: page.changed.contains(index))
    }
  }
}

extension CachedElement {
  /// Creates an element. `source` is the server's JSON; if nil, the qwink is encoded. `isChanged` is true if the qwink
  /// has changed since the server sent the JSON. If only the user's reactions have changed, they become an overlay.
  /// Other changes are merged into the JSON.
  init(_ qwink: Qwink, source: [UInt8]?, isChanged: Bool = false) {
    self.init(
      key: Self.key(of: qwink.rowID), statusID: qwink.id.rawValue, originalID: qwink.originalID.rawValue,
      source: Data(source ?? WireEncoder.qwink(qwink)))
    guard isChanged, let source, let received = try? WireDecoder.qwink(from: source) else { return }
    let reactions = ReactionOverlay(qwink)
    if reactions.applied(to: received) == qwink {
      overlay = reactions.json
    } else {
      self.source = Data(WireEncoder.update(source, of: received, to: qwink))
    }
  }

  static func key(of row: Qwink.RowID) -> String {
    "\(row.status.rawValue)\(separator)\(row.booster?.rawValue ?? "")"
  }

  /// Returns the row with the given key.
  static func row(ofKey key: String) -> Qwink.RowID {
    let parts = key.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
    let booster = parts.count > 1 ? String(parts[1]) : ""
    return Qwink.RowID(
      status: Qwink.ID(String(parts.first ?? "")), booster: booster.isEmpty ? nil : Qwinker.ID(booster))
  }

  private static let separator: Character = "\u{1F}"
}
