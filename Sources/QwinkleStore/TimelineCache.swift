import Foundation
import GRDB
public import QwinkleModel
import QwinkleWire
import Synchronization
public import Timekeeping

/// A slice of a cached timeline.
public struct KeptRows: Sendable {
  public var rows: [Timeline.Row] = []
  /// Whether more rows are cached after these.
  public var hasMore = false
  /// Leads to rows older than the last one cached.
  public var older: PageCursor?
  /// Whether these are known to follow the rows they were requested after. Another program may have replaced the list.
  public var isAdjacent = true
}

/// What is written or read in the background.
enum CacheSubject: Hashable, Sendable {
  /// The rows of a timeline.
  case timeline(TimelineName)
  /// The content of rows, whichever timelines have them.
  case content
  case conversations
  case notifications
  case limits
}

/// A cache of one account's timelines, for the next start and for times without a network. Rows are stored as the
/// server's JSON and decoded like any response, so a new field needs no migration.
///
/// A page is merged with the file's current rows: several programs can write the same file, and a failed write leaves a
/// list that is older but correct.
///
/// Writes run on a queue of their own and are entered in the ledger. A read that blocks the caller waits for none of
/// them: while one runs, it uses a connection of its own and finds the file as it was before.
public final class TimelineCache: Sendable {
  /// A row to cache.
  public struct Row: Sendable {
    let row: PagedRow<KeptElement>

    /// `source` is the server's JSON; if nil, the qwink is encoded again.
    public init(_ row: Timeline.Row, source: [UInt8]? = nil) {
      switch row {
      case .gap(let cursor): self.row = .gap(cursor)
      case .item(let qwink): self.row = .item(KeptElement(qwink, source: source))
      }
    }
  }

  struct Reader {
    var queue: DatabaseQueue?
    var isClosed = false
  }

  /// A sentence about damage found on opening; nil if there was none.
  public let remark: String?

  /// The database, shared with the account's other caches.
  let queue: DatabaseQueue
  private let damage: CacheDamage
  /// Reads while ``queue`` writes. Opened at the first use: a start needs only one connection.
  let reader = Mutex(Reader())
  /// How many writes have been requested and not finished, by what they are about.
  private let unwritten = Mutex<[CacheSubject: Int]>([:])
  private let directory: String
  let ledger: ActivityLedger
  let clock: any ProgramClock
  /// The index of what is cached.
  let index: SearchIndex

  /// Opens `directory`/cache.sqlite, creating what is missing. A damaged file is set aside and replaced; so is one that
  /// a program found damaged while it ran.
  ///
  /// - Throws: ``StoreError`` if nothing can be cached there. The program can go on without.
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

  /// Whether something is cached in `directory`.
  public static func exists(in directory: String) -> Bool { CacheDatabase.exists(in: directory) }

  /// Cached rows, newest first: the first ones, or those after `rows`. Rows that can't be decoded any more are left
  /// out. If the file can't be read, the result is empty: the network will bring everything again.
  public func load(_ name: TimelineName, after rows: [Timeline.Row] = [], limit: Int) -> KeptRows {
    read { try KeptTimeline(name: name.key, database: $0, now: 0).rows(after: rows, limit: limit) } ?? KeptRows()
  }

  /// Saves a timeline's first page.
  public func mergeNewest(_ page: Page<Qwink>, in name: TimelineName) {
    let page = Self.kept(page)
    change(name, "save newer rows") { try $0.mergeNewest(page) }
  }

  /// Saves the page that `cursor` led to, from a gap or from the end.
  public func merge(_ page: Page<Qwink>, at cursor: PageCursor, in name: TimelineName) {
    let page = Self.kept(page)
    change(name, "save a page") { try $0.merge(page, at: cursor) }
  }

  /// Saves a page that fills a gap from below.
  public func mergeUpwards(_ page: Page<Qwink>, at cursor: PageCursor, in name: TimelineName) {
    let page = Self.kept(page)
    change(name, "save a page") { try $0.mergeUpwards(page, at: cursor) }
  }

  /// Adds one of the user's own qwinks on top.
  public func insertOwn(_ qwink: Qwink, in name: TimelineName) {
    let element = KeptElement(qwink, source: nil)
    change(name, "save an own post") { try $0.insertOwn(element) }
  }

  /// Replaces all cached rows of a timeline.
  public func replace(_ rows: [Row], of name: TimelineName, older: PageCursor?) {
    change(name, "save a timeline") { try $0.replace(rows.map(\.row), older: older) }
  }

  /// Saves the newer state of a qwink, in its own row and in those of its boosts, in every timeline.
  public func update(_ qwink: Qwink) {
    write("save a newer state", about: .content) { database in
      try KeptContent(database).update(qwink.originalID) { $0.updated(by: qwink) }
    }
  }

