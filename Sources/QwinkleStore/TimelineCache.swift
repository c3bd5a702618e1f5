import Foundation
import GRDB
public import QwinkleModel
import QwinkleWire
public import Timekeeping

/// A piece of a timeline that was kept.
public struct KeptRows: Sendable {
  public var rows: [Timeline.Row] = []
  /// Whether more rows are kept after these.
  public var hasMore = false
  /// The way to what is older than the last row kept.
  public var older: PageCursor?
  /// Whether these are known to follow the rows that they were asked for after. What was kept may have become another
  /// list, by another program's doing.
  public var isAdjacent = true
}

/// What one account's timelines looked like, for the next start and for times without a network. Rows are kept as the
/// JSON that the server wrote, and read again as any answer is: a new field needs no migration.
///
/// A page is laid over what is kept, as the file has it then: several programs can write the same file, and a write
/// that fails leaves a list that is older, but true.
///
/// Reading is done at once, by whoever asks; writing goes to a queue of its own and is entered in the ledger.
public final class TimelineCache: Sendable {
  /// A row to keep.
  public struct Row: Sendable {
    let row: PagedRow<KeptElement>

    /// `source` is the item as the server wrote it; without one the qwink is written anew.
    public init(_ row: Timeline.Row, source: [UInt8]? = nil) {
      switch row {
      case .gap(let cursor): self.row = .gap(cursor)
      case .item(let qwink): self.row = .item(KeptElement(qwink, source: source))
      }
    }
  }

  /// Which rows of memory are looked for in the file at most.
  private static let mostAnchors = 200

  /// The file, which other caches of the account share.
  let queue: DatabaseQueue
  private let ledger: ActivityLedger

  /// Opens `directory`/cache.sqlite, making what is missing. A damaged file is set aside and a new one made.
  ///
  /// - Throws: ``StoreError`` when nothing can be kept there. The program can go on without.
  public init(directory: String, ledger: ActivityLedger) throws(StoreError) {
    self.queue = try CacheDatabase.open(directory: directory)
    self.ledger = ledger
  }

  /// Rows of a timeline as they were kept, newest first: the first ones, or those that stand after `rows`. What cannot
  /// be read any more is left out, and so is everything where the file cannot be read: the network will bring it again.
  public func load(_ name: TimelineName, after rows: [Timeline.Row] = [], limit: Int) -> KeptRows {
    let kept = try? queue.read { database in
      let timeline = KeptTimeline(name: name.key, database: database)
      let start = try rows.isEmpty ? (position: Int.max, isLast: true) : Self.place(after: rows, in: timeline)
      // Nothing that was known is kept any more: nobody can say what follows.
      guard let start else { return KeptRows(older: try timeline.older(), isAdjacent: false) }
      let found = try GRDB.Row.fetchAll(
        database,
        sql: "SELECT source, gap FROM row WHERE timeline = ? AND position < ? ORDER BY position DESC LIMIT ?",
        arguments: [name.key, start.position, limit + 1])
      return KeptRows(
        rows: found.prefix(limit).compactMap(Self.decode), hasMore: found.count > limit, older: try timeline.older(),
        isAdjacent: start.isLast)
    }
    return kept ?? KeptRows()
  }

  /// How many rows are kept after `rows` down to `row`; nil where it is not kept there.
  public func count(after rows: [Timeline.Row], downTo row: Qwink.RowID, in name: TimelineName) -> Int? {
    let count = try? queue.read { database -> Int? in
      let timeline = KeptTimeline(name: name.key, database: database)
      guard let end = try timeline.position(of: KeptElement.key(of: row)),
        let start = try rows.isEmpty ? Int.max : Self.place(after: rows, in: timeline)?.position, end < start
      else { return nil }
      return try Int.fetchOne(
        database, sql: "SELECT count(*) FROM row WHERE timeline = ? AND position < ? AND position >= ?",
        arguments: [name.key, start, end])
    }
    return count ?? nil
  }

  /// Keeps the first page of a timeline.
  public func mergeNewest(_ page: Page<Qwink>, in name: TimelineName) {
    let page = Self.kept(page)
    write("keep newer rows") { try KeptTimeline(name: name.key, database: $0).mergeNewest(page) }
  }

