import Foundation
import GRDB
public import QwinkleModel
import QwinkleWire
public import Timekeeping

/// A piece of a timeline that was kept.
public struct KeptRows: Sendable {
  public var rows: [Timeline.Row] = []
  /// How many rows were looked at, with those that cannot be read any more.
  public var count = 0
  /// Whether more rows are kept after these.
  public var hasMore = false
  /// The way to what is older than the last row kept.
  public var older: PageCursor?
}

/// What one account's timelines looked like, for the next start and for times without a network. Rows are kept as the
/// JSON that the server wrote, and read again as any answer is: a new field needs no migration.
///
/// Reading is done at once, by whoever asks; writing goes to a queue of its own and is entered in the ledger.
public final class TimelineCache: Sendable {
  /// A row to keep.
  public struct Row: Sendable {
    /// The JSON of a qwink; nil for a gap.
    let source: [UInt8]?
    let gapCursor: String?
    /// What tells it apart, for updates and removals.
    let key: String?
    let statusID: String?
    let originalID: String?

    /// `source` is the item as the server wrote it; without one the qwink is written anew.
    public init(_ row: Timeline.Row, source: [UInt8]? = nil) {
      switch row {
      case .gap(let cursor):
        self.init(source: nil, gapCursor: cursor.url, qwink: nil)
      case .qwink(let qwink):
        self.init(source: source ?? WireEncoder.qwink(qwink), gapCursor: nil, qwink: qwink)
      }
    }

    private init(source: [UInt8]?, gapCursor: String?, qwink: Qwink?) {
      self.source = source
      self.gapCursor = gapCursor
      self.key = qwink.map { Self.key(of: $0.rowID) }
      self.statusID = qwink?.id.rawValue
      self.originalID = qwink?.originalID.rawValue
    }

    static func key(of row: Qwink.RowID) -> String {
      "\(row.status.rawValue)\u{1F}\(row.booster?.rawValue ?? "")"
    }
  }

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

  /// Rows of a timeline as they were kept, from the `offset`-th on, newest first. What cannot be read any more is left
  /// out, and so is everything where the file cannot be read: the network will bring it again.
  public func load(_ name: TimelineName, offset: Int, limit: Int) -> KeptRows {
    let kept = try? queue.read { database in
      let rows = try GRDB.Row.fetchAll(
        database, sql: "SELECT source, gap FROM row WHERE timeline = ? ORDER BY position DESC LIMIT ? OFFSET ?",
        arguments: [name.key, limit + 1, offset])
      let older = try String.fetchOne(
        database, sql: "SELECT older FROM timeline WHERE name = ?", arguments: [name.key])
      return KeptRows(
        rows: rows.prefix(limit).compactMap(Self.decode), count: min(rows.count, limit), hasMore: rows.count > limit,
        older: older.map { PageCursor(url: $0) })
    }
    return kept ?? KeptRows()
  }

  /// How many rows are kept above a row; nil where it is not kept.
  public func offset(of row: Qwink.RowID, in name: TimelineName) -> Int? {
    let count = try? queue.read { database in
      try Int.fetchOne(
        database,
        sql: """
          SELECT count(*) FROM row WHERE timeline = ? AND position >
            (SELECT position FROM row WHERE timeline = ? AND key = ?)
          """, arguments: [name.key, name.key, Row.key(of: row)]
      )
      .flatMap { count in
        let isKept = try Bool.fetchOne(
          database, sql: "SELECT 1 FROM row WHERE timeline = ? AND key = ?", arguments: [name.key, Row.key(of: row)])
        return isKept == true ? count : nil
      }
    }
    return count ?? nil
  }

  /// Keeps rows that came on top. Those that are `gone` are kept no longer, and what is kept already stands only on top.
  public func prepend(_ rows: [Row], to name: TimelineName, insteadOf gone: [Qwink.RowID] = []) {
    let goneKeys = Set(gone.map(Row.key(of:)) + rows.compactMap(\.key))
    write("keep newer rows") { database in
      for key in goneKeys {
        try database.execute(sql: "DELETE FROM row WHERE timeline = ? AND key = ?", arguments: [name.key, key])
      }
      let top = try Int.fetchOne(
        database, sql: "SELECT max(position) FROM row WHERE timeline = ?", arguments: [name.key])
      try Self.insert(rows, in: name, from: (top ?? 0) + rows.count, into: database)
    }
  }

