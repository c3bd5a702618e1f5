import QwinkleReplay
import Terminal
import TerminalTesting
import Testing

@Suite struct SnapshotTests {
  private static let styled = Snapshot(
    size: Size(rows: 3, columns: 12),
    cells: [
      cells("Home        ") { column in column < 4 ? SnapshotCell(attributes: .bold, foreground: 4) : SnapshotCell() },
      wideCells,
      cells("a|b\\        ") { column in
        column == 1
          ? SnapshotCell(attributes: [.dim, .underline, .italic, .reverse]) : SnapshotCell(background: 0x1A2B3C)
      },
    ],
    cursor: Point(row: 1, column: 4))

  private static let wideCells = ["海", "", "斗", "", " ", "k"].map {
    SnapshotCell(text: $0, columns: $0.isEmpty ? 0 : $0 == "海" || $0 == "斗" ? 2 : 1)
  }

  private static func cells(_ text: String, look: (Int) -> SnapshotCell) -> [SnapshotCell] {
    text.enumerated().map { column, cluster in
      let look = look(column)
      return SnapshotCell(
        text: String(cluster), attributes: look.attributes, foreground: look.foreground, background: look.background)
    }
  }

  private static let roles = [
    SnapshotRole("text", foreground: 0xE0D1BE, background: 0x241C18),
    SnapshotRole("dim", foreground: 0xA08B6E, background: 0x241C18),
    SnapshotRole("accent", foreground: 0xCE853B, background: 0x241C18),
    SnapshotRole("selection", attributes: .bold, foreground: 0xFFFFFF, background: 0x6B3A1F),
    SnapshotRole("rule", foreground: 0xA08B6E, background: 0x241C18),
  ]

  /// A themed screen with a selected name, dim text, and two cells whose styles aren't roles.
  private static let themed: Snapshot = {
    let base = SnapshotCell(foreground: 0xE0D1BE, background: 0x241C18)
    let dim = SnapshotCell(foreground: 0xA08B6E, background: 0x241C18)
    let selection = SnapshotCell(attributes: .bold, foreground: 0xFFFFFF, background: 0x6B3A1F)
    let picture = SnapshotCell(foreground: 237, background: 238)
    let others = [1: dim, 2: dim, 3: dim, 6: picture, 7: SnapshotCell(attributes: .dim)]
    return Snapshot(
      size: Size(rows: 3, columns: 8),
      cells: [
        cells("▌ bob   ") { $0 < 5 ? selection : base }, cells("        ") { _ in base },
        cells(" now  ▀ ") { others[$0] ?? base },
      ], roles: roles)
  }()

  /// ``themed`` in version 2, which has no roles.
  private static let themedInVersion2 = """
    qwinkle-snapshot 2 size=8x3 cursor=none
    |▌ bob   |
    |        |
    | now  ▀ |
    styles
    0: 0-4 bold fg=#FFFFFF bg=#6B3A1F, 5-7 fg=#E0D1BE bg=#241C18
    1: 0-7 fg=#E0D1BE bg=#241C18
    2: 0 fg=#E0D1BE bg=#241C18, 1-3 fg=#A08B6E bg=#241C18, 4-5 fg=#E0D1BE bg=#241C18, 6 fg=237 bg=238, 7 dim
    end

    """

  private static func parsed(_ text: String) -> Result<Snapshot, SnapshotFormatError> {
    Result { () throws(SnapshotFormatError) in try Snapshot(parsing: text) }
  }

