import Databases
import Foundation
import GRDB
import QwinkleModel

/// A timeline row as stored in the file.
struct CachedElement: PagedElement {
  /// Identifies the row for updates and removals.
  var key: String
  var statusID: String?
  var originalID: String?
  /// The qwink's JSON. Nil for a row read from the file, where the JSON is already stored.
  var source: Data?
  /// The user's reactions, if they differ from the JSON. See ``ReactionOverlay``.
  var overlay: Data?

  var rowID: String { key }
}

/// A timeline in the file, within a transaction. Merges pages into the stored rows by the rules of ``PagedRows``. A
/// merge reads the stored rows again, so its result is correct even if another program has changed them or an earlier
/// write has failed.
struct CachedTimeline {
  typealias Row = PagedRow<CachedElement>

  struct Entry {
    var position: Int
    var row: Row
  }

  /// Distance between neighbouring positions, which leaves room for new rows.
  private static let spacing = 1 << 36
  /// Like ``spacing``, but for rows that fill a gap.
  private static let smallSpacing = 1 << 18
  /// Offset for moving rows out of the way temporarily.
  private static let far = 1 << 61

  let name: String
  let database: Database
  /// Fetch time of new content, in seconds since 1970.
  let now: Double

  // MARK: Pages

  /// Merges a page. `state` is the result of the list's earlier merges, and is updated.
  func merge(_ page: Page<CachedElement>, at place: PagePlace, _ state: inout MergeState<String>) throws {
    switch place {
    case .newest: try mergeNewest(page, &state)
    case .at(let cursor): try merge(page, at: cursor, &state)
    case .above(let cursor): try mergeUpwards(page, at: cursor, &state)
    }
  }

  private func mergeNewest(_ page: Page<CachedElement>, _ state: inout MergeState<String>) throws {
    let found = try (positions(of: page) + state.own.keys.compactMap { try position(of: $0) }).min()
    let bottom = try gap(rightBelow: found) ?? found
    let entries = try bottom.map { try self.entries(from: $0, to: nil) } ?? []
    let hasRest = try hasRows(below: bottom)
    var list = list(of: entries, older: try older(), hasMore: hasRest, state)
    // A partial page, from a list that the server is still building, can't show whether older rows are missing. If rows
    // are stored already, save only the page's content.
    if page.isPartial, hasRest || !entries.isEmpty { return try save(page.items) }
    _ = list.mergeNewest(page)
    try keep(list, over: entries, hadRest: hasRest)
    try save(page.items)
    update(&state, by: list, over: entries)
  }

  /// Merges the page fetched with `cursor`, if `cursor` belongs to a gap or the end of the stored list. Otherwise saves
  /// only the content of the page's rows.
  private func merge(_ page: Page<CachedElement>, at cursor: PageCursor, _ state: inout MergeState<String>) throws {
    let found = try positions(of: page)
    if let gap = try position(ofGap: cursor) {
      let lowest = min(gap, found.min() ?? gap)
      let entries = try entries(from: self.gap(rightBelow: lowest) ?? lowest, to: max(gap, found.max() ?? gap))
      let hasRest = try hasRows(below: entries.last?.position)
      var list = list(of: entries, older: try older(), hasMore: hasRest, state)
      _ = list.fillGap(cursor, with: page)
      try keep(list, over: entries, hadRest: hasRest)
      update(&state, by: list, over: entries)
    } else if try older() == cursor {
      let entries = try found.max().map { try self.entries(from: nil, to: $0) } ?? []
      var list = list(of: entries, older: cursor, hasMore: false, state)
      _ = list.appendOlder(page)
      try keep(list, over: entries, hadRest: false)
      update(&state, by: list, over: entries)
    }
    try save(page.items)
  }

  /// Merges a page that fills the gap of `cursor` from its lower end. If the gap isn't stored any more, saves only the
  /// content of the page's rows.
  private func mergeUpwards(
    _ page: Page<CachedElement>, at cursor: PageCursor, _ state: inout MergeState<String>
  ) throws {
    guard let gap = try position(ofGap: cursor) else { return try save(page.items) }
    let top = try position(above: max(gap, try positions(of: page).max() ?? gap))
    let bottom = try position(twoBelow: gap)
    let entries = try entries(from: min(bottom, positions(of: page).min() ?? bottom), to: top)
    let hasRest = try hasRows(below: entries.last?.position)
    var list = list(of: entries, older: try older(), hasMore: hasRest, state)
    _ = list.fillGapUpwards(cursor, with: page)
    try keep(list, over: entries, hadRest: hasRest, isUpwards: true)
    try save(page.items)
    update(&state, by: list, over: entries)
  }

