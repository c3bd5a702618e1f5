import Terminal

/// The rows of a text that is being edited. A new layout reuses the rows of the previous one, and wraps only the
/// changed part again.
struct TextRows: Sendable {
  /// At least 1.
  let columns: Int
  /// The rows as ranges of the text's clusters. There is always at least one. A newline belongs to the row that it
  /// ends.
  let rows: [Range<Int>]

  private let revision: Int
  private let form: TextForm
  private let count: Int

  /// Wraps `buffer` at `columns`. Reuses the unchanged rows of `old`, an earlier layout of the same buffer.
  init(of buffer: TextBuffer, columns: Int, reusing old: TextRows? = nil) {
    self.columns = max(1, columns)
    revision = buffer.changes.revision
    form = buffer.form
    count = buffer.count
    if let old, old.columns == self.columns, old.form == form {
      if old.revision == revision {
        rows = old.rows
        return
      }
      if let unchanged = buffer.changes.unchanged(since: old.revision) {
        rows = Self.rows(of: buffer, columns: self.columns, old, unchanged)
        return
      }
    }
    rows = TextLayout.editingRows(of: buffer.measures, columns: self.columns, from: 0) { _ in false }.rows
  }

  /// Whether these are the rows of the current text of `buffer`, wrapped at `columns`.
  func areOf(_ buffer: TextBuffer, columns: Int) -> Bool {
    revision == buffer.changes.revision && self.columns == max(1, columns) && form == buffer.form
  }

  /// Whether `row` looks the same as in `old`, an earlier layout of `buffer`. False if that can't be determined.
  func shows(_ row: Int, like old: TextRows, of buffer: TextBuffer) -> Bool {
    guard old.columns == columns, old.form == form else { return false }
    guard old.revision != revision else { return true }
    guard let unchanged = buffer.changes.unchanged(since: old.revision) else { return false }
    guard rows.indices.contains(row), old.rows.indices.contains(row) else {
      return row >= max(rows.count, old.rows.count)
    }
    let (now, then) = (rows[row], old.rows[row])
    if now.upperBound <= unchanged.beginning { return now == then }
    let distance = count - old.count
    return now.lowerBound >= count - unchanged.end
      && then == (now.lowerBound - distance)..<(now.upperBound - distance)
  }

  func row(of cluster: Int) -> Int { Self.row(of: cluster, in: rows) }

  private static func row(of cluster: Int, in rows: [Range<Int>]) -> Int {
    var low = 0
    var high = rows.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if rows[middle].lowerBound <= cluster { low = middle } else { high = middle - 1 }
    }
    return low
  }

  private static func rows(
    of buffer: TextBuffer, columns: Int, _ old: TextRows, _ unchanged: TextChanges.Unchanged
  ) -> [Range<Int>] {
    // Start above the changed row, because its first word may now fit into the previous row.
    let first = max(0, row(of: unchanged.beginning, in: old.rows) - 2)
    let distance = buffer.count - old.count
    var known = 0
    let found = TextLayout.editingRows(of: buffer.measures, columns: columns, from: old.rows[first].lowerBound) {
      start in
      guard start >= buffer.count - unchanged.end else { return false }
      known = row(of: start - distance, in: old.rows)
      return old.rows[known].lowerBound == start - distance
    }
    let before = Array(old.rows[..<first]) + found.rows
    guard found.end != nil else { return before }
    if distance == 0 { return before + old.rows[known...] }
    return before + old.rows[known...].map { ($0.lowerBound + distance)..<($0.upperBound + distance) }
  }
}
