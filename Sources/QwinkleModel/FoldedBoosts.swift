/// The rows of a timeline that a list doesn't show because another row shows the same post. A post and its boosts are
/// one row, which names the boosters: `boosted by Anna and 2 more`.
///
/// - The timeline in memory and in the cache retains every row. Lists fold rows after they have hidden others.
/// - Two rows of a post fold if no gap is between them and they are at most ``mostRowsApart`` rows apart. Neither the
///   cache nor a live row has a page, so the distance replaces it. The result is the same before and after a restart.
/// - A row that the list already shows stays. A new boost only adds a name to it, so that no row disappears under the
///   reader. Of rows that weren't shown, the newest is shown.
/// - If the shown row is removed or hidden, the newest of the rows folded into it is shown in its place.
/// - Counts of rows and of unread rows contain no folded rows. Rows that aren't in memory are counted singly, because
///   their posts are unknown. A read mark at a row includes the folded rows directly above it.
public struct FoldedBoosts: Equatable, Sendable {
  /// Maximum distance between a folded row and the row that shows its post: the length of a page. Mastodon leaves a
  /// boost out of the home timeline up to the same distance.
  public static let mostRowsApart = 40

  /// The rows that show folded rows, keyed by the folded rows.
  private var shownRows: [Qwink.RowID: Qwink.RowID] = [:]
  /// The boosters of a post whose rows are folded, newest first, keyed by the row that shows it.
  public private(set) var boosters: [Qwink.RowID: [Qwinker]] = [:]
  /// The first of the folded rows directly above a shown row, keyed by the shown row's mark without times.
  private var tops: [ReadMark: Qwink] = [:]

  public init() {}

  /// Folds `rows`, except the rows in `kept`, which the list already shows.
  public init(_ rows: [Timeline.Row], keeping kept: @autoclosure () -> Set<Qwink.RowID>) {
    let boosted = Set(rows.lazy.compactMap { row in row.qwink.flatMap { $0.booster == nil ? nil : $0.originalID } })
    guard !boosted.isEmpty else { return }
    var places: [Qwink.ID: [Int]] = [:]
    for (index, row) in rows.enumerated() {
      if let id = row.qwink?.originalID, boosted.contains(id) { places[id, default: []].append(index) }
    }
    let repeated = places.values.filter { $0.count > 1 }
    guard !repeated.isEmpty else { return }
    let keptRows = kept()
    let gaps = rows.indices.filter { rows[$0].cursor != nil }
    func areNear(_ upper: Int, _ lower: Int) -> Bool {
      lower - upper <= Self.mostRowsApart && !gaps.contains { (upper..<lower).contains($0) }
    }
    for indices in repeated { fold(indices, of: rows, keeping: keptRows, areNear: areNear) }
    findTops(in: rows)
  }

  /// Folds the rows of one post. Prefers the nearest shown row above, so that folding again has the same result.
  private mutating func fold(
    _ indices: [Int], of rows: [Timeline.Row], keeping kept: Set<Qwink.RowID>, areNear: (Int, Int) -> Bool
  ) {
    let qwinks = indices.map { (index: $0, qwink: rows[$0].qwink) }
    var shown = qwinks.filter { $0.qwink.map { kept.contains($0.rowID) } ?? false }.map(\.index)
    var members = Dictionary(uniqueKeysWithValues: shown.map { ($0, [$0]) })
    for index in indices where members[index] == nil {
      let above = shown.last { $0 < index }.flatMap { areNear($0, index) ? $0 : nil }
      let below = shown.first { $0 > index }.flatMap { areNear(index, $0) ? $0 : nil }
      if let row = above ?? below {
        members[row]?.append(index)
      } else {
        shown.insert(index, at: shown.firstIndex { $0 > index } ?? shown.count)
        members[index] = [index]
      }
    }
    for (index, members) in members where members.count > 1 {
      guard let row = rows[index].qwink?.rowID else { continue }
      boosters[row] = members.sorted().compactMap { rows[$0].qwink?.booster }
      for folded in members.compactMap({ rows[$0].qwink?.rowID }) where folded != row { shownRows[folded] = row }
    }
  }

  private mutating func findTops(in rows: [Timeline.Row]) {
    var top: Qwink?
    for row in rows {
      if shows(row) {
        if let top, let row = row.qwink { tops[ReadMark(id: row.readID, booster: row.readBooster)] = top }
        top = nil
      } else {
        top = top ?? row.qwink
      }
    }
  }

  public var isEmpty: Bool { shownRows.isEmpty }

  /// Whether the list shows a row.
  public func shows(_ row: Timeline.Row) -> Bool { row.qwink.map { shownRows[$0.rowID] == nil } ?? true }

  /// Returns the row that shows the post of `row`: the row itself unless it is folded.
  public func shownRow(for row: Qwink.RowID) -> Qwink.RowID { shownRows[row] ?? row }

  /// The rows that `row` shows in addition to its own.
  public func rows(foldedInto row: Qwink.RowID) -> [Qwink.RowID] {
    shownRows.lazy.filter { $0.value == row }.map(\.key)
  }

  /// Returns the mark moved up to include the folded rows directly above its row.
  public func covered(by mark: ReadMark) -> ReadMark {
    guard let top = tops[ReadMark(id: mark.id, booster: mark.booster)] else { return mark }
    var moved = ReadMark(top, readAt: mark.readAt)
    moved.skipped = mark.skipped
    return moved
  }
}
