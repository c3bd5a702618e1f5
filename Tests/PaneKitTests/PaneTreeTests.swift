import Terminal
import TerminalTesting
import Testing

@testable import PaneKit
@testable import PaneTrees

@Suite(.bounded) struct PaneTreeTests {
  private func tree(_ text: String) throws -> PaneTree<String> { try PaneTree(text: text) }

  @Test(arguments: [
    "home", "home | messages", "home*60 | messages*40", "home | (messages / notifications)",
    "(a / b)*30 | (c | d)*70", "home / list/Friends", #""list/5/My friends" | "search two words""#,
  ])
  func `a text is read and written unchanged`(text: String) throws {
    #expect(try tree(text).text == text)
  }

  @Test func `parts with weights share the length`() throws {
    let frames = try tree("a*2 | b | c").frames(in: Size(rows: 20, columns: 162))
    #expect(frames.panes.map(\.frame.size.columns) == [80, 40, 40])
  }

  @Test func `stacked panes bind tighter than panes next to each other`() throws {
    #expect(try tree("a | b / c") == tree("a | (b / c)"))
  }

  @Test(arguments: [
    ("", 0), ("|", 0), ("a |", 3), ("a b", 2), ("(a", 2), ("a)", 1), ("a*", 2), ("a*0", 3), ("a*1001", 6), ("\"a", 2),
    ("\"\"", 1),
  ])
  func `a malformed text is rejected where the error is`(text: String, offset: Int) {
    #expect(throws: PaneTreeProblem(offset: offset)) { try PaneTree(text: text) }
  }

  @Test func `a text with too many parts is rejected`() {
    #expect(throws: PaneTreeProblem.self) {
      try PaneTree(text: String(repeating: "(", count: 10_000) + "a" + String(repeating: ")", count: 10_000))
    }
    #expect(throws: PaneTreeProblem.self) {
      try PaneTree(text: Array(repeating: "a", count: 1000).joined(separator: "|"))
    }
  }

  @Test func `a split halves its pane, and removing a pane gives its neighbor the room`() throws {
    var panes = try tree("a | b")
    panes.split("b", along: .rows, with: "c")
    #expect(panes.text == "a | (b / c)")
    panes.remove("a")
    #expect(panes.text == "b / c")
    panes.remove("b")
    panes.remove("c")
    #expect(panes.text == "c")
  }

  @Test func `two panes exchange their positions`() throws {
    var panes = try tree("a | (b / c)")
    panes.swap("a", "c")
    #expect(panes.text == "c | (b / a)")
  }

  @Test func `equal panes of a row have equal widths`() throws {
    var panes = try tree("a*90 | (b*90 | (c / d)*10)*10")
    panes.equalize()
    let frames = panes.frames(in: Size(rows: 20, columns: 152))
    #expect(frames.panes.map(\.frame.size.columns) == [50, 50, 50, 50])
    #expect(frames.panes.map(\.frame.size.rows) == [20, 20, 10, 10])
  }

  @Test(
    arguments: [
      ("a", PaneDirection.right, "b"), ("a", .down, nil), ("b", .left, "a"), ("b", .down, "c"), ("c", .up, "b"),
      ("c", .left, "a"), ("c", .right, nil),
    ] as [(String, PaneDirection, String?)])
  func `a neighbor is next to the pane`(pane: String, direction: PaneDirection, neighbor: String?) throws {
    let frames = try tree("a | (b / c)").frames(in: Size(rows: 20, columns: 100))
    #expect(frames.neighbor(of: pane, toward: direction) == neighbor)
  }

  @Test func `a pane grows from either side of a line, down to the smallest size`() throws {
    let size = Size(rows: 20, columns: 101)
    var panes = try tree("a | b")
    panes.grow("a", along: .columns, by: 5, in: size)
    #expect(panes.frames(in: size).panes.map(\.frame.size.columns) == [55, 45])
    panes.grow("b", along: .columns, by: 5, in: size)
    #expect(panes.frames(in: size).panes.map(\.frame.size.columns) == [50, 50])
    panes.grow("b", along: .columns, by: 500, in: size)
    #expect(panes.frames(in: size).panes.map(\.frame.size.columns) == [24, 76])
    panes.grow("b", along: .rows, by: 3, in: size)
    #expect(panes.frames(in: size).panes.map(\.frame.size.rows) == [20, 20])
  }

  @Test func `random trees keep their frames apart and the focused pane visible`() {
    for seed in Soak.seeds(300) {
      var random = SplitMix(seed: seed)
      var panes = PaneTree.pane(0)
      for number in 1..<Int.random(in: 2...9, using: &random) {
        let axis: PaneAxis = .random(using: &random)
        panes.split(panes.panes.randomElement(using: &random) ?? 0, along: axis, with: number)
      }
      let size = Size(rows: .random(in: 1...50, using: &random), columns: .random(in: 1...200, using: &random))
      for _ in 0..<5 {
        panes.grow(
          .random(in: 0..<9, using: &random), along: .random(using: &random), by: .random(in: -30...30, using: &random),
          in: size)
      }
      // A window that has just become smaller lays out a tree that doesn't fit.
      let small = Size(rows: .random(in: 0...20, using: &random), columns: .random(in: 0...60, using: &random))
      let bounds = Rect(origin: .zero, size: small)
      #expect(
        panes.frames(in: small).panes.allSatisfy { $0.frame.intersection(bounds) == $0.frame || $0.frame.isEmpty })
      let focus = panes.panes.randomElement(using: &random) ?? 0
      let shown = panes.fitted(to: size, around: focus)
      #expect(shown.contains(focus))
      check(shown.frames(in: size), in: size, isSingle: shown.panes.count == 1)
    }
  }

  /// Each cell belongs to one pane or vertical line, and no pane is smaller than the minimum.
  private func check(_ frames: PaneFrames<Int>, in size: Size, isSingle: Bool) {
    var counts = Array(repeating: 0, count: size.rows * size.columns)
    let rects = frames.panes.map(\.frame) + frames.borders.filter { $0.axis == .columns }.map(\.frame)
    for rect in rects {
      for row in rect.rows {
        for column in rect.origin.column..<(rect.origin.column + rect.size.columns) {
          counts[row * size.columns + column] += 1
        }
      }
    }
    #expect(counts.allSatisfy { $0 == 1 })
    let minimum = PaneTree<Int>.minimumSize
    #expect(
      isSingle
        || frames.panes.allSatisfy {
          $0.frame.size.rows >= min(minimum.rows, size.rows)
            && $0.frame.size.columns >= min(minimum.columns, size.columns)
        })
  }
}

extension PaneAxis {
  fileprivate static func random(using random: inout SplitMix) -> PaneAxis {
    Bool.random(using: &random) ? .columns : .rows
  }
}
