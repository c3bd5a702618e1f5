import Testing

@testable import Terminal

@Suite struct TextLinkTests {
  private static let map = TextLink(target: "map")
  private static let bob = TextLink(target: "@bob")

  @Test func `wrapped text keeps its link and its neighbours stay apart`() {
    let runs = [TextRun("the ", 0), TextRun("long map", 0, link: Self.map), TextRun("@bob", 0, link: Self.bob)]
    let lines = TextLayout.wrap(runs, columns: 8)
    #expect(lines[0] == [TextRun("the ", 0), TextRun("long", 0, link: Self.map)])
    #expect(lines[1] == [TextRun("map", 0, link: Self.map), TextRun("@bob", 0, link: Self.bob)])
  }

  @Test func `a cell has its link until something else is written there`() {
    var grid = CellGrid(size: Size(rows: 2, columns: 8))
    grid.write("e\u{301}日ab", at: .zero, style: .plain)
    grid.add(Self.map, toColumns: 0..<4, row: 0, clip: Rect(row: 0, column: 1, rows: 1, columns: 9))
    #expect((0..<5).map { grid.link(at: Point(row: 0, column: $0)) } == [nil, Self.map, Self.map, Self.map, nil])
    #expect(grid.text(ofRow: 0) == "e\u{301}日ab" && grid[0, 1].text == "日")
    grid.write("xyz", at: .zero, style: .plain)
    #expect(grid.link(at: Point(row: 0, column: 2)) == nil && grid.link(at: Point(row: 0, column: 3)) == Self.map)
    #expect(grid.link(at: Point(row: 5, column: 50)) == nil)
  }

  @Test func `a larger grid has the same links`() {
    var grid = CellGrid(size: Size(rows: 1, columns: 4))
    grid.add(Self.bob, toColumns: 0..<1, row: 0)
    grid.add(Self.map, toColumns: 1..<2, row: 0)
    #expect(grid.fitted(to: Size(rows: 2, columns: 9)).link(at: Point(row: 0, column: 1)) == Self.map)
    var blank = grid.blank(size: Size(rows: 1, columns: 4))
    blank.add(Self.map, toColumns: 0..<1, row: 0)
    #expect(blank[0, 0].link == grid[0, 1].link)
  }

  @Test func `a crowded grid removes its links before their numbers are used up`() {
    var grid = CellGrid(size: Size(rows: 1, columns: 4))
    for number in LinkTable.numbers {
      grid.add(TextLink(target: "\(number)"), toColumns: 0..<1, row: 0)
      #expect(grid.link(at: .zero)?.target == "\(number)")
    }
    grid.add(Self.map, toColumns: 0..<1, row: 0)
    #expect(grid.hasManyLinks && grid.link(at: .zero) == nil)
    grid.removeLinks()
    grid.add(Self.map, toColumns: 0..<1, row: 0)
    #expect(!grid.hasManyLinks && grid.link(at: .zero) == Self.map)
  }
}
