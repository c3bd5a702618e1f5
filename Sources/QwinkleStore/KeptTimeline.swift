import Foundation
import GRDB
import QwinkleModel

/// A row of a timeline as the file has it.
struct KeptElement: PagedElement {
  /// What tells it apart, for updates and removals.
  var key: String
  var statusID: String?
  var originalID: String?
  /// The JSON of the qwink.
  var source: Data?

  var rowID: String { key }
}

/// One timeline in the file, in a transaction. Pages are laid over what is kept by the same rules as over what is
/// shown, so that what is kept is true by itself, whatever another program has written meanwhile and whatever could not
/// be written.
struct KeptTimeline {
  typealias Row = PagedRow<KeptElement>

  private struct Entry {
    var position: Int
    var row: Row
  }

  /// Moves rows out of the way: a position is unique at every moment.
  private static let far = 1 << 40

  let name: String
  let database: Database

  // MARK: Pages

  func mergeNewest(_ page: Page<KeptElement>) throws {
    let found = try positions(of: page).min()
    let bottom = try gap(rightBelow: found) ?? found
    let entries = try bottom.map { try self.entries(from: $0, to: nil) } ?? []
    let hasRest = try hasRows(below: bottom)
    var list = PagedRows<KeptElement>()
    _ = list.appendKept(entries.map(\.row), older: try older(), hasMore: hasRest)
    // A list that the server is still making says nothing of what is kept further down either.
    if page.isPartial, hasRest || !entries.isEmpty { return try update(page) }
    _ = list.mergeNewest(page)
    try keep(list, over: entries, hadRest: hasRest)
    try update(page)
  }

  /// Takes in the page that `cursor` led to, where a gap or the end of what is kept leads there too.
  func merge(_ page: Page<KeptElement>, at cursor: PageCursor) throws {
    let found = try positions(of: page)
    if let gap = try position(ofGap: cursor) {
      let lowest = min(gap, found.min() ?? gap)
      let entries = try entries(from: self.gap(rightBelow: lowest) ?? lowest, to: max(gap, found.max() ?? gap))
      let hasRest = try hasRows(below: entries.last?.position)
      var list = PagedRows<KeptElement>()
      _ = list.appendKept(entries.map(\.row), older: try older(), hasMore: hasRest)
      _ = list.fillGap(cursor, with: page)
      try keep(list, over: entries, hadRest: hasRest)
    } else if try older() == cursor {
      let entries = try found.max().map { try self.entries(from: nil, to: $0) } ?? []
      var list = PagedRows<KeptElement>()
      _ = list.appendKept(entries.map(\.row), older: cursor, hasMore: false)
      _ = list.appendOlder(page)
      try keep(list, over: entries, hadRest: false)
    }
    try update(page)
  }

  /// Takes in a page that fills a gap from below.
  func mergeUpwards(_ page: Page<KeptElement>, at cursor: PageCursor) throws {
    guard let gap = try position(ofGap: cursor) else { return }
    let top = try position(above: max(gap, try positions(of: page).max() ?? gap))
    let entries = try entries(from: try position(below: gap, count: 2), to: top)
    let hasRest = try hasRows(below: entries.last?.position)
    var list = PagedRows<KeptElement>()
    _ = list.appendKept(entries.map(\.row), older: try older(), hasMore: hasRest)
    _ = list.fillGapUpwards(cursor, with: page)
    try keep(list, over: entries, hadRest: hasRest)
    try update(page)
  }

  /// Puts a row of mine on top, where it is not kept yet.
  func insertOwn(_ element: KeptElement) throws {
    guard try position(of: element.key) == nil else { return }
    try insert([.item(element)], from: (try top() ?? 0) + 1)
  }

  /// Keeps these rows instead of all that were kept.
  func replace(_ rows: [Row], older: PageCursor?) throws {
    try database.execute(sql: "DELETE FROM row WHERE timeline = ?", arguments: [name])
    try insert(rows, from: rows.count)
    try setOlder(older)
  }

  // MARK: Places

  func older() throws -> PageCursor? {
    try String.fetchOne(database, sql: "SELECT older FROM timeline WHERE name = ?", arguments: [name])
      .map { PageCursor(url: $0) }
  }

  func position(of key: String) throws -> Int? {
    try Int.fetchOne(
      database, sql: "SELECT position FROM row WHERE key = ? AND timeline = ?", arguments: [key, name])
  }

  func position(ofGap cursor: PageCursor) throws -> Int? {
    try Int.fetchOne(
      database, sql: "SELECT max(position) FROM row WHERE timeline = ? AND gap = ?", arguments: [name, cursor.url])
  }

  /// The place of the row below `position`, or of the first row of all, where that is a gap. A page that reaches down
  /// to it may leave a gap of its own, which takes its place.
  private func gap(rightBelow position: Int?) throws -> Int? {
    try Int.fetchOne(
      database,
      sql: """
        SELECT position FROM row WHERE gap IS NOT NULL AND timeline = ?1 AND position =
        (SELECT max(position) FROM row WHERE timeline = ?1 AND position < ?2)
        """, arguments: [name, position ?? Int.max])
  }

  func hasRows(below position: Int?) throws -> Bool {
    try Bool.fetchOne(
      database, sql: "SELECT 1 FROM row WHERE timeline = ? AND position < ? LIMIT 1",
      arguments: [name, position ?? Int.max]) ?? false
  }

  private func top() throws -> Int? {
    try Int.fetchOne(database, sql: "SELECT max(position) FROM row WHERE timeline = ?", arguments: [name])
  }

  private func positions(of page: Page<KeptElement>) throws -> [Int] {
    try page.items.compactMap { try position(of: $0.key) }
  }