  /// Keeps the page that `cursor` led to, from a gap or from the end.
  public func merge(_ page: Page<Qwink>, at cursor: PageCursor, in name: TimelineName) {
    let page = Self.kept(page)
    write("keep a page") { try KeptTimeline(name: name.key, database: $0).merge(page, at: cursor) }
  }

  /// Keeps a page that fills a gap from below.
  public func mergeUpwards(_ page: Page<Qwink>, at cursor: PageCursor, in name: TimelineName) {
    let page = Self.kept(page)
    write("keep a page") { try KeptTimeline(name: name.key, database: $0).mergeUpwards(page, at: cursor) }
  }

  /// Keeps a qwink of one's own on top.
  public func insertOwn(_ qwink: Qwink, in name: TimelineName) {
    let element = KeptElement(qwink, source: nil)
    write("keep one's own") { try KeptTimeline(name: name.key, database: $0).insertOwn(element) }
  }

  /// Keeps these rows instead of all that were kept.
  public func replace(_ rows: [Row], of name: TimelineName, older: PageCursor?) {
    write("keep a timeline") { try KeptTimeline(name: name.key, database: $0).replace(rows.map(\.row), older: older) }
  }

  /// Keeps the newer state of a row, in every timeline that has it.
  public func update(_ rows: [Row]) {
    write("keep newer states") { database in
      for row in rows {
        try database.execute(
          sql: "UPDATE row SET source = ? WHERE key = ?", arguments: [row.row.item?.source, row.row.item?.key])
      }
    }
  }

  /// Keeps newer states in place of rows that had another id.
  public func replace(_ rows: [(old: Qwink.RowID, new: Row)]) {
    write("keep edited rows") { database in
      for (old, new) in rows {
        guard let item = new.row.item else { continue }
        try database.execute(
          sql: "UPDATE OR REPLACE row SET source = ?, key = ?, status = ?, original = ? WHERE key = ?",
          arguments: [item.source, item.key, item.statusID, item.originalID, KeptElement.key(of: old)])
      }
    }
  }

  /// Forgets a qwink and its boosts.
  public func remove(_ id: Qwink.ID) {
    write("forget a qwink") { database in
      try database.execute(
        sql: "DELETE FROM row WHERE status = ? OR original = ?", arguments: [id.rawValue, id.rawValue])
    }
  }

  /// Returns once everything asked for so far is on disk.
  public func flush() {
    queue.writeWithoutTransaction { _ in }
  }

  /// Waits for what is being written and closes the file, so that the next start finds it in order. Nothing is kept
  /// after that.
  public func close() {
    flush()
    try? queue.close()
  }

  /// Has `change` done in the background.
  func write(_ what: String, _ change: @escaping @Sendable (Database) throws -> Void) {
    let activity = ledger.begin(what)
    // A cache that cannot be written is no reason to trouble anybody: the next start fetches again.
    queue.asyncWrite(change) { _, _ in activity.end() }
  }

  /// The place of the lowest of `rows` that is kept, and whether that is the last of them.
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
      // Rows further up are looked at only to find out whether this one has moved.
      if number >= 8, lowest != nil { break }
    }
    return lowest
  }

  private static func kept(_ page: Page<Qwink>) -> Page<KeptElement> {
    let sources = page.sources.count == page.items.count ? page.sources : []
    var kept = page.map { KeptElement($0, source: sources.isEmpty ? nil : []) }
    for (index, source) in sources.enumerated() {
      // What was changed on its way here has no source.
      kept.items[index].source = source.isEmpty ? KeptElement(page.items[index], source: nil).source : Data(source)
    }
    return kept
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
  /// `source` is the qwink as the server wrote it; without one it is written anew.
  init(_ qwink: Qwink, source: [UInt8]?) {
    self.init(
      key: Self.key(of: qwink.rowID), statusID: qwink.id.rawValue, originalID: qwink.originalID.rawValue,
      source: Data(source ?? WireEncoder.qwink(qwink)))
  }

  static func key(of row: Qwink.RowID) -> String {
    "\(row.status.rawValue)\u{1F}\(row.booster?.rawValue ?? "")"
  }
}
