import Foundation
import GRDB
import QwinkleModel

/// A timeline row as stored in the file.
struct KeptElement: PagedElement {
  /// Identifies the row for updates and removals.
  var key: String
  var statusID: String?
  var originalID: String?
  /// The qwink's JSON; nil for a row read from the file, which has that already.
  var source: Data?

  var rowID: String { key }
}

/// One timeline in the file, within a transaction. Pages are merged with the stored rows by the same rules as with the
/// shown ones. So the stored list is correct by itself, whatever another program has written or failed to write
/// meanwhile.
struct KeptTimeline {
  typealias Row = PagedRow<KeptElement>

  struct Entry {
    var position: Int
    var row: Row
  }

  /// Distance between the positions of neighbours, so that rows fit in between.
  private static let spacing = 1 << 36
  /// The same where rows fill a gap.
  private static let smallSpacing = 1 << 18
  /// Offset that moves rows out of the way.
  private static let far = 1 << 61

  let name: String
  let database: Database
  /// Seconds since 1970, noted with new content.
  let now: Double

  // MARK: Pages

  func mergeNewest(_ page: Page<KeptElement>) throws {
    let found = try positions(of: page).min()
    let bottom = try gap(rightBelow: found) ?? found
    let entries = try bottom.map { try self.entries(from: $0, to: nil) } ?? []
    let hasRest = try hasRows(below: bottom)
    var list = PagedRows<KeptElement>()
    _ = list.appendKept(entries.map(\.row), older: try older(), hasMore: hasRest)
    // A list that the server is still building doesn't show what is missing further down either.
    if page.isPartial, hasRest || !entries.isEmpty { return try save(page.items) }
    _ = list.mergeNewest(page)
    try keep(list, over: entries, hadRest: hasRest)
    try save(page.items)
  }