  /// The place of the row above one; its own where it is the first.
  private func position(above position: Int) throws -> Int {
    try Int.fetchOne(
      database, sql: "SELECT min(position) FROM row WHERE timeline = ? AND position > ?", arguments: [name, position])
      ?? position
  }

  /// The place of the row that stands `count` rows below one, or of the last.
  private func position(below position: Int, count: Int) throws -> Int {
    try Int.fetchAll(
      database, sql: "SELECT position FROM row WHERE timeline = ? AND position < ? ORDER BY position DESC LIMIT ?",
      arguments: [name, position, count]
    ).last ?? position
  }

  private func entries(from bottom: Int?, to top: Int?) throws -> [Entry] {
    try GRDB.Row.fetchAll(
      database,
      sql: """
        SELECT position, key, status, original, source, gap FROM row
        WHERE timeline = ? AND position >= ? AND position <= ? ORDER BY position DESC
        """, arguments: [name, bottom ?? Int.min, top ?? Int.max]
    ).map { row in
      if let cursor = row["gap"] as String? {
        return Entry(position: row["position"], row: .gap(PageCursor(url: cursor)))
      }
      let element = KeptElement(
        key: row["key"], statusID: row["status"], originalID: row["original"], source: row["source"])
      return Entry(position: row["position"], row: .item(element))
    }
  }

  // MARK: Writing

  /// Keeps the rows of `list` instead of `entries`, and what it says of the way on.
  private func keep(_ list: PagedRows<KeptElement>, over entries: [Entry], hadRest: Bool) throws {
    if hadRest, !list.hasMoreKept {
      try database.execute(
        sql: "DELETE FROM row WHERE timeline = ? AND position < ?",
        arguments: [name, entries.last?.position ?? Int.max])
    }
    try replace(entries, by: list.knownRows, hasRest: list.hasMoreKept)
    if !list.hasMoreKept { try setOlder(list.older) }
  }

  private func replace(_ entries: [Entry], by rows: [Row], hasRest: Bool) throws {
    let prefix = zip(entries, rows).prefix { Self.isSame($0.row, $1) }.count
    let most = min(entries.count, rows.count) - prefix
    let suffix = zip(entries.reversed(), rows.reversed()).prefix(most).prefix { Self.isSame($0.row, $1) }.count
    let old = entries[prefix..<(entries.count - suffix)]
    let new = Array(rows[prefix..<(rows.count - suffix)])
    guard !old.isEmpty || !new.isEmpty else { return }
    for entry in old {
      try database.execute(
        sql: "DELETE FROM row WHERE timeline = ? AND position = ?", arguments: [name, entry.position])
    }
    // The places next to what stays.
    let below =
      suffix > 0
      ? entries[entries.count - suffix].position
      : try next(below: entries.last?.position, in: entries, hasRest: hasRest)
    // Without rows looked at, and with others below, the page goes on top of all.
    let isOnTop = entries.isEmpty && hasRest
    let above = prefix > 0 ? entries[prefix - 1].position : isOnTop ? nil : try next(above: entries.first?.position)
    guard let below else {
      // At the end there is room.
      return try insert(new, from: (above ?? new.count + 1) - 1)
    }
    if let above, above - below - 1 < new.count { try makeRoom(new.count - (above - below - 1), from: above) }
    try insert(new, from: below + new.count)
  }

  /// The place right below the rows looked at; nil where nothing is.
  private func next(below position: Int?, in entries: [Entry], hasRest: Bool) throws -> Int? {
    guard hasRest else { return nil }
    return try Int.fetchOne(
      database, sql: "SELECT max(position) FROM row WHERE timeline = ? AND position < ?",
      arguments: [name, position ?? Int.max])
  }

  /// The place right above the rows looked at; where none were, the last one, as what comes goes below it.
  private func next(above position: Int?) throws -> Int? {
    guard let position else {
      return try Int.fetchOne(database, sql: "SELECT min(position) FROM row WHERE timeline = ?", arguments: [name])
    }
    return try Int.fetchOne(
      database, sql: "SELECT min(position) FROM row WHERE timeline = ? AND position > ?", arguments: [name, position])
  }

  /// Moves the rows from `position` on up.
  private func makeRoom(_ count: Int, from position: Int) throws {
    try database.execute(
      sql: "UPDATE row SET position = position + ? WHERE timeline = ? AND position >= ?",
      arguments: [Self.far, name, position])
    try database.execute(
      sql: "UPDATE row SET position = position - ? WHERE timeline = ? AND position >= ?",
      arguments: [Self.far - count, name, position + Self.far])
  }

  private func insert(_ rows: [Row], from top: Int) throws {
    let statement = try database.cachedStatement(
      sql: "INSERT INTO row (timeline, position, key, status, original, source, gap) VALUES (?, ?, ?, ?, ?, ?, ?)")
    for (index, row) in rows.enumerated() {
      let item = row.item
      try statement.execute(arguments: [
        name, top - index, item?.key, item?.statusID, item?.originalID, item?.source, row.cursor?.url,
      ])
    }
  }

  /// Keeps newer states of rows where they stand.
  private func update(_ page: Page<KeptElement>) throws {
    for item in page.items {
      try database.execute(
        sql: "UPDATE row SET source = ? WHERE key = ? AND timeline = ? AND source IS NOT ?",
        arguments: [item.source, item.key, name, item.source])
    }
  }

  private func setOlder(_ cursor: PageCursor?) throws {
    try database.execute(
      sql: "INSERT OR REPLACE INTO timeline (name, older) VALUES (?, ?)", arguments: [name, cursor?.url])
  }

  private static func isSame(_ one: Row, _ other: Row) -> Bool {
    one.cursor == other.cursor && one.item?.key == other.item?.key
  }
}
