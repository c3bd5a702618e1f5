import Foundation
import GRDB
import QwinkleModel
import QwinkleWire

/// The rows of a timeline that a list in memory shows: a part of those in the file.
extension KeptTimeline {
  /// Maximum number of rows in memory that are looked up to find the edge of the list.
  private static let mostAnchors = 200
  /// Rows further apart than that are not in sight at once.
  private static let mostBetween = 100
  /// How many rows more than before a list has at most after one page.
  private static let mostNew = 400

  /// Rows after those in memory; the first ones if there are none.
  func rows(after rows: [Timeline.Row], limit: Int) throws -> KeptRows {
    let start = try rows.isEmpty ? (position: Int.max, isLast: true) : edge(of: rows.reversed(), isOuter: <)
    // None of the known rows is cached any more, so what follows them is unknown.
    guard let start else { return KeptRows(older: try older(), isAdjacent: false) }
    let found = try entries(below: start.position, limit: limit + 1)
    return KeptRows(
      rows: found.prefix(limit).compactMap(\.row), hasMore: found.count > limit, older: try older(),
      isAdjacent: start.isLast)
  }

  /// Rows after those in memory, down to the lowest of `ends` that is among the next `limit` rows; no rows if none is.
  func rows(after rows: [Timeline.Row], downTo ends: [Qwink.RowID], limit: Int) throws -> KeptRows {
    guard let start = try edge(of: rows.reversed(), isOuter: <)?.position else { return KeptRows(isAdjacent: false) }
    let positions = try ends.compactMap { try position(of: KeptElement.key(of: $0)) }.filter { $0 < start }
    for end in positions.sorted() {
      let count = try Int.fetchOne(
        database, sql: "SELECT count(*) FROM row WHERE timeline = ? AND position < ? AND position >= ?",
        arguments: [name, start, end])
      if let count, count <= limit { return try self.rows(after: rows, limit: count) }
    }
    return KeptRows(isAdjacent: false)
  }

  /// The rows right above those in memory; nil if none of these is there.
  func rows(above rows: [Timeline.Row], limit: Int) throws -> KeptWindow? {
    guard let start = try edge(of: rows, isOuter: >)?.position else { return nil }
    let found = try entries(above: start, limit: limit + 1)
    return KeptWindow(rows: found.suffix(limit).compactMap(\.row), hasMoreAbove: found.count > limit)
  }

  /// The cached ones of `rows` that can be decoded.
  func qwinks(_ rows: [Qwink.RowID]) throws -> [Qwink] {
    try rows.compactMap { row -> Qwink? in
      let source = try Data.fetchOne(
        database,
        sql: "SELECT source FROM row JOIN qwink ON qwink.key = row.key WHERE timeline = ? AND row.key = ?",
        arguments: [name, KeptElement.key(of: row)])
      return source.flatMap { try? WireDecoder.qwink(from: [UInt8]($0)) }
    }
  }

  /// See ``TimelineCache/load(_:around:margin:atLeast:)``.
  func rows(around rows: [Qwink.RowID], margin: Int, atLeast: Int) throws -> KeptWindow? {
    let positions = try rows.compactMap { try position(of: KeptElement.key(of: $0)) }
    guard var top = positions.max(), let bottom = positions.min(), let first = positions.first else { return nil }
    var between =
      try Int.fetchOne(
        database,
        sql: """
          SELECT count(*) FROM
          (SELECT 1 FROM row WHERE timeline = ? AND position < ? AND position >= ? LIMIT ?)
          """, arguments: [name, top, bottom, Self.mostBetween]) ?? 0
    if between == Self.mostBetween { (top, between) = (first, 0) }
    let upper = try entries(above: top, limit: margin + 1)
    let lowerCount = max(between + margin, atLeast - min(margin, upper.count)) + 1
    let lower = try entries(below: top + 1, limit: lowerCount + 1)
    return KeptWindow(
      rows: (upper.suffix(margin) + lower.prefix(lowerCount)).compactMap(\.row), hasMoreAbove: upper.count > margin,
      hasMore: lower.count > lowerCount, older: try older())
  }

  /// The last rows, or all those after `rows` if they are no more than `limit`.
  func lastRows(after rows: [Timeline.Row], limit: Int) throws -> KeptWindow {
    let bottom = try edge(of: rows.reversed(), isOuter: <)?.position
    let found = try lastEntries(below: bottom, limit: limit + 1)
    let isNext = bottom != nil && found.count <= limit
    return KeptWindow(
      rows: found.suffix(limit).compactMap(\.row), hasMoreAbove: !isNext && found.count > limit, older: try older(),
      isNext: isNext, passed: isNext ? nil : try gap("position < ? ORDER BY position DESC", bottom ?? Int.max))
  }

  /// The first rows, or all those above `rows` if they are no more than `limit`.
  func firstRows(above rows: [Timeline.Row], limit: Int) throws -> KeptWindow {
    let top = try edge(of: rows, isOuter: >)?.position
    let found = try entries(below: Int.max, limit: limit + 1, downTo: top ?? Int.min)
    let isNext = top != nil && found.count <= limit
    return KeptWindow(
      rows: found.prefix(limit).compactMap(\.row), hasMore: !isNext && found.count > limit, older: try older(),
      isNext: isNext, passed: isNext ? nil : try gap("position > ? ORDER BY position", top ?? Int.min))
  }

