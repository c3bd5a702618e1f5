import Databases
import Foundation
import GRDB
import QwinkleModel
import QwinkleWire

/// Reads rows for a list that has only a part of a cached timeline in memory.
extension CachedTimeline {
  /// Maximum number of a list's rows that are searched for in the file to find the first or last row that is still
  /// cached.
  private static let mostAnchors = 200
  /// Rows further apart than this can't be visible at once.
  private static let mostBetween = 100
  /// Maximum number of rows that one page can add to a list above its last row, and also below its last row.
  private static let mostNew = 400
  /// Minimum number of rows to read if none of a list's rows is cached any more.
  private static let fewestRows = 24

  /// Returns the rows after `rows`, or the first ones if `rows` is empty.
  func rows(after rows: [Timeline.Row], limit: Int) throws -> CachedRows {
    let start = try rows.isEmpty ? (position: Int.max, isLast: true) : edge(of: rows.reversed(), isOuter: <)
    // If none of `rows` is cached any more, the rows that follow them are unknown.
    guard let start else { return CachedRows(older: try older(), isAdjacent: false) }
    let found = try entries(below: start.position, limit: limit + 1)
    return CachedRows(
      rows: found.prefix(limit).compactMap(\.row), hasMore: found.count > limit, older: try older(),
      isAdjacent: start.isLast)
  }

  /// Returns the rows right above `rows`. Returns nil if the cache has no row of `rows`.
  func rows(above rows: [Timeline.Row], limit: Int) throws -> CachedWindow? {
    guard let start = try edge(of: rows, isOuter: >)?.position else { return nil }
    let found = try entries(above: start, limit: limit + 1)
    return CachedWindow(rows: found.suffix(limit).compactMap(\.row), hasMoreAbove: found.count > limit)
  }

  /// Returns the qwinks of `rows` that are cached and can be decoded.
  func qwinks(_ rows: [Qwink.RowID]) throws -> [Qwink] {
    try rows.compactMap { row -> Qwink? in
      let found = try GRDB.Row.fetchOne(
        database.cachedStatement(
          sql: "SELECT source, overlay FROM row JOIN qwink ON qwink.key = row.key WHERE timeline = ? AND row.key = ?"),
        arguments: [name, CachedElement.key(of: row)])
      return try found.flatMap { ReactionOverlay.qwink(try $0.value("source"), overlay: try $0.value("overlay")) }
    }
  }