  /// Merges the page that `cursor` led to, if a gap or the end of the stored list has that cursor.
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
    try save(page.items)
  }

  /// Merges a page that fills a gap from below.
  func mergeUpwards(_ page: Page<KeptElement>, at cursor: PageCursor) throws {
    guard let gap = try position(ofGap: cursor) else { return }
    let top = try position(above: max(gap, try positions(of: page).max() ?? gap))
    let entries = try entries(from: try position(below: gap, count: 2), to: top)
    let hasRest = try hasRows(below: entries.last?.position)
    var list = PagedRows<KeptElement>()
    _ = list.appendKept(entries.map(\.row), older: try older(), hasMore: hasRest)
    _ = list.fillGapUpwards(cursor, with: page)
    try keep(list, over: entries, hadRest: hasRest, isUpwards: true)
    try save(page.items)
  }

  /// Adds a row of the user's own on top, unless it is already stored.
  func insertOwn(_ element: KeptElement) throws {
    guard try position(of: element.key) == nil else { return }
    try insert([.item(element)], between: nil, and: try top())
    try save([element])
  }

  /// Adds a row between two positions that are next to each other; nil is an end of the list.
  func insertStreamed(_ element: KeptElement, between above: Int?, and below: Int?) throws {
    try insert([.item(element)], between: above, and: below)
    try save([element])
  }

  /// Replaces all stored rows.
  func replace(_ rows: [Row], older: PageCursor?) throws {
    try database.execute(sql: "DELETE FROM row WHERE timeline = ?", arguments: [name])
    try insert(rows, between: nil, and: nil)
    try save(rows.compactMap(\.item))
    try setOlder(older)
  }

  /// Makes one of gaps without a row between them, and the older end of one without a row below it, as a list in memory
  /// does (see ``PagedRows``).
  func mergeGaps() throws {
    let gaps = try Int.fetchAll(
      database,
      sql: "SELECT position FROM row WHERE timeline = ? AND gap IS NOT NULL ORDER BY position DESC", arguments: [name])
    var upper: Int?
    for gap in gaps {
      let isNext = try upper.map { try isNothing(below: $0, above: gap) } ?? false
      if isNext { try deleteRow(at: gap) } else { upper = gap }
    }
    if let upper, try isNothing(below: upper, above: Int.min),
      let cursor = try String.fetchOne(
        database, sql: "SELECT gap FROM row WHERE timeline = ? AND position = ?", arguments: [name, upper])
    {
      try deleteRow(at: upper)
      try setOlder(PageCursor(url: cursor))
    }
  }

  private func isNothing(below upper: Int, above lower: Int) throws -> Bool {
    try Int.fetchOne(
      database, sql: "SELECT 1 FROM row WHERE timeline = ? AND position < ? AND position > ? LIMIT 1",
      arguments: [name, upper, lower]) == nil
  }

  private func deleteRow(at position: Int) throws {
    try database.execute(sql: "DELETE FROM row WHERE timeline = ? AND position = ?", arguments: [name, position])
  }

  // MARK: Positions

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

  /// The position of the row below `position`, or of the first row if that is nil, if it is a gap. A page that reaches
  /// down to this gap may leave one of its own in its place.
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

  /// The position of the row above; `position` if it is the first row.
  private func position(above position: Int) throws -> Int {
    try Int.fetchOne(
      database, sql: "SELECT min(position) FROM row WHERE timeline = ? AND position > ?", arguments: [name, position])
      ?? position
  }

  /// The position of the row `count` rows below, or of the last row.
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
        SELECT position, key, gap FROM row
        WHERE timeline = ? AND position >= ? AND position <= ? ORDER BY position DESC
        """, arguments: [name, bottom ?? Int.min, top ?? Int.max]
    ).map { row in
      if let cursor = row["gap"] as String? {
        return Entry(position: row["position"], row: .gap(PageCursor(url: cursor)))
      }
      return Entry(position: row["position"], row: .item(KeptElement(key: row["key"])))
    }
  }

  // MARK: Writing

  /// Replaces `entries` with the rows of `list`, and saves its cursor to older ones.
  private func keep(
    _ list: PagedRows<KeptElement>, over entries: [Entry], hadRest: Bool, isUpwards: Bool = false
  ) throws {
    if hadRest, !list.hasMoreKept {
      try database.execute(
        sql: "DELETE FROM row WHERE timeline = ? AND position < ?",
        arguments: [name, entries.last?.position ?? Int.max])
    }
    try replace(entries, by: list.knownRows, hasRest: list.hasMoreKept, isUpwards: isUpwards)
    if !list.hasMoreKept { try setOlder(list.older) }
  }

  private func replace(_ entries: [Entry], by rows: [Row], hasRest: Bool, isUpwards: Bool) throws {
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
    // The positions of the unchanged rows on both sides.
    let below =
      suffix > 0
      ? entries[entries.count - suffix].position
      : try next(below: entries.last?.position, in: entries, hasRest: hasRest)
    // With no entries to replace and rows below, the new rows go on top.
    let isOnTop = entries.isEmpty && hasRest
    let above = prefix > 0 ? entries[prefix - 1].position : isOnTop ? nil : try next(above: entries.first?.position)
    try insert(new, between: above, and: below, isUpwards: isUpwards)
  }

  /// The position right below the entries; nil if there is none.
  private func next(below position: Int?, in entries: [Entry], hasRest: Bool) throws -> Int? {
    guard hasRest else { return nil }
    return try Int.fetchOne(
      database, sql: "SELECT max(position) FROM row WHERE timeline = ? AND position < ?",
      arguments: [name, position ?? Int.max])
  }

  /// The position right above the entries. Without entries it is the last row's, since new rows go below that.
  private func next(above position: Int?) throws -> Int? {
    guard let position else {
      return try Int.fetchOne(database, sql: "SELECT min(position) FROM row WHERE timeline = ?", arguments: [name])
    }
    return try Int.fetchOne(
      database, sql: "SELECT min(position) FROM row WHERE timeline = ? AND position > ?", arguments: [name, position])
  }

  /// Inserts rows between the positions `above` and `below`; nil is an end of the list. Without room, all rows move
  /// apart.
  private func insert(_ rows: [Row], between above: Int?, and below: Int?, isUpwards: Bool = false) throws {
    guard !rows.isEmpty else { return }
    var top = 0
    var step = Self.spacing
    switch (above, below) {
    case (let above?, let below?):
      // Small steps from the side that the next page will follow on leave room for it.
      step = min((above - below) / (rows.count + 1), Self.smallSpacing)
      guard step > 0 else {
        let moved = try spread()
        return try insert(rows, between: moved[above], and: moved[below], isUpwards: isUpwards)
      }
      top = isUpwards ? below + step * rows.count : above - step
    case (let above?, nil): top = above - step
    case (nil, let below): top = (below ?? 0) + step * rows.count
    }
    let statement = try database.cachedStatement(
      sql: "INSERT INTO row (timeline, position, key, gap) VALUES (?, ?, ?, ?)")
    for (index, row) in rows.enumerated() {
      try statement.execute(arguments: [name, top - index * step, row.item?.key, row.cursor?.url])
    }
  }

  /// Moves all rows apart. Returns the new position of each old one.
  private func spread() throws -> [Int: Int] {
    let old = try Int.fetchAll(
      database, sql: "SELECT position FROM row WHERE timeline = ? ORDER BY position", arguments: [name])
    // Positions must be unique at every moment, so all rows move out of the way first.
    try database.execute(
      sql: "UPDATE row SET position = position - ? WHERE timeline = ?", arguments: [Self.far, name])
    let statement = try database.cachedStatement(
      sql: "UPDATE row SET position = ? WHERE timeline = ? AND position = ?")
    var moved: [Int: Int] = [:]
    for (index, position) in old.enumerated() {
      moved[position] = (index + 1) * Self.spacing
      try statement.execute(arguments: [(index + 1) * Self.spacing, name, position - Self.far])
    }
    return moved
  }

  /// Saves what a server sent, for every timeline.
  private func save(_ items: [KeptElement]) throws {
    for item in items { try KeptContent(database).save(item, at: now) }
  }

  private func setOlder(_ cursor: PageCursor?) throws {
    try database.execute(
      sql: "INSERT OR REPLACE INTO timeline (name, older) VALUES (?, ?)", arguments: [name, cursor?.url])
  }

  private static func isSame(_ one: Row, _ other: Row) -> Bool {
    one.cursor == other.cursor && one.item?.key == other.item?.key
  }
}