  /// Returns a list of stored rows with the state of earlier merges.
  private func list(
    of entries: [Entry], older: PageCursor?, hasMore: Bool, _ state: MergeState<String>
  ) -> PagedRows<CachedElement> {
    var list = PagedRows<CachedElement>()
    _ = list.appendCached(entries.map(\.row), older: older, hasMore: hasMore)
    list.mergeState = state
    return list
  }

  /// Updates `state` after a merge of `entries` into `list`. Posts of the user that aren't among `entries` retain their
  /// counts.
  private func update(
    _ state: inout MergeState<String>, by list: PagedRows<CachedElement>, over entries: [Entry]
  ) {
    let merged = Set(entries.compactMap { $0.row.item?.key })
    let others = state.own.filter { !merged.contains($0.key) && list.index(of: $0.key) == nil }
    state = list.mergeState
    state.own.merge(others) { mine, _ in mine }
  }

  /// Inserts one of the user's own qwinks on top, unless it's already stored.
  func insertOwn(_ element: CachedElement) throws {
    guard try position(of: element.key) == nil else { return }
    try insert([.item(element)], between: nil, and: try top())
    try save([element])
  }

  /// Inserts a row between two neighbouring positions. A nil position is an end of the list.
  func insertStreamed(_ element: CachedElement, between above: Int?, and below: Int?) throws {
    try insert([.item(element)], between: above, and: below)
    try save([element])
  }

  /// Replaces all stored rows.
  func replace(_ rows: [Row], older: PageCursor?) throws {
    try database.run("DELETE FROM row WHERE timeline = ?", [name])
    try insert(rows, between: nil, and: nil)
    try save(rows.compactMap(\.item))
    try setOlder(older)
  }

  /// Stores the rows of `shown`, a list in memory, in an empty database, without their content. If more rows are cached
  /// above the list, one additional row stands for them. The same applies to the rows below it.
  func copy(_ shown: ShownWindow) throws {
    func rest(_ word: String) -> [Row] { [.item(CachedElement(key: word))] }
    let rows = shown.rows.map { row -> Row in
      switch row {
      case .gap(let cursor): .gap(cursor)
      case .item(let qwink): .item(CachedElement(key: CachedElement.key(of: qwink.rowID)))
      }
    }
    try insert(
      (shown.hasMoreAbove ? rest("above") : []) + rows + (shown.hasMore ? rest("below") : []), between: nil, and: nil)
    try setOlder(shown.older)
  }

  /// Merges gaps that have no rows between them. Removes a gap that has no rows below it, and saves its cursor as the
  /// cursor of the timeline's older rows, as in a list in memory (see ``PagedRows``).
  func mergeGaps() throws {
    let gaps = try Int.fetchAll(
      database.cachedStatement(
        // The plus makes SQLite use the index of gaps: a timeline has few gaps and many rows.
        sql: "SELECT position FROM row WHERE timeline = ? AND gap IS NOT NULL ORDER BY +position DESC"),
      arguments: [name])
    var upper: Int?
    for gap in gaps {
      let isNext = try upper.map { try isNothing(below: $0, above: gap) } ?? false
      if isNext { try deleteRow(at: gap) } else { upper = gap }
    }
    if let upper, try isNothing(below: upper, above: Int.min),
      let cursor = try String.fetchOne(
        database.cachedStatement(sql: "SELECT gap FROM row WHERE timeline = ? AND position = ?"),
        arguments: [name, upper])
    {
      try deleteRow(at: upper)
      try setOlder(PageCursor(url: cursor))
    }
  }

