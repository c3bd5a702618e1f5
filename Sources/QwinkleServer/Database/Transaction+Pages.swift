import GRDB

/// A page of a list, with links to the pages around it.
struct PageOf<Item> {
  var items: [Item] = []
  var link = PageLinks()

  /// Returns a page with converted items and the same links.
  func map<Other>(_ convert: ([Item]) throws -> [Other]) rethrows -> PageOf<Other> {
    PageOf<Other>(items: try convert(items), link: link)
  }
}

/// An item of a paged list. The list is ordered and paged by `cursor`. `item` is the id of the record to return, such
/// as a status or an account.
struct ListKey {
  var cursor: Int64
  var item: Int64
}

extension Transaction {
  /// Returns a page of a list, newest first.
  ///
  /// - Parameter keys: Returns the keys in a range, in the range's order, up to the given count. It must leave out
  ///   items that are hidden from the viewer, because the page's links would reveal their cursors.
  func page(
    _ request: PageRequest, keys: (PageRequest.Range, Int) throws -> [ListKey]
  ) throws -> PageOf<Int64> {
    var found = try keys(request.range, request.limit + 1)
    var hasOlder = found.count > request.limit
    found = Array(found.prefix(request.limit))
    if request.range.isAscending { found.reverse() }
    guard let newest = found.first?.cursor, let oldest = found.last?.cursor else { return PageOf() }
    if request.range.after != nil {
      hasOlder = try !keys(PageRequest.Range(before: oldest), 1).isEmpty
    }
    return PageOf(items: found.map(\.item), link: PageLinks(newest: newest, oldest: hasOlder ? oldest : nil))
  }

  /// Returns a page of the values of the SQL expression `item`, ordered by `cursor`, newest first. `source` is the SQL
  /// after `FROM`, with a `WHERE` clause.
  func page(_ request: PageRequest, _ cursor: SQL, _ item: SQL, from source: SQL) throws -> PageOf<Int64> {
    try page(request) { range, limit in
      try keys("SELECT \(cursor), \(item) FROM \(source) AND \(range.holds(cursor)) \(range.first(limit, by: cursor))")
    }
  }

  /// Runs a query whose first two columns are the cursor and the item. A missing or malformed item is returned as 0,
  /// which is never an item's id. The row therefore still counts towards the page's length.
  func keys(_ query: SQL) throws -> [ListKey] {
    try allRows(literal: query).map { row in
      let item: Int64? = row[1]
      return ListKey(cursor: row[0], item: item ?? 0)
    }
  }
}

extension PageRequest.Range {
  func holds(_ column: SQL) -> SQL { "\(column) < \(before ?? .max) AND \(column) > \(after ?? 0)" }

  /// The `ORDER BY` and `LIMIT` clauses for at most `limit` rows in the range's order.
  func first(_ limit: Int, by column: SQL) -> SQL {
    let order: SQL = isAscending ? "ASC" : "DESC"
    return "ORDER BY \(column) \(order) LIMIT \(limit)"
  }
}