  @Test func `the file is readable by people`() {
    #expect(
      Self.styled.fileText == """
        qwinkle-snapshot 2 size=12x3 cursor=1,4
        |Home        |
        |海斗 k      | wide 0x2
        |a|b\\        |
        styles
        0: 0-3 bold fg=4
        2: 0 bg=#1A2B3C, 1 dim italic underline reverse, 2-11 bg=#1A2B3C
        end

        """)
  }

  @Test func `styles are named by role and a legend describes each used role`() {
    #expect(
      Self.themed.fileText == """
        qwinkle-snapshot 3 size=8x3 cursor=none
        |▌ bob   |
        |        |
        | now  ▀ |
        roles
        text: fg=#E0D1BE bg=#241C18
        dim: fg=#A08B6E bg=#241C18
        selection: bold fg=#FFFFFF bg=#6B3A1F
        styles
        0: 0-4 selection
        2: 1-3 dim, 6 fg=237 bg=238, 7 plain dim
        end

        """)
  }

  @Test func `a version 2 snapshot is parsed and equals the same screen in version 3`() throws {
    let read = try Snapshot(parsing: Self.themedInVersion2)
    #expect(read.roles.isEmpty)
    #expect(read.cells == Self.themed.cells)
    #expect(read.fileText == Self.themedInVersion2)
    #expect(SnapshotComparison(expected: read, actual: Self.themed).isSame)
    let changed = try Snapshot(parsing: Self.themedInVersion2.replacing("5-7 fg=#E0D1BE", with: "5-7 fg=#E0D1BF"))
    #expect(
      SnapshotComparison(expected: changed, actual: Self.themed).differingCells
        == (5...7).map { Point(row: 0, column: $0) })
  }

  @Test func `a snapshot is unchanged after it is written and read`() throws {
    #expect(try Snapshot(parsing: Self.styled.fileText) == Self.styled)
    #expect(try Snapshot(parsing: Self.themed.fileText) == Self.themed)
    let empty = Snapshot(size: .zero, cells: [])
    #expect(try Snapshot(parsing: empty.fileText) == empty)
    let noColumns = Snapshot(size: Size(rows: 2, columns: 0), cells: [])
    #expect(try Snapshot(parsing: noColumns.fileText) == noColumns)
  }

  @Test(arguments: [
    "e\u{301}", "\u{E9}", "\u{301}", "\u{1B}", "\n", "\r", "\u{200B}", "\u{FFFD}", "|", "=", "\u{2028}", "각",
  ])
  func `any characters in a cell are preserved scalar by scalar`(text: String) throws {
    for columns in [1, 2] {
      let cells = [SnapshotCell(text: "a"), SnapshotCell(text: text, columns: columns)]
      let snapshot = Snapshot(size: Size(rows: 2, columns: 4), cells: [cells, cells.reversed()])
      let read = try Snapshot(parsing: snapshot.fileText)
      #expect(read == snapshot)
      #expect(read.cells[0][1].text.utf8.elementsEqual(text.utf8))
      #expect(read.cells[0][1].columns == columns)
      #expect(snapshot.fileText.unicodeScalars.filter { $0 == "\n" }.count == 5)
    }
  }

  @Test func `every colour and attribute is preserved`() throws {
    let colors = [-2, -1, 0, 7, 8, 255, 256, 0xFFFFFF, 1 << 24, Int.max, Int.min]
    let cells = colors.enumerated().map { index, color in
      SnapshotCell(
        attributes: TextStyle.Attributes(rawValue: UInt8(index * 3 & 31)), foreground: color,
        background: colors[colors.count - 1 - index])
    }
    let snapshot = Snapshot(size: Size(rows: 1, columns: cells.count), cells: [cells])
    #expect(try Snapshot(parsing: snapshot.fileText) == snapshot)
  }

  @Test(arguments: [Soak.seed]) func `generated screens are preserved`(seed: UInt64) throws {
    var state = seed
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let texts = ["a", " ", "海", "😀", "e\u{301}", "\u{200D}", "|", "x\u{489}\u{489}"]
    for _ in 0..<200 {
      let size = Size(rows: random(6), columns: random(20))
      let cells = (0..<size.rows).map { _ in
        (0..<random(25)).map { _ in
          SnapshotCell(
            text: texts[random(texts.count)], columns: random(3),
            attributes: TextStyle.Attributes(rawValue: UInt8(random(40) < 30 ? 0 : random(256))),
            foreground: random(4) - 1)
        }
      }
      let roles = [
        SnapshotRole("text", foreground: random(4) - 1), SnapshotRole("dim", foreground: 2),
        SnapshotRole("strong", attributes: .bold),
      ]
      let snapshot = Snapshot(
        size: size, cells: cells, cursor: random(2) == 0 ? nil : Point(row: random(9), column: random(30)),
        roles: Array(roles.prefix(random(4))))
      #expect(try Snapshot(parsing: snapshot.fileText) == snapshot)
    }
  }

  @Test func `a wide cell is always followed by its second column`() {
    let wide = SnapshotCell(text: "海", columns: 2, foreground: 3)
    let row = Snapshot(size: Size(rows: 1, columns: 5), cells: [[wide, wide, SnapshotCell(columns: 0), wide, wide]])
    #expect(row.cells[0].map(\.columns) == [2, 0, 1, 2, 0])
    #expect(row.cells[0].map(\.text) == ["海", "", " ", "海", ""])
    #expect(row.cells[0][1].foreground == 3)
    #expect(row.text(ofRow: 0) == "海 海")
    #expect(Snapshot(size: Size(rows: 1, columns: 1), cells: [[wide]]).cells[0][0].columns == 1)
  }

  @Test func `a range of rows is a snapshot with its cursor and roles`() {
    let rows = Self.styled.rows(1..<3)
    #expect(rows.size == Size(rows: 2, columns: 12))
    #expect(rows.cells == Array(Self.styled.cells[1...]))
    #expect(rows.cursor == Point(row: 0, column: 4))
    #expect(Self.styled.rows(0..<1).cursor == nil)
    #expect(Self.styled.rows(0..<9) == Self.styled)
    #expect(Self.styled.rows(7..<9).size == Size(rows: 0, columns: 12))
    #expect(Self.themed.rows(1..<2).roles.map(\.name) == ["text"])
    #expect(Self.themed.rows(2..<3).roles.map(\.name) == ["text", "dim"])
  }

  @Test func `canonically equivalent characters are different`() {
    #expect(SnapshotCell(text: "e\u{301}") != SnapshotCell(text: "\u{E9}"))
    #expect(SnapshotCell(text: "a") == SnapshotCell(text: "a"))
  }

  @Test(arguments: [
    ("", 1), ("something else\n", 1), ("qwinkle-snapshot 4 size=1x1 cursor=none\n", 1),
    ("qwinkle-snapshot 3 size=1x1 cursor=none\n| |\nstyles\nend\n", 3),
    ("qwinkle-snapshot 2 size=1x1 cursor=none\n| |\nroles\ntext: plain\nstyles\nend\n", 3),
    ("qwinkle-snapshot 1 size=1x1 cursor=none bytes=0 writes=0 cells=0\n| |\nstyles\nend\n", 1),
    ("qwinkle-snapshot 2 size=1x1\n| |\nstyles\n", 1),
    ("qwinkle-snapshot 2 size=1x1 cursor=none bytes=0\n| |\nstyles\nend\n", 1),
    ("qwinkle-snapshot 2 size=-1x1 cursor=none\n", 1),
    ("qwinkle-snapshot 2 size=1x1 cursor=1\n", 1),
    ("qwinkle-snapshot 2 size=+1x1 cursor=none\n| |\nstyles\nend\n", 1),
    ("qwinkle-snapshot 2 size=9999999999x9999999999 cursor=none\n", 2),
  ])
  func `a malformed header is reported with its line`(text: String, line: Int) {
    guard case .failure(let error) = Self.parsed(text) else {
      Issue.record("\(text) was read")
      return
    }
    #expect(error.line == line)
  }

  @Test(arguments: [
    ("|ab|\n|c |\nstyles\n", 0), ("|ab|\n|c |\nstyles\nend\n", 5), ("|ab|\n|c|\nstyles\n", 3),
    ("|ab|\n|c  |\nstyles\n", 3),
    ("|ab|\nstyles\n", 3), ("|ab|\n|c |\n", 4), ("|ab|\n|c |\n|d |\nstyles\n", 4), ("|ab|\n\nstyles\n", 3),
    ("|ab|\n| c \nstyles\n", 3), ("|ab| \n|c |\nstyles\n", 2), ("|ab|\r\n|c |\nstyles\n", 2),
    ("|海| wide 0\n|c |\nstyles\n", 0), ("|海|\n|c |\nstyles\n", 2), ("|a海| wide 1\n|c |\nstyles\n", 2),
    ("|海| wide 0x1\n|c |\nstyles\n", 2), ("|海| wide 0x999999999999999999\n|c |\nstyles\n", 2),
    ("|海| wide 0 1\n|c |\nstyles\n", 2), ("|海| wide\n|c |\nstyles\n", 2), ("|海| tall 0\n|c |\nstyles\n", 2),
    ("|\u{FFFD}b| text 0=1B\n|c |\nstyles\n", 0), ("|\u{FFFD}b| text 0=1b\n|c |\nstyles\n", 2),
    ("|ab| text 0=1B\n|c |\nstyles\n", 2), ("|ab| text 0=D800\n|c |\nstyles\n", 2), ("|ab| text 0=\n|c |\nstyles\n", 2),
    ("|ab| text 7=1B\n|c |\nstyles\n", 2), ("|\u{1B}b|\n|c |\nstyles\n", 2),
  ])
  func `a malformed row is reported with its line`(rows: String, line: Int) {
    check("qwinkle-snapshot 2 size=2x2 cursor=none\n" + rows + "end\n", line: line)
  }

  @Test(arguments: [
    ("0: 0 bold\n2: 1-2 fg=1\n", 0), ("0: 0 bold, 2 dim fg=#0A0B0C\n", 0), ("0: 0 bold\n\n", 7), ("\n", 6),
    ("end\n", 6),
    ("3: 0 bold\n", 6), ("0: 4 bold\n", 6), ("0: 2-1 bold\n", 6), ("0: 0-3 bold\n0: 1 dim\n", 6),
    ("2: 0 dim\n0: 1 dim\n", 6),
    ("0: 0 blink\n", 6), ("0: 0\n", 6), ("0: 0 \n", 6), ("0: 0 plain\n", 6), ("0 0 bold\n", 6), ("0: bold\n", 6),
    ("0: 0 fg=\n", 6), ("0: 0 fg=#12345\n", 6), ("0: 0 fg=-1\n", 6), ("0: 0 fg=4 bold\n", 6), ("0: 0 bold,1 dim\n", 6),
    ("0: 0 bold, 1 bold\n", 6), ("0: 0-0 bold\n", 6), ("0: 0-1-2 bold\n", 6), ("0: 0 bold,\n", 6), ("0: 00 bold\n", 6),
    ("0: 1 bold, 0 dim\n", 6), ("0:0 bold\n", 6), ("0: 0  bold\n", 6), ("0: 0 bold bold\n", 6),
    ("0: 0 bold\n1: 0 wide\n", 7),
  ])
  func `a malformed style is reported with its line`(styles: String, line: Int) {
    let start = "qwinkle-snapshot 2 size=3x3 cursor=none\n|a  |\n|b  |\n|c  |\nstyles\n"
    check(start + styles + "end\n", line: line)
  }

  @Test(arguments: [
    ("text: plain\nstyles\n", 0), ("text: plain\ndim: fg=8\nstyles\n0: 0 dim\n", 0),
    ("text: fg=7\nstyles\n0: 0 plain, 1-2 plain bold\n", 0), ("styles\n", 4), ("text\nstyles\n", 4),
    (": plain\nstyles\n", 4), ("text: blink\nstyles\n", 4), ("text:plain\nstyles\n", 4), ("text: plain\n\nstyles\n", 5),
    ("text: plain\ndim: fg=8\nstyles\n", 5), ("text: plain\ndim: fg=8\nrule: fg=8\nstyles\n0: 0 rule\n", 6),
    ("text: plain\ndim: fg=8\nstyles\n0: 0 fg=8\n", 7), ("text: plain\nstyles\n0: 0 dim\n", 6),
    ("text: plain\nstyles\n0: 0 text\n", 6), ("text: plain\nstyles\n0: 0 accent\n", 6),
  ])
  func `a malformed role is reported with its line`(roles: String, line: Int) {
    check("qwinkle-snapshot 3 size=3x1 cursor=none\n|a  |\nroles\n" + roles + "end\n", line: line)
  }

  /// Checks that parsing fails at `line`, or succeeds if `line` is 0.
  private func check(_ text: String, line: Int) {
    switch Self.parsed(text) {
    case .success(let snapshot):
      #expect(line == 0)
      #expect(snapshot.fileText.utf8.elementsEqual(text.utf8))
    case .failure(let error):
      #expect(error.line == line, "\(error.sentence)")
      #expect(error.sentence.hasPrefix("Line \(error.line): "))
    }
  }

  @Test(arguments: [styled, themed]) func `truncated files are rejected and no change crashes`(snapshot: Snapshot) {
    let bytes = Array(snapshot.fileText.utf8)
    for index in bytes.indices {
      #expect(throws: SnapshotFormatError.self) {
        try Snapshot(parsing: String(decoding: bytes[..<index], as: UTF8.self))
      }
      for byte in [
        UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "|"), UInt8(ascii: "\n"), UInt8(ascii: " "), 0xFF,
      ] {
        var changed = bytes
        changed[index] = byte
        let text = String(decoding: changed, as: UTF8.self)
        if case .success(let snapshot) = Self.parsed(text) {
          #expect(snapshot.fileText.utf8.elementsEqual(text.utf8))
        }
      }
    }
  }
}
