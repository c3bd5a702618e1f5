/// How the rows of a list have become others, in the words of a list view: rows went, then rows came.
struct RowChange: Hashable {
  /// In indices of what was before.
  var removed: [Int] = []
  /// In indices of what is now, as `changed`.
  var inserted = 0..<0
  var changed: [Int] = []

  /// What leads from `old` to `new`; nil where that cannot be said so: then everything is to be shown anew. Rows are the same
  /// where they have one of their keys in common, and no two rows of one list have.
  init?<Row: Equatable, Key: Hashable>(from old: [Row], to new: [Row], keys: (Row) -> [Key]) {
    var places: [Key: Int] = [:]
    for (index, row) in new.enumerated() {
      for key in keys(row) { places[key] = index }
    }
    var matched = -1
    var isMatched = Array(repeating: false, count: new.count)
    for (index, row) in old.enumerated() {
      guard let place = keys(row).lazy.compactMap({ places[$0] }).first, !isMatched[place] else {
        removed.append(index)
        continue
      }
      // Rows that have changed places cannot be told as coming and going in one run.
      guard place > matched else { return nil }
      matched = place
      isMatched[place] = true
      if row != new[place] { changed.append(place) }
    }
    guard let first = isMatched.firstIndex(of: false), let last = isMatched.lastIndex(of: false) else { return }
    guard !isMatched[first...last].contains(true) else { return nil }
    inserted = first..<(last + 1)
  }
}