  private func isNothing(below upper: Int, above lower: Int) throws -> Bool {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT 1 FROM row WHERE timeline = ? AND position < ? AND position > ? LIMIT 1"),
      arguments: [name, upper, lower]) == nil
  }

  private func deleteRow(at position: Int) throws {
    try database.run("DELETE FROM row WHERE timeline = ? AND position = ?", [name, position])
  }

  // MARK: Positions

  func older() throws -> PageCursor? {
    try String.fetchOne(database.cachedStatement(sql: "SELECT older FROM timeline WHERE name = ?"), arguments: [name])
      .map { PageCursor(url: $0) }
  }

  func position(of key: String) throws -> Int? {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT position FROM row WHERE key = ? AND timeline = ?"), arguments: [key, name])
  }

  func position(ofGap cursor: PageCursor) throws -> Int? {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT max(position) FROM row WHERE timeline = ? AND gap = ?"),
      arguments: [name, cursor.url])
  }

  /// Returns the position of the gap right below `position`, or of a gap at the top of the timeline if `position` is
  /// nil. Returns nil if the row there isn't a gap. A page that reaches this gap may replace it with a new one.
  private func gap(rightBelow position: Int?) throws -> Int? {
    try Int.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT position FROM row WHERE gap IS NOT NULL AND timeline = ?1 AND position =
          (SELECT max(position) FROM row WHERE timeline = ?1 AND position < ?2)
          """), arguments: [name, position ?? Int.max])
  }

  func hasRows(below position: Int?) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT 1 FROM row WHERE timeline = ? AND position < ? LIMIT 1"),
      arguments: [name, position ?? Int.max]) ?? false
  }

  private func top() throws -> Int? {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT max(position) FROM row WHERE timeline = ?"), arguments: [name])
  }

  private func positions(of page: Page<CachedElement>) throws -> [Int] {
    try page.items.compactMap { try position(of: $0.key) }
  }

  /// Returns the position of the row above `position`, or `position` itself at the top of the timeline.
  private func position(above position: Int) throws -> Int {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT min(position) FROM row WHERE timeline = ? AND position > ?"),
      arguments: [name, position])
      ?? position
  }

  /// Returns the position of the row that is two rows below `position`, or of the last row if there are fewer rows.
  private func position(twoBelow position: Int) throws -> Int {
    try Int.fetchAll(
      database.cachedStatement(
        sql: "SELECT position FROM row WHERE timeline = ? AND position < ? ORDER BY position DESC LIMIT 2"),
      arguments: [name, position]
    ).last ?? position
  }

  private func entries(from bottom: Int?, to top: Int?) throws -> [Entry] {
    try GRDB.Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT position, key, gap FROM row
          WHERE timeline = ? AND position >= ? AND position <= ? ORDER BY position DESC
          """), arguments: [name, bottom ?? Int.min, top ?? Int.max]
    ).map { row in
      if let cursor = String.fromDatabaseValue(row["gap"]) {
        return Entry(position: try row.value("position"), row: .gap(PageCursor(url: cursor)))
      }
      return Entry(position: try row.value("position"), row: .item(CachedElement(key: try row.value("key"))))
    }
  }

  // MARK: Writing

  /// Replaces `entries`, the stored rows before a merge, with the rows of `list`, the result of the merge. If `list`
  /// doesn't continue with stored rows, also deletes the stored rows below and saves the cursor of `list` to older
  /// rows.
  private func keep(
    _ list: PagedRows<CachedElement>, over entries: [Entry], hadRest: Bool, isUpwards: Bool = false
  ) throws {
    if hadRest, !list.hasMoreCached {
      try database.run(
        "DELETE FROM row WHERE timeline = ? AND position < ?", [name, entries.last?.position ?? Int.max])
    }
    try replace(entries, by: list.knownRows, hasRest: list.hasMoreCached, isUpwards: isUpwards)
    if !list.hasMoreCached { try setOlder(list.older) }
  }

  /// Replaces `entries` with `rows`. Rows that stay in order keep their positions.
  private func replace(_ entries: [Entry], by rows: [Row], hasRest: Bool, isUpwards: Bool) throws {
    let places = Dictionary(entries.indices.map { (entries[$0].row.id, $0) }) { first, _ in first }
    let common = rows.indices.compactMap { new in places[rows[new].id].map { (new: new, old: $0) } }
    let stayed = LongestRun.indices(of: common.map(\.old)).map { common[$0] }
    let kept = Set(stayed.map(\.old))
    guard kept.count < entries.count || kept.count < rows.count else { return }
    // Without entries to replace, and with rows below, the new rows go on top.
    let isOnTop = entries.isEmpty && hasRest
    let top = isOnTop ? nil : try next(above: entries.first?.position)
    let bottom = try next(below: entries.last?.position, hasRest: hasRest)
    for (index, entry) in entries.enumerated() where !kept.contains(index) {
      try database.run("DELETE FROM row WHERE timeline = ? AND position = ?", [name, entry.position])
    }
    // The new positions of rows that had to be moved apart.
    var moved: [Int: Int]?
    var above = top
    var start = rows.startIndex
    for (new, below) in stayed.map({ ($0.new, Int?(entries[$0.old].position)) }) + [(rows.endIndex, bottom)] {
      let place = (above.map { moved?[$0] ?? $0 }, below.map { moved?[$0] ?? $0 })
      if let apart = try insert(Array(rows[start..<new]), between: place.0, and: place.1, isUpwards: isUpwards) {
        moved = moved?.compactMapValues { apart[$0] } ?? apart
      }
      above = below
      start = min(new + 1, rows.endIndex)
    }
  }

  /// Returns the position of the row right below the entries, or of the first row if there are no entries. Returns nil
  /// unless `hasRest` is true, which means that such a row exists.
  private func next(below position: Int?, hasRest: Bool) throws -> Int? {
    guard hasRest else { return nil }
    return try Int.fetchOne(
      database.cachedStatement(sql: "SELECT max(position) FROM row WHERE timeline = ? AND position < ?"),
      arguments: [name, position ?? Int.max])
  }

  /// Returns the position right above the entries. Without entries, returns the position of the last row, because new
  /// rows go below it.
  private func next(above position: Int?) throws -> Int? {
    guard let position else {
      return try Int.fetchOne(
        database.cachedStatement(sql: "SELECT min(position) FROM row WHERE timeline = ?"), arguments: [name])
    }
    return try Int.fetchOne(
      database.cachedStatement(sql: "SELECT min(position) FROM row WHERE timeline = ? AND position > ?"),
      arguments: [name, position])
  }

  /// Inserts rows between the positions `above` and `below`. A nil position is an end of the list. If there isn't
  /// enough room, first moves all rows apart and returns a map of old positions to new ones. Otherwise returns nil.
  @discardableResult
  private func insert(
    _ rows: [Row], between above: Int?, and below: Int?, isUpwards: Bool = false
  ) throws -> [Int: Int]? {
    guard !rows.isEmpty else { return nil }
    var top = 0
    var step = Self.spacing
    switch (above, below) {
    case (let above?, let below?):
      // Small steps pack the rows against one side, which leaves room for the next page on the other side.
      step = min((above - below) / (rows.count + 1), Self.smallSpacing)
      guard step > 0 else {
        let moved = try spread()
        try insert(rows, between: moved[above], and: moved[below], isUpwards: isUpwards)
        return moved
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
    return nil
  }

  /// Moves all rows apart. Returns a map of old positions to new ones.
  private func spread() throws -> [Int: Int] {
    let old = try Int.fetchAll(
      database.cachedStatement(sql: "SELECT position FROM row WHERE timeline = ? ORDER BY position"), arguments: [name])
    // Positions must always be unique, so move all rows out of the way first.
    try database.run("UPDATE row SET position = position - ? WHERE timeline = ?", [Self.far, name])
    let statement = try database.cachedStatement(
      sql: "UPDATE row SET position = ? WHERE timeline = ? AND position = ?")
    var moved: [Int: Int] = [:]
    for (index, position) in old.enumerated() {
      moved[position] = (index + 1) * Self.spacing
      try statement.execute(arguments: [(index + 1) * Self.spacing, name, position - Self.far])
    }
    return moved
  }

  /// Saves the content of rows, which all timelines share.
  private func save(_ items: [CachedElement]) throws {
    for item in items { try CachedContent(database).save(item, at: now) }
  }

  private func setOlder(_ cursor: PageCursor?) throws {
    try database.run("INSERT OR REPLACE INTO timeline (name, older) VALUES (?, ?)", [name, cursor?.url])
  }
}