  private func gap(_ condition: String, _ position: Int) throws -> PageCursor? {
    try String.fetchOne(
      database, sql: "SELECT gap FROM row WHERE gap IS NOT NULL AND timeline = ? AND \(condition) LIMIT 1",
      arguments: [name, position]
    ).map { PageCursor(url: $0) }
  }

  /// The rows that now stand where `shown` was: between the first and the last of its rows that have stayed. `before`
  /// has their positions before the change; nil if unknown. Returns nil if none of them is there.
  func window(_ shown: ShownWindow, before: [Int?]? = nil) throws -> KeptWindow? {
    let after = try positions(of: shown.rows)
    var stayed = zip(after, before ?? after).compactMap { $0 == $1 ? $0 : nil }
    if stayed.isEmpty { stayed = after.compactMap(\.self) }
    guard let top = stayed.max(), let bottom = stayed.min() else { return nil }
    let known = Dictionary(shown.rows.map { ($0.id, $0) }) { first, _ in first }
    let limit = shown.rows.count + Self.mostNew
    let found = try fetch(
      "position >= ? AND position <= ? ORDER BY position LIMIT ?",
      [shown.hasMore ? bottom : Int.min, shown.hasMoreAbove ? top : Int.max, limit + 1], known: known
    ).reversed()
    return KeptWindow(
      rows: found.suffix(limit).compactMap(\.row), hasMoreAbove: shown.hasMoreAbove || found.count > limit,
      hasMore: shown.hasMore, older: try older())
  }

  /// Whether the file has all `rows`, in their order.
  func holds(_ rows: [Timeline.Row]) throws -> Bool {
    let found = try positions(of: rows).compactMap(\.self)
    return found.count == rows.count && zip(found, found.dropFirst()).allSatisfy { $0 > $1 }
  }

  /// The number of rows above the first of `rows`; nil if that isn't there.
  func count(above rows: [Timeline.Row]) throws -> Int? {
    guard let row = rows.first, let position = try position(of: row) else { return nil }
    return try Int.fetchOne(
      database, sql: "SELECT count(*) FROM row WHERE timeline = ? AND position > ?", arguments: [name, position])
  }

  func positions(of rows: [Timeline.Row]) throws -> [Int?] {
    try rows.map { try position(of: $0) }
  }

  private func position(of row: Timeline.Row) throws -> Int? {
    switch row {
    case .item(let qwink): try position(of: KeptElement.key(of: qwink.rowID))
    case .gap(let cursor): try position(ofGap: cursor)
    }
  }

  /// The outermost position of `rows`, which begin at an end of a list, and whether it is that of the first one.
  private func edge(
    of rows: some Collection<Timeline.Row>, isOuter: (Int, Int) -> Bool
  ) throws -> (position: Int, isLast: Bool)? {
    var outermost: (position: Int, isLast: Bool)?
    for (number, row) in rows.prefix(Self.mostAnchors).enumerated() {
      if let position = try position(of: row), outermost.map({ isOuter(position, $0.position) }) ?? true {
        outermost = (position, number == 0)
      }
      // Rows further in are looked up only in case this one has moved.
      if number >= 8, outermost != nil { break }
    }
    return outermost
  }

  // MARK: Reading content

  /// A row of the file; `row` is nil if it can't be decoded any more, or isn't listed.
  private struct Found {
    var row: Timeline.Row?
  }

  private func entries(below position: Int, limit: Int, downTo bottom: Int = Int.min) throws -> [Found] {
    try fetch("position < ? AND position > ? ORDER BY position DESC LIMIT ?", [position, bottom, limit])
  }

  /// The nearest rows above a position.
  private func entries(above position: Int, limit: Int) throws -> [Found] {
    try fetch("position > ? ORDER BY position LIMIT ?", [position, limit]).reversed()
  }

  /// The last rows, of those below a position if there is one.
  private func lastEntries(below position: Int?, limit: Int) throws -> [Found] {
    try fetch("position < ? ORDER BY position LIMIT ?", [position ?? Int.max, limit]).reversed()
  }

  /// Rows with their content; those of `known` keep theirs.
  private func fetch(
    _ condition: String, _ values: [Int], known: [Timeline.Row.ID: Timeline.Row] = [:]
  ) throws -> [Found] {
    let isProfile = TimelineName.isProfile(key: name)
    return try GRDB.Row.fetchAll(
      database,
      sql: """
        SELECT row.key, source, gap FROM row LEFT JOIN qwink ON qwink.key = row.key
        WHERE timeline = ? AND \(condition)
        """, arguments: [name] + StatementArguments(values)
    ).map { row in
      if let cursor = row["gap"] as String? { return Found(row: .gap(PageCursor(url: cursor))) }
      if let id = (row["key"] as String?).map(KeptElement.row(ofKey:)), let known = known[.item(id)] {
        return Found(row: known)
      }
      guard let source = row["source"] as Data?, let qwink = try? WireDecoder.qwink(from: [UInt8](source)) else {
        return Found(row: nil)
      }
      // Earlier versions cached direct messages in profiles.
      return Found(row: isProfile && !qwink.belongsToProfiles ? nil : .item(qwink))
    }
  }
}