  /// Keeps rows that came at the end, and the way on from there.
  public func append(_ rows: [Row], to name: TimelineName, older: PageCursor?) {
    write("keep older rows") { database in
      let bottom = try Int.fetchOne(
        database, sql: "SELECT min(position) FROM row WHERE timeline = ?", arguments: [name.key])
      try Self.insert(rows, in: name, from: (bottom ?? 1) - 1, into: database)
      try Self.setOlder(older, of: name, in: database)
    }
  }

  /// Keeps rows in place of a gap. Those above it make room.
  public func fillGap(_ cursor: PageCursor, with rows: [Row], in name: TimelineName) {
    write("fill a gap") { database in
      let position = try Int.fetchOne(
        database, sql: "SELECT position FROM row WHERE timeline = ? AND gap = ?", arguments: [name.key, cursor.url])
      guard let position else { return }
      // In two steps, by way of positions that nothing has: a position is unique at every moment.
      let far = 1 << 40
      try database.execute(
        sql: "UPDATE row SET position = position + ? WHERE timeline = ? AND position > ?",
        arguments: [far, name.key, position])
      try database.execute(
        sql: "UPDATE row SET position = position - ? WHERE timeline = ? AND position > ?",
        arguments: [far - rows.count, name.key, far / 2])
      try database.execute(
        sql: "DELETE FROM row WHERE timeline = ? AND position = ?", arguments: [name.key, position])
      try Self.insert(rows, in: name, from: position + rows.count, into: database)
    }
  }

  /// Keeps these rows instead of all that were kept.
  public func replace(_ rows: [Row], of name: TimelineName, older: PageCursor?) {
    write("keep a timeline") { database in
      try database.execute(sql: "DELETE FROM row WHERE timeline = ?", arguments: [name.key])
      try Self.insert(rows, in: name, from: rows.count, into: database)
      try Self.setOlder(older, of: name, in: database)
    }
  }

  /// Keeps the newer state of a row, in every timeline that has it.
  public func update(_ rows: [Row]) {
    write("keep newer states") { database in
      for row in rows {
        try database.execute(
          sql: "UPDATE row SET source = ? WHERE key = ?", arguments: [row.source.map { Data($0) }, row.key])
      }
    }
  }

  /// Keeps newer states in place of rows that had another id.
  public func replace(_ rows: [(old: Qwink.RowID, new: Row)]) {
    write("keep edited rows") { database in
      for (old, new) in rows {
        try database.execute(
          sql: "UPDATE OR REPLACE row SET source = ?, key = ?, status = ?, original = ? WHERE key = ?",
          arguments: [new.source.map { Data($0) }, new.key, new.statusID, new.originalID, Row.key(of: old)])
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

  /// Waits for what is being written and closes the file, so that the next start finds it in order. Nothing is kept after that.
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

  private static func insert(_ rows: [Row], in name: TimelineName, from top: Int, into database: Database) throws {
    let statement = try database.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO row (timeline, position, key, status, original, source, gap) VALUES (?, ?, ?, ?, ?, ?, ?)
        """)
    for (index, row) in rows.enumerated() {
      try statement.execute(arguments: [
        name.key, top - index, row.key, row.statusID, row.originalID, row.source.map { Data($0) }, row.gapCursor,
      ])
    }
  }

  private static func setOlder(_ cursor: PageCursor?, of name: TimelineName, in database: Database) throws {
    try database.execute(
      sql: "INSERT OR REPLACE INTO timeline (name, older) VALUES (?, ?)", arguments: [name.key, cursor?.url])
  }

  private static func decode(_ row: GRDB.Row) -> Timeline.Row? {
    if let cursor = row["gap"] as String? { return .gap(PageCursor(url: cursor)) }
    guard let source = row["source"] as Data?, let qwink = try? WireDecoder.qwink(from: [UInt8](source)) else {
      return nil
    }
    return .qwink(qwink)
  }
}
