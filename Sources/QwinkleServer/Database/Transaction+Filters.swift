import GRDB
import HTTPTypes
import QwinkleModel

extension Transaction {
  private static let mostFilters = 30
  private static let mostParts = 50

  /// Returns the viewer's filters, oldest first, or only the filter with this id.
  func filters(_ id: Int64? = nil) throws -> [FilterRecord] {
    let rows = try rows(
      """
      SELECT id, title, contexts, hides, expires_at FROM filters
      WHERE account_id = ?1 AND (?2 IS NULL OR id = ?2) ORDER BY id
      """, [viewer, id])
    if rows.isEmpty { return [] }
    let ids = jsonArray(rows.map { $0[0] as Int64 })
    var keywords: [Int64: [FilterRecord.Keyword]] = [:]
    for row in try self.rows(
      """
      SELECT filter_id, id, keyword, is_whole FROM filter_keywords
      WHERE filter_id IN (SELECT value FROM json_each(?)) ORDER BY id
      """, [ids])
    { keywords[row[0], default: []].append(.init(id: row[1], text: row[2], isWhole: row[3])) }
    var statuses: [Int64: [FilterRecord.Status]] = [:]
    for row in try self.rows(
      """
      SELECT filter_id, id, status_id FROM filter_statuses
      WHERE filter_id IN (SELECT value FROM json_each(?)) ORDER BY id
      """, [ids])
    { statuses[row[0], default: []].append(.init(id: row[1], status: row[2])) }
    return rows.map { row in
      let id: Int64 = row[0]
      return FilterRecord(
        id: id, title: row[1], contexts: SmallJSON.value(row[2]) ?? [], hides: row[3], expiresAt: row[4],
        keywords: keywords[id] ?? [], statuses: statuses[id] ?? [])
    }
  }

  /// Returns one of the viewer's filters.
  func filter(_ id: Int64?) throws -> FilterRecord {
    guard let id, let filter = try filters(id).first else { throw Refusal.notFound }
    return filter
  }

  /// Returns the viewer's filters that haven't expired.
  func activeFilters() throws -> [FilterRecord] {
    guard viewer != nil else { return [] }
    return try filters().filter { ($0.expiresAt ?? .max) > nowInMilliseconds }
  }

  /// Stores a new or changed filter with its keywords, and returns it.
  func save(_ filter: FilterRecord) throws -> FilterRecord {
    let me = try me()
    var id = filter.id
    if id == 0 {
      guard try filters().count < Self.mostFilters else {
        throw Refusal.invalid("You have \(Self.mostFilters) filters already. Delete one.")
      }
      id = try nextID()
    }
    guard filter.keywords.count <= Self.mostParts else {
      throw Refusal.invalid("A filter has at most \(Self.mostParts) keywords.")
    }
    try run(
      """
      INSERT INTO filters (id, account_id, title, contexts, hides, expires_at) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET title = excluded.title, contexts = excluded.contexts, hides = excluded.hides,
        expires_at = excluded.expires_at
      """, [id, me, filter.title, SmallJSON.text(filter.contexts.inOrder), filter.hides, filter.expiresAt])
    let remaining = filter.keywords.map(\.id).filter { $0 != 0 }
    try run(
      "DELETE FROM filter_keywords WHERE filter_id = ? AND id NOT IN (SELECT value FROM json_each(?))",
      [id, jsonArray(remaining)])
    for keyword in filter.keywords {
      try run(
        """
        INSERT INTO filter_keywords (id, filter_id, keyword, is_whole) VALUES (?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET keyword = excluded.keyword, is_whole = excluded.is_whole
        """, [keyword.id == 0 ? nextID() : keyword.id, id, keyword.text, keyword.isWhole])
    }
    happened(.filtersChanged(account: me))
    return try self.filter(id)
  }

  func deleteFilter(_ id: Int64?) throws {
    try run("DELETE FROM filters WHERE id = ?", [filter(id).id])
    try happened(.filtersChanged(account: me()))
  }

  /// Returns the viewer's filter that contains a keyword with this id.
  func filter(withKeyword id: Int64?) throws -> FilterRecord {
    guard let filter = try filters().first(where: { $0.keywords.contains { $0.id == id } }) else {
      throw Refusal.notFound
    }
    return filter
  }

  /// Returns the viewer's filter that contains an entry with this id. `id` is the entry's own id, not the id of the
  /// qwink that it lists.
  func filter(withStatus id: Int64?) throws -> FilterRecord {
    guard let filter = try filters().first(where: { $0.statuses.contains { $0.id == id } }) else {
      throw Refusal.notFound
    }
    return filter
  }

  /// Adds a qwink to a filter and returns the filter's entry for it.
  func addStatus(_ status: Int64, to filter: FilterRecord) throws -> FilterRecord.Status {
    let target = try target(status).id
    if let known = filter.statuses.first(where: { $0.status == target }) { return known }
    guard filter.statuses.count < Self.mostParts else {
      throw Refusal.invalid("A filter has at most \(Self.mostParts) posts.")
    }
    let id = try nextID()
    try run("INSERT INTO filter_statuses (id, filter_id, status_id) VALUES (?, ?, ?)", [id, filter.id, target])
    try happened(.filtersChanged(account: me()))
    return FilterRecord.Status(id: id, status: target)
  }

  /// Removes the entry with this id from one of the viewer's filters. An entry lists one qwink that the filter matches.
  func removeFilterStatus(_ id: Int64?) throws {
    _ = try filter(withStatus: id)
    try run("DELETE FROM filter_statuses WHERE id = ?", [id])
    try happened(.filtersChanged(account: me()))
  }
}
