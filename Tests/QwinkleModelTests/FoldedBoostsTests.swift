import FoundationEssentials
import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing

/// Rows are words: `1` is a post, `1a` its boost by a, `|` a gap, and `+9` nine other posts. A row that the list
/// already shows ends with `*`. Shown rows end with their boosters: `1a(ab)`.
@Suite struct FoldedBoostsTests {
  private static func row(_ word: some StringProtocol) -> Timeline.Row {
    if word.hasPrefix("|") { return .gap(PageCursor(url: String(word))) }
    let number = word.prefix { $0.isNumber }
    var qwink = Qwink.sample(id: Qwink.ID(String(word)), at: Date(timeIntervalSince1970: 0))
    qwink.originalID = Qwink.ID(String(number))
    let booster = word.dropFirst(number.count)
    if !booster.isEmpty { qwink.booster = .sample(String(booster)) }
    return .item(qwink)
  }

  private static func rows(_ words: String) -> [(row: Timeline.Row, isKept: Bool)] {
    words.split(separator: " ").enumerated().flatMap { index, word in
      if word.hasPrefix("+") {
        return (0..<(Int(word.dropFirst()) ?? 0)).map { (row("\(1000 * (index + 1) + $0)"), false) }
      }
      return [(row(word.prefix { $0 != "*" }), word.hasSuffix("*"))]
    }
  }

  private static func word(_ row: Timeline.Row, _ folds: FoldedBoosts) -> String {
    guard let qwink = row.qwink else { return "|" }
    let boosters = folds.boosters[qwink.rowID]?.map(\.userName).joined()
    return qwink.id.rawValue + (boosters.map { "(\($0))" } ?? "")
  }

  @Test(
    arguments: [
      ("1a 2 3", "1a 2 3"),
      ("1a 2 1b 3 1c", "1a(abc) 2 3"),
      ("1a 2a 1b 2", "1a(ab) 2a(a)"),
      // The post itself folds too.
      ("1a 2 1", "1a(a) 2"),
      ("1a 2 1*", "2 1(a)"),
      // A shown row stays, even if another boost is newer or another row of the post is shown.
      ("1a 2 1b* 3 1c", "2 1b(abc) 3"),
      ("1a* 2 1b*", "1a 2 1b"),
      ("1c 1a* 2 1d 1b*", "1a(cad) 2 1b"),
      // Rows beyond a gap may belong between.
      ("1a 2 | 1b", "1a 2 | 1b"),
      ("1a | 1b 1c", "1a | 1b(bc)"),
      ("1a +39 1b", "1a(ab) +39"),
      ("1a +40 1b", "1a +40 1b"),
      ("1a +29 1b +29 1c", "1a(ab) +29 +29 1c"),
      ("1a +29 1b +29 1c* 1d", "1a(ab) +29 +29 1c(cd)"),
    ])
  func `rows of one post fold into one row`(words: String, expected: String) {
    let given = Self.rows(words)
    let rows = given.map(\.row)
    let kept = Set(given.filter(\.isKept).compactMap { $0.row.qwink?.rowID })
    let folds = FoldedBoosts(rows, keeping: kept)
    let others = Set((1000...9999).map(String.init))
    let shown = rows.filter(folds.shows).map { Self.word($0, folds) }.filter { !others.contains($0) }
    #expect(
      shown.joined(separator: " ") == expected.split(separator: " ").filter { $0.first != "+" }.joined(separator: " "))
    #expect(folds.isEmpty == !shown.contains { $0.hasSuffix(")") })
  }

  @Test func `a mark includes the folded rows directly above its row`() throws {
    let rows = Self.rows("2 1d 1c 3 1a 1b* 4").map(\.row)
    let folds = FoldedBoosts(rows, keeping: [Qwink.RowID(status: "1", booster: "b-id")])
    let mark = ReadMark(id: "3", readAt: Date(timeIntervalSince1970: 9), skipped: [SkippedRow(id: "4")])
    let moved = folds.covered(by: mark)
    #expect(moved.id == "1d" && moved.booster == "d-id" && moved.readAt == mark.readAt && moved.skipped == mark.skipped)
    #expect(folds.covered(by: ReadMark(id: "1b", booster: "b-id")).id == "1a")
    #expect(folds.covered(by: ReadMark(id: "2")).id == "2" && folds.covered(by: ReadMark(id: "4")).id == "4")
    // The list shows no row of the moved mark. It is still at the same place.
    #expect(rows.filter(folds.shows).map { Self.word($0, folds) } == ["2", "3", "1b(dcab)", "4"])
  }

  /// Rows arrive, are removed, and gaps are filled, in random order.
  @Test(arguments: Soak.seeds(40))
  func `shown rows stay, and near rows of a post are one row`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    var number = 0
    func some(_ count: Int) -> [Timeline.Row] {
      (0..<count).map { _ in
        number += 1
        let isBoost = Int.random(in: 0..<3, using: &random) == 0
        return Self.row(isBoost ? "\(Int.random(in: 1...9, using: &random))b\(number)" : "\(number + 100)")
      }
    }
    var rows = some(30)
    var kept: Set<Qwink.RowID> = []
    for _ in 0..<60 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: rows = some(Int.random(in: 1...4, using: &random)) + rows
      case 2: rows += some(Int.random(in: 1...20, using: &random))
      case 3: rows.remove(at: Int.random(in: rows.indices, using: &random))
      case 4: rows = some(3) + [Self.row("|\(number)")] + rows
      default:
        guard let gap = rows.indices.filter({ rows[$0].cursor != nil }).randomElement(using: &random) else { continue }
        rows.replaceSubrange(gap...gap, with: some(Int.random(in: 0...9, using: &random)))
      }
      let here = Set(rows.compactMap { $0.qwink?.rowID })
      kept.formIntersection(here)
      let folds = FoldedBoosts(rows, keeping: kept)
      let shown = rows.filter(folds.shows)
      let ids = Set(shown.compactMap { $0.qwink?.rowID })
      #expect(ids.isSuperset(of: kept))
      #expect(FoldedBoosts(rows, keeping: ids) == folds)
      var names: [Qwink.RowID: [Qwinker]] = [:]
      for (index, row) in rows.enumerated() {
        guard let qwink = row.qwink else { continue }
        let row = folds.shownRow(for: qwink.rowID)
        #expect(
          ids.contains(row) && row.status == qwink.originalID && ids.contains(qwink.rowID) == (row == qwink.rowID))
        names[row, default: []] += [qwink.booster].compactMap(\.self)
        // A row that wasn't shown before is the only one of its post.
        guard ids.contains(qwink.rowID), !kept.contains(qwink.rowID) else { continue }
        let near = rows.indices.filter { other in
          let between = rows[min(index, other)...max(index, other)]
          return other != index && between.count <= FoldedBoosts.mostRowsApart + 1
            && between.allSatisfy { $0.cursor == nil } && rows[other].qwink?.originalID == qwink.originalID
        }
        #expect(near.allSatisfy { !folds.shows(rows[$0]) })
      }
      #expect(folds.boosters == names.filter { $0.value.count > 1 })
      kept = ids
    }
  }
}