  /// See ``TimelineCache/load(_:around:margin:atLeast:)``.
  func rows(around rows: [Qwink.RowID], margin: Int, atLeast: Int) throws -> CachedWindow? {
    let positions = try rows.compactMap { try position(of: CachedElement.key(of: $0)) }
    guard var top = positions.max(), let bottom = positions.min(), let first = positions.first else { return nil }
    var between =
      try Int.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT count(*) FROM
            (SELECT 1 FROM row WHERE timeline = ? AND position < ? AND position >= ? LIMIT ?)
            """), arguments: [name, top, bottom, Self.mostBetween]) ?? 0
    if between == Self.mostBetween { (top, between) = (first, 0) }
    let upper = try entries(above: top, limit: margin + 1)
    let lowerCount = max(between + margin, atLeast - min(margin, upper.count)) + 1
    let lower = try entries(below: top + 1, limit: lowerCount + 1)
    return CachedWindow(
      rows: (upper.suffix(margin) + lower.prefix(lowerCount)).compactMap(\.row), hasMoreAbove: upper.count > margin,
      hasMore: lower.count > lowerCount, older: try older())
  }

  /// Returns the last rows of the timeline, at most `limit`. If `limit` or fewer rows are cached after `rows`, returns
  /// all of them, so that the caller can append them.
  func lastRows(after rows: [Timeline.Row], limit: Int) throws -> CachedWindow {
    let bottom = try edge(of: rows.reversed(), isOuter: <)?.position
    let found = try lastEntries(below: bottom, limit: limit + 1)
    let isNext = bottom != nil && found.count <= limit
    return CachedWindow(
      rows: found.suffix(limit).compactMap(\.row), hasMoreAbove: !isNext && found.count > limit, older: try older(),
      isNext: isNext, passed: isNext ? nil : try gap("+position < ? ORDER BY +position DESC", bottom ?? Int.max))
  }

  /// Returns the first rows of the timeline, at most `limit`. If `limit` or fewer rows are cached above `rows`, returns
  /// all of them, so that the caller can insert them above.
  func firstRows(above rows: [Timeline.Row], limit: Int) throws -> CachedWindow {
    let top = try edge(of: rows, isOuter: >)?.position
    let found = try entries(below: Int.max, limit: limit + 1, downTo: top ?? Int.min)
    let isNext = top != nil && found.count <= limit
    return CachedWindow(
      rows: found.prefix(limit).compactMap(\.row), hasMore: !isNext && found.count > limit, older: try older(),
      isNext: isNext, passed: isNext ? nil : try gap("+position > ? ORDER BY +position", top ?? Int.min))
  }

  /// Returns the first gap that fulfils `condition`. A condition on `+position` instead of `position` makes SQLite
  /// search the few gaps by index instead of all rows by position.
  private func gap(_ condition: String, _ position: Int) throws -> PageCursor? {
    try String.fetchOne(
      database.cachedStatement(
        sql: "SELECT gap FROM row WHERE gap IS NOT NULL AND timeline = ? AND \(condition) LIMIT 1"),
      arguments: [name, position]
    ).map { PageCursor(url: $0) }
  }

  /// Returns the new rows of the list `shown` after a change to the file. These are the rows now cached between the
  /// first and the last of the rows in `shown` that haven't moved, or that are still cached if all of them have moved.
  /// If the list reached an end of the timeline before, the result reaches that end too. `before` contains the
  /// positions of the `shown` rows before the change; nil if unknown. If the file has no row of the list, returns the
  /// first rows of the timeline.
  ///
  /// If the list is at the top of the timeline, the result also reaches the last row of `page`, unless that row is too
  /// far below the list. The items of `page` and `shown` aren't decoded again, except the rows in `outdated`.
  func window(
    _ shown: ShownWindow, before: [Int?]? = nil, over page: [Qwink] = [], rereading outdated: Set<Qwink.RowID> = []
  ) throws -> CachedWindow {
    let after = try positions(of: shown.rows)
    var stayed = zip(after, before ?? after).compactMap { $0 == $1 ? $0 : nil }
    if stayed.isEmpty { stayed = after.compactMap(\.self) }
    guard let top = stayed.max(), var bottom = stayed.min() else {
      return CachedWindow(try rows(after: [], limit: max(Self.fewestRows, page.count + 1)))
    }
    var limit = shown.rows.count + Self.mostNew
    if !shown.hasMoreAbove, shown.hasMore, let end = try self.end(of: page, below: bottom) {
      bottom = end.position
      limit += end.distance
    }
    var known = Dictionary((page.map { .item($0) } + shown.rows).map { ($0.id, $0) }) { first, _ in first }
    for row in outdated { known[.item(row)] = nil }
    let found = try fetch(
      "position >= ? AND position <= ? ORDER BY position LIMIT ?",
      [shown.hasMore ? bottom : Int.min, shown.hasMoreAbove ? top : Int.max, limit + 1], known: known
    ).reversed()
    return CachedWindow(
      rows: found.suffix(limit).compactMap(\.row), hasMoreAbove: shown.hasMoreAbove || found.count > limit,
      hasMore: try shown.hasMore && hasRows(below: bottom), older: try older())
  }

  /// Returns the position of the last row of a page, and its distance from `position` in rows. Returns nil if the row
  /// isn't below `position`, or is too far below.
  private func end(of page: [Qwink], below position: Int) throws -> (position: Int, distance: Int)? {
    let found = try page.compactMap { try self.position(of: CachedElement.key(of: $0.rowID)) }
    guard let end = found.min(), end < position else { return nil }
    let distance = try Int.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT count(*) FROM (SELECT 1 FROM row WHERE timeline = ? AND position < ? AND position >= ? LIMIT ?)
          """), arguments: [name, position, end, Self.mostNew + 1])
    return distance.flatMap { $0 <= Self.mostNew ? (end, $0) : nil }
  }

  /// Returns whether all `rows` are cached, in the same order.
  func holds(_ rows: [Timeline.Row]) throws -> Bool {
    let found = try positions(of: rows).compactMap(\.self)
    return found.count == rows.count && zip(found, found.dropFirst()).allSatisfy { $0 > $1 }
  }

  /// Returns the number of rows above the first of `rows`. Nil if that row isn't cached.
  func count(above rows: [Timeline.Row]) throws -> Int? {
    guard let row = rows.first, let position = try position(of: row) else { return nil }
    return try RowCounts.count(above: position, of: name, in: database)
  }

  func positions(of rows: [Timeline.Row]) throws -> [Int?] {
    try rows.map { try position(of: $0) }
  }

  private func position(of row: Timeline.Row) throws -> Int? {
    switch row {
    case .item(let qwink): try position(of: CachedElement.key(of: qwink.rowID))
    case .gap(let cursor): try position(ofGap: cursor)
    }
  }

  /// Returns the outermost position at which one of `rows` is cached, and whether the row there is the first of `rows`.
  /// `rows` must start with the outermost row of a list. `isOuter` compares two positions. Searches for only some of
  /// the rows.
  private func edge(
    of rows: some Collection<Timeline.Row>, isOuter: (Int, Int) -> Bool
  ) throws -> (position: Int, isLast: Bool)? {
    var outermost: (position: Int, isLast: Bool)?
    for (number, row) in rows.prefix(Self.mostAnchors).enumerated() {
      if let position = try position(of: row), outermost.map({ isOuter(position, $0.position) }) ?? true {
        outermost = (position, number == 0)
      }
      // The outermost rows may have moved, so check several before settling for one.
      if number >= 8, outermost != nil { break }
    }
    return outermost
  }

  // MARK: Reading content

  /// A row in the file. `row` is nil if it can't be decoded any more or must not be listed.
  private struct Found {
    var row: Timeline.Row?
  }

  private func entries(below position: Int, limit: Int, downTo bottom: Int = Int.min) throws -> [Found] {
    try fetch("position < ? AND position > ? ORDER BY position DESC LIMIT ?", [position, bottom, limit])
  }

  /// Returns the nearest rows above a position.
  private func entries(above position: Int, limit: Int) throws -> [Found] {
    try fetch("position > ? ORDER BY position LIMIT ?", [position, limit]).reversed()
  }

  /// Returns the last rows, optionally only below a position.
  private func lastEntries(below position: Int?, limit: Int) throws -> [Found] {
    try fetch("position < ? ORDER BY position LIMIT ?", [position ?? Int.max, limit]).reversed()
  }

  /// Fetches rows with their content. A row in `known` is reused and not decoded again.
  private func fetch(
    _ condition: String, _ values: [Int], known: [Timeline.Row.ID: Timeline.Row] = [:]
  ) throws -> [Found] {
    let isProfile = TimelineName.isProfile(key: name)
    return try GRDB.Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT row.key, source, overlay, gap FROM row LEFT JOIN qwink ON qwink.key = row.key
          WHERE timeline = ? AND \(condition)
          """), arguments: [name] + StatementArguments(values)
    ).map { row in
      // A damaged file can have a number here, for which `row["gap"] as String?` would end the program.
      if let cursor = String.fromDatabaseValue(row["gap"]) { return Found(row: .gap(PageCursor(url: cursor))) }
      if let id = String.fromDatabaseValue(row["key"]).map(CachedElement.row(ofKey:)), let known = known[.item(id)] {
        return Found(row: known)
      }
      guard let source = Data.fromDatabaseValue(row["source"]),
        let qwink = ReactionOverlay.qwink(source, overlay: Data.fromDatabaseValue(row["overlay"]))
      else { return Found(row: nil) }
      // Earlier versions cached direct messages in profiles. These must not be listed.
      return Found(row: isProfile && !qwink.belongsToProfiles ? nil : .item(qwink))
    }
  }
}
