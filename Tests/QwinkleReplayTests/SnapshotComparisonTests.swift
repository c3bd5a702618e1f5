import Foundation
import QwinkleReplay
import Terminal
import Testing

@Suite struct SnapshotComparisonTests {
  private static func snapshot(_ rows: [String], cursor: Point? = nil) -> Snapshot {
    Snapshot(
      size: Size(rows: rows.count, columns: rows.first?.count ?? 0),
      cells: rows.map { $0.map { SnapshotCell(text: String($0)) } }, cursor: cursor)
  }

  private let expected = snapshot(["Home  ", "erin  "], cursor: .zero)
  private let actual = snapshot(["Home  ", "Erik  "], cursor: Point(row: 1, column: 2))

  @Test func `equal snapshots have an empty report`() {
    let comparison = SnapshotComparison(expected: expected, actual: expected)
    #expect(comparison.isSame)
    #expect(comparison.differingCells.isEmpty)
    #expect(comparison.report() == "")
  }

  @Test func `a report shows expected above actual rows and marks differing cells`() {
    let comparison = SnapshotComparison(expected: expected, actual: actual)
    #expect(comparison.differingCells == [Point(row: 1, column: 0), Point(row: 1, column: 3)])
    #expect(
      comparison.report() == """
        cursor: expected row 0, column 0, actual row 1, column 2
        cells that differ: 2
        - expected, + actual
        row 1
          Home
        - erin
        + Erik
          ^  ^

        """)
  }

  @Test func `runs of differing rows have one row of context on each side`() {
    let before = ["one   ", "two   ", "three ", "four  ", "five  ", "six   ", "seven "]
    var after = before
    (after[2], after[3], after[6]) = ("tree  ", "for   ", "eleven")
    #expect(
      SnapshotComparison(expected: Self.snapshot(before), actual: Self.snapshot(after)).report() == """
        cells that differ: 11
        - expected, + actual
        rows 2-3
          two
        - three
        + tree
           ^^ ^
        - four
        + for
            ^^
          five
        row 6
          six
        - seven
        + eleven
          ^^^^^^

        """)
  }

  @Test(arguments: [1, 2]) func `a report of any screen fits into 80 columns and marks each difference`(
    cellColumns: Int
  ) {
    let (text, other) = cellColumns == 1 ? ("x", "y") : ("海", "斗")
    func screen(_ columns: Int, changedAt changed: Set<Int>) -> Snapshot {
      let cells = (0..<columns).map { column -> SnapshotCell in
        guard column % cellColumns == 0 else { return SnapshotCell(text: "", columns: 0) }
        return SnapshotCell(text: changed.contains(column) ? other : text, columns: cellColumns)
      }
      return Snapshot(size: Size(rows: 3, columns: columns), cells: [cells, cells, cells])
    }
    for columns in [20, 40, 78, 80, 100, 120, 200] {
      let several = Array(stride(from: 0, to: columns, by: 8))
      for changed in [[0], [columns - 2], [0, columns - 2], [36, columns - 4], several] {
        let changed = Set(changed.filter { $0 < columns })
        let comparison = SnapshotComparison(
          expected: screen(columns, changedAt: []), actual: screen(columns, changedAt: changed))
        let report = comparison.report().split(separator: "\n")
        #expect(
          report.allSatisfy { line in line.reduce(0) { $0 + ("海斗".contains($1) ? 2 : 1) } <= 80 },
          "\(columns): \(report.joined(separator: "\n"))")
        let marks = report.filter { !$0.contains { !" ^".contains($0) } }.joined().count { $0 == "^" }
        #expect(marks == 3 * changed.count * cellColumns, "\(columns) \(changed)")
      }
    }
  }

  @Test func `screens of different sizes are compared where both have cells`() {
    let larger = Self.snapshot(["Home   ", "eric   ", "more   "])
    #expect(
      SnapshotComparison(expected: expected, actual: larger).report() == """
        size: expected 6x2, actual 7x3
        cursor: expected row 0, column 0, actual hidden
        cells that differ: 1
        - expected, + actual
        rows 1-2
          Home
        - erin
        + eric
             ^
        + more

        """)
  }

  @Test func `different styles are listed by run`() {
    func row(_ looks: [SnapshotCell]) -> Snapshot { Snapshot(size: Size(rows: 1, columns: 5), cells: [looks]) }
    let bold = SnapshotCell(text: "x", attributes: .bold, foreground: 4)
    let plain = SnapshotCell(text: "x")
    let comparison = SnapshotComparison(
      expected: row([bold, bold, plain, plain, plain]), actual: row([plain, plain, plain, bold, plain]))
    #expect(
      comparison.report() == """
        cells that differ: 3
        - expected, + actual
        row 0
        - xxxxx
        + xxxxx
          ^^ ^
        style in row 0, columns 0-1: expected bold fg=4, actual plain
        style in row 0, column 3: expected plain, actual bold fg=4

        """)
  }

  /// A row of cells with these foregrounds. `dim` is the foreground of dim text in its theme, if any.
  private func row(_ foregrounds: [Int], dim: Int? = nil) -> Snapshot {
    let roles = dim.map { dim in
      [SnapshotRole("text"), SnapshotRole("dim", foreground: dim), SnapshotRole("accent", foreground: 6)]
    }
    return Snapshot(
      size: Size(rows: 1, columns: foregrounds.count),
      cells: [foregrounds.map { SnapshotCell(text: "x", foreground: $0) }], roles: roles ?? [])
  }

  @Test func `a report names styles by role and lists each changed role once`() {
    let comparison = SnapshotComparison(
      expected: row([8, 8, -1, -1, -1], dim: 8), actual: row([7, 7, -1, 6, -1], dim: 7))
    #expect(comparison.differingCells == [Point(row: 0, column: 3)])
    #expect(
      comparison.report() == """
        cells that differ: 1
        role dim: expected fg=8, actual fg=7
        role accent: expected unused, actual fg=6
        - expected, + actual
        row 0
        - xxxxx
        + xxxxx
             ^
        style in row 0, column 3: expected text, actual accent

        """)
  }

  @Test func `a changed role is a difference even if no cell differs`() {
    let comparison = SnapshotComparison(expected: row([8, -1], dim: 8), actual: row([7, -1], dim: 7))
    #expect(!comparison.isSame)
    #expect(comparison.differingCells.isEmpty)
    #expect(
      comparison.report() == """
        role dim: expected fg=8, actual fg=7

        """)
  }

  @Test func `a screen without roles is reported with the other screen's roles`() {
    let report = SnapshotComparison(expected: row([8, 8, 3]), actual: row([8, 6, 6], dim: 8)).report()
    #expect(
      report.hasSuffix(
        """
        style in row 0, column 1: expected dim, actual accent
        style in row 0, column 2: expected fg=3, actual accent

        """))
    #expect(!report.contains("role "))
  }

  /// Cells with every combination of attributes and of default, palette and 24-bit colours, with their descriptions.
  private static let styles: [(cell: SnapshotCell, words: String)] = {
    let attributes: [(value: TextStyle.Attributes, name: String)] = [
      (.bold, "bold"), (.dim, "dim"), (.italic, "italic"), (.underline, "underline"), (.reverse, "reverse"),
    ]
    let colors = [(number: -1, name: ""), (number: 214, name: "214"), (number: 0xFFCC00, name: "#FFCC00")]
    var styles: [(cell: SnapshotCell, words: String)] = []
    for bits in 0..<(1 << attributes.count) {
      for (foreground, background) in colors.flatMap({ color in colors.map { (color, $0) } }) {
        var value: TextStyle.Attributes = []
        var words: [String] = []
        for (index, attribute) in attributes.enumerated() where (bits >> index) & 1 == 1 {
          value.formUnion(attribute.value)
          words.append(attribute.name)
        }
        if !foreground.name.isEmpty { words.append("fg=\(foreground.name)") }
        if !background.name.isEmpty { words.append("bg=\(background.name)") }
        let cell = SnapshotCell(
          text: "x", attributes: value, foreground: foreground.number, background: background.number)
        styles.append((cell, words.isEmpty ? "plain" : words.joined(separator: " ")))
      }
    }
    return styles
  }()

  @Test func `differences in every style and role fit into 80 columns`() {
    func screen(_ cell: SnapshotCell) -> Snapshot {
      Snapshot(size: Size(rows: 1, columns: 120), cells: [Array(repeating: cell, count: 120)])
    }
    func theme(_ cell: SnapshotCell) -> Snapshot {
      let role = SnapshotRole(
        "accent", attributes: cell.attributes, foreground: cell.foreground, background: cell.background)
      return Snapshot(size: Size(rows: 1, columns: 1), cells: [[cell]], roles: [role])
    }
    let (widest, widestWords) = Self.styles[Self.styles.count - 1]
    var wrapped = 0
    for (cell, words) in Self.styles.dropLast() {
      for kind in [screen, theme] {
        let report = SnapshotComparison(expected: kind(cell), actual: kind(widest)).report()
        let lines = report.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(report)")
        let isInOneLine = lines.contains { $0.hasSuffix(": expected \(words), actual \(widestWords)") }
        let isWrapped = ["  expected \(words)", "  actual   \(widestWords)"].allSatisfy { lines.contains($0[...]) }
        #expect(isInOneLine != isWrapped, "\(report)")
        if isWrapped { wrapped += 1 }
      }
    }
    #expect(wrapped > 0)
  }

  @Test func `similar characters are reported by number and wide ones are marked whole`() {
    func row(_ texts: [(String, Int)]) -> Snapshot {
      Snapshot(size: Size(rows: 1, columns: 5), cells: [texts.map { SnapshotCell(text: $0.0, columns: $0.1) }])
    }
    let comparison = SnapshotComparison(
      expected: row([(" ", 1), ("e\u{301}", 1), ("海", 2), ("", 0), ("\u{1B}", 1)]),
      actual: row([("\u{A0}", 1), ("\u{E9}", 1), ("斗", 2), ("", 0), ("\u{7}", 1)]))
    #expect(
      comparison.report() == """
        cells that differ: 4
        - expected, + actual
        row 0
        -  e\u{301}海\u{FFFD}
        + \u{A0}\u{E9}斗\u{FFFD}
          ^^^^^
        text in row 0, column 0: expected U+20, actual U+A0
        text in row 0, column 1: expected U+65 U+301, actual U+E9
        text in row 0, column 4: expected U+1B, actual U+7

        """)
  }

  @Test func `a long report is truncated`() {
    let rows = 60
    let plain = Snapshot(size: Size(rows: rows, columns: 1), cells: [])
    let bold = Snapshot(
      size: plain.size, cells: Array(repeating: [SnapshotCell(attributes: .bold)], count: rows))
    let report = SnapshotComparison(expected: plain, actual: bold).report()
    #expect(report.hasSuffix("and 20 more such differences\n"))
  }

  // MARK: Saved snapshots

  /// Runs `body` with the path of a tape in a temporary folder.
  private func withTape(_ body: (_ tape: String) throws -> Void) rethrows {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("qwinkle-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder + "/search.tape")
  }

  @Test func `a new snapshot fails unless updates are enabled`() throws {
    try withTape { tape in
      let store = SnapshotStore(tape: tape)
      let path = store.path(of: "results")
      #expect(path.hasSuffix("/search/results.snapshot"))
      let first = try store.check("results", expected)
      #expect(first == .missing(path: path))
      #expect(!FileManager.default.fileExists(atPath: store.folder))
      #expect(try SnapshotStore(tape: tape, updates: true).check("results", expected) == .written(path: path))
      #expect(try store.check("results", expected) == .same)
      #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder) == ["results.snapshot"])
    }
  }

  @Test func `a difference is reported or else written`() throws {
    try withTape { tape in
      let updating = SnapshotStore(tape: tape, updates: true)
      let store = SnapshotStore(tape: tape)
      _ = try updating.check("results", expected)
      let report = SnapshotComparison(expected: expected, actual: actual).report()
      #expect(try store.check("results", actual) == .differs(report: report))
      #expect(try store.check("results", expected) == .same)
      #expect(try updating.check("results", expected) == .same)
      #expect(try updating.check("results", actual) == .written(path: store.path(of: "results")))
      #expect(try store.check("results", actual) == .same)
    }
  }

  @Test func `a version 2 file with the same styles passes and an update rewrites it`() throws {
    try withTape { tape in
      let updating = SnapshotStore(tape: tape, updates: true)
      let store = SnapshotStore(tape: tape)
      let actual = row([8, 6, -1], dim: 8)
      _ = try updating.check("results", row([8, 6, -1]))
      let path = store.path(of: "results")
      #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("qwinkle-snapshot 2 "))
      #expect(try store.check("results", actual) == .same)
      #expect(try updating.check("results", actual) == .written(path: path))
      #expect(try String(contentsOfFile: path, encoding: .utf8) == actual.fileText)
    }
  }

  @Test func `a malformed file is an error and an update replaces it`() throws {
    try withTape { tape in
      let updating = SnapshotStore(tape: tape, updates: true)
      let store = SnapshotStore(tape: tape)
      _ = try updating.check("results", expected)
      let path = store.path(of: "results")
      try Data([0xFF, 0x0A]).write(to: URL(filePath: path))
      let error = #expect(throws: SnapshotStoreError.self) { try store.check("results", expected) }
      #expect(error?.sentence.hasPrefix("\(path) is not a valid snapshot. Line 1: ") == true)
      #expect(try updating.check("results", expected) == .written(path: path))
    }
  }

  @Test(arguments: ["", "../results", "a/b", "a.b", "a b", "é", "a\0", String(repeating: "a", count: 101)])
  func `an invalid name is rejected`(name: String) {
    #expect(!SnapshotStore.isName(name))
    #expect(throws: SnapshotStoreError.badName(name)) {
      try SnapshotStore(folder: "/nowhere/at/all", updates: true).check(name, expected)
    }
  }

  @Test func `a folder that cannot be created is an error`() throws {
    try withTape { tape in
      try FileManager.default.createDirectory(
        atPath: (tape as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try Data().write(to: URL(filePath: tape))
      let store = SnapshotStore(folder: tape + "/inside", updates: true)
      #expect(throws: SnapshotStoreError.unwritable(path: store.path(of: "Results_1-a"))) {
        try store.check("Results_1-a", expected)
      }
    }
  }
}