  /// The same for a qwink that has another id now.
  public func replace(_ id: Qwink.ID, by qwink: Qwink) {
    write("save an edited qwink", about: .content) { database in
      try KeptContent(database).update(id) { $0.replaced(id, by: qwink) }
    }
  }

  /// Removes a qwink and its boosts.
  public func remove(_ id: Qwink.ID) {
    write("delete a qwink", about: .content) { try KeptContent($0).remove(id.rawValue) }
  }

  /// Waits until everything requested so far is on disk.
  public func flush() {
    queue.writeWithoutTransaction { _ in }
  }

  /// Waits for pending writes and closes the file, so that the next start finds it in order. Later writes are lost, and
  /// later reads fail. Call it on the thread that reads.
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
    // Nobody needs to know that the cache can't be written: the next start fetches again.
    write(about: subject, change) { _ in activity.end() }
  }

  /// Runs `change` in the background, then `then` with its result; nil if it failed.
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

  /// Reads from the file at once. Only writes about one of `subjects` are waited for. Returns nil if the file can't be
  /// read.
  func read<Value>(after subjects: Set<CacheSubject> = [], _ body: (Database) throws -> Value) -> Value? {
    do {
      return try connection(after: subjects).read(body)
    } catch {
      damage.note(error)
      return nil
    }
  }

  /// Reads from the file in the background, after writes about one of `subjects`; then calls `then` with the result,
  /// nil if the file can't be read. `isShort`: a read that blocks its caller may wait for this one.
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
      try connection(after: subjects, isSoon: isShort).asyncRead { [weak self] database in
        let value = Result { try body(database.get()) }
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

  /// Whether something about a timeline is being written.
  public func isSaving(_ name: TimelineName) -> Bool {
    unwritten.withLock { $0[.timeline(name)] != nil || $0[.content] != nil }
  }

  /// The connection to read from. `isSoon`: the read is short, or its caller waits for the result.
  private func connection(after subjects: Set<CacheSubject>, isSoon: Bool = true) throws -> DatabaseQueue {
    // GRDB dereferences a null pointer if a closed connection is read from.
    guard !isClosed else { throw Self.closed }
    let isFree = unwritten.withLock { unwritten in
      (isSoon && unwritten.isEmpty) || subjects.contains { unwritten[$0] != nil }
    }
    if isFree { return queue }
    return try reader.withLock { reader in
      guard !reader.isClosed else { throw Self.closed }
      if let opened = reader.queue { return opened }
      let opened = try CacheDatabase.openReader(directory: directory)
      reader.queue = opened
      return opened
    }
  }

  /// Calls `tell` with a sentence, once, if the file turns out to be damaged. The next start checks it, and replaces it
  /// if need be: a single failed read can look like damage.
  public func onDamage(_ tell: @escaping @MainActor @Sendable (String) -> Void) {
    damage.onDamage(tell)
  }

  /// Runs `change` on a timeline in the background.
  private func change(
    _ name: TimelineName, _ what: String, _ change: @escaping @Sendable (KeptTimeline) throws -> Void
  ) {
    let now = clock.now.timeIntervalSince1970
    write(what, about: .timeline(name)) { try change(KeptTimeline(name: name.key, database: $0, now: now)) }
  }

  static func kept(_ page: Page<Qwink>) -> Page<KeptElement> {
    let sources = page.sources.count == page.items.count ? page.sources : []
    var index = -1
    return page.map { qwink in
      index += 1
      // Items changed since they were received have no source.
      return KeptElement(qwink, source: sources.isEmpty || sources[index].isEmpty ? nil : sources[index])
    }
  }
}

extension KeptElement {
  /// `source` is the server's JSON; if nil, the qwink is encoded again.
  init(_ qwink: Qwink, source: [UInt8]?) {
    self.init(
      key: Self.key(of: qwink.rowID), statusID: qwink.id.rawValue, originalID: qwink.originalID.rawValue,
      source: Data(source ?? WireEncoder.qwink(qwink)))
  }

  static func key(of row: Qwink.RowID) -> String {
    "\(row.status.rawValue)\(separator)\(row.booster?.rawValue ?? "")"
  }

  /// The row with a key.
  static func row(ofKey key: String) -> Qwink.RowID {
    let parts = key.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
    let booster = parts.count > 1 ? String(parts[1]) : ""
    return Qwink.RowID(
      status: Qwink.ID(String(parts.first ?? "")), booster: booster.isEmpty ? nil : Qwinker.ID(booster))
  }

  private static let separator: Character = "\u{1F}"
}
