import Foundation
import GRDB
public import QwinkleModel
import QwinkleWire
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

/// A cache of one account's timelines, for the next start and for times without a network. Rows are stored as the
/// server's JSON and decoded like any response, so a new field needs no migration.
///
/// A page is merged with the file's current rows: several programs can write the same file, and a failed write leaves a
/// list that is older but correct.
///
/// Reads block the caller; writes run on a queue of their own and are entered in the ledger.
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

  /// Maximum number of rows in memory that are looked up in the file.
  private static let mostAnchors = 200

  /// A sentence about damage found on opening; nil if there was none.
  public let remark: String?

  /// The database, shared with the account's other caches.
  let queue: DatabaseQueue
  private let damage: CacheDamage
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
    let kept = read { database in
      let timeline = KeptTimeline(name: name.key, database: database, now: 0)
      let start = try rows.isEmpty ? (position: Int.max, isLast: true) : Self.place(after: rows, in: timeline)
      // None of the known rows is cached any more, so what follows them is unknown.
      guard let start else { return KeptRows(older: try timeline.older(), isAdjacent: false) }
      let found = try GRDB.Row.fetchAll(
        database,
        sql: """
          SELECT source, gap FROM row LEFT JOIN qwink USING (key)
          WHERE timeline = ? AND position < ? ORDER BY position DESC LIMIT ?
          """, arguments: [name.key, start.position, limit + 1])
      return KeptRows(
        rows: found.prefix(limit).compactMap(Self.decode), hasMore: found.count > limit, older: try timeline.older(),
        isAdjacent: start.isLast)
    }
    return kept ?? KeptRows()
  }

  /// The number of cached rows after `rows` down to and including `row`; nil if it isn't cached there.
  public func count(after rows: [Timeline.Row], downTo row: Qwink.RowID, in name: TimelineName) -> Int? {
    let count = read { database -> Int? in
      let timeline = KeptTimeline(name: name.key, database: database, now: 0)
      guard let end = try timeline.position(of: KeptElement.key(of: row)),
        let start = try rows.isEmpty ? Int.max : Self.place(after: rows, in: timeline)?.position, end < start
      else { return nil }
      return try Int.fetchOne(
        database, sql: "SELECT count(*) FROM row WHERE timeline = ? AND position < ? AND position >= ?",
        arguments: [name.key, start, end])
    }
    return count ?? nil
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

  /// Saves newer states of rows, in every timeline that has them.
  public func update(_ rows: [Row]) {
    write("save newer states") { database in
      for item in rows.compactMap(\.row.item) { try KeptContent(database).update(item) }
    }
  }

  /// Saves newer states of rows whose ids have changed.
  public func replace(_ rows: [(old: Qwink.RowID, new: Row)]) {
    write("save edited rows") { database in
      for (old, new) in rows {
        guard let item = new.row.item else { continue }
        try KeptContent(database).replace(KeptElement.key(of: old), by: item)
      }
    }
  }

  /// Removes a qwink and its boosts.
  public func remove(_ id: Qwink.ID) {
    write("delete a qwink") { try KeptContent($0).remove(id.rawValue) }
  }

  /// Waits until everything requested so far is on disk.
  public func flush() {
    queue.writeWithoutTransaction { _ in }
  }

  /// Waits for pending writes and closes the file, so that the next start finds it in order. Later writes are lost.
  public func close() {
    flush()
    index.close()
    try? queue.close()
  }

  /// Runs `change` in the background.
  func write(_ what: String, _ change: @escaping @Sendable (Database) throws -> Void) {
    let activity = ledger.begin(what)
    // Nobody needs to know that the cache can't be written: the next start fetches again.
    write(change) { _ in activity.end() }
  }

  /// Runs `change` in the background, then `then` with its result; nil if it failed.
  func write<Value: Sendable>(
    _ change: @escaping @Sendable (Database) throws -> Value, then: @escaping @Sendable (Value?) -> Void
  ) {
    queue.asyncWrite(change) { [weak self] _, result in
      switch result {
      case .failure(let error): self?.damage.note(error)
      case .success: self?.index.wake()
      }
      then(try? result.get())
    }
  }

  /// Reads from the file, after what is being written. Returns nil if it can't be read.
  func read<Value>(_ body: (Database) throws -> Value) -> Value? {
    do {
      return try queue.read(body)
    } catch {
      damage.note(error)
      return nil
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
    write(what) { try change(KeptTimeline(name: name.key, database: $0, now: now)) }
  }

  /// The position of the lowest of `rows` in the file, and whether it is the last of them.
  private static func place(
    after rows: [Timeline.Row], in timeline: KeptTimeline
  ) throws -> (position: Int, isLast: Bool)? {
    var lowest: (position: Int, isLast: Bool)?
    for (number, row) in rows.reversed().prefix(mostAnchors).enumerated() {
      let position =
        switch row {
        case .item(let qwink): try timeline.position(of: KeptElement.key(of: qwink.rowID))
        case .gap(let cursor): try timeline.position(ofGap: cursor)
        }
      if let position, position < lowest?.position ?? Int.max { lowest = (position, number == 0) }
      // Rows further up are looked up only in case this one has moved.
      if number >= 8, lowest != nil { break }
    }
    return lowest
  }

  private static func kept(_ page: Page<Qwink>) -> Page<KeptElement> {
    let sources = page.sources.count == page.items.count ? page.sources : []
    var index = -1
    return page.map { qwink in
      index += 1
      // Items changed since they were received have no source.
      return KeptElement(qwink, source: sources.isEmpty || sources[index].isEmpty ? nil : sources[index])
    }
  }

  private static func decode(_ row: GRDB.Row) -> Timeline.Row? {
    if let cursor = row["gap"] as String? { return .gap(PageCursor(url: cursor)) }
    guard let source = row["source"] as Data?, let qwink = try? WireDecoder.qwink(from: [UInt8](source)) else {
      return nil
    }
    return .item(qwink)
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
    "\(row.status.rawValue)\u{1F}\(row.booster?.rawValue ?? "")"
  }
}
