import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import PaneKit

/// A list of items of given heights on a screen of a given size. The rows of item 3 read `3.0`, `3.1`, …
@MainActor
private final class ListFixture: ListViewDataSource, ListViewDelegate {
  private struct Item: ListCell {
    let name: String
    let height: Int

    func rows(forColumns columns: Int) -> Int { height }

    func draw(in canvas: Canvas, selection: ListSelection) {
      for row in 0..<height { canvas.write("\(selection != .none ? ">" : " ")\(name).\(row)", row: row, column: 0) }
    }
  }

  var heights: [(String, Int)]
  /// Items at which navigation stops.
  var stops: Set<Int> = []
  var asked: Set<Int> = []
  var shown = 0..<0
  let list = ListView()
  let driver: MemoryDriver
  let application: Application

  init(heights: [Int], rows: Int) throws {
    self.heights = heights.enumerated().map { ("\($0)", $1) }
    driver = MemoryDriver(rows: rows, columns: 20)
    application = Application(
      driver: driver, clock: VirtualClock(),
      keymap: try Keymap(
        text: """
          list  list.next      j   next: next
          list  list.previous  k   previous: previous
          list  list.first     gg  first: first
          list  list.last      G   last: last
          list  list.page-down  f  page: page
          list  list.page-up    b  page: page
          list  list.line-down  e  line: line
          """), theme: Theme([:]))
    list.dataSource = self
    list.delegate = self
    list.keyContext = "list"
    list.performListActions()
    application.window.rootViewController = ViewController(view: list)
    list.reloadData()
    try application.launch()
  }

  func numberOfItems(in listView: ListView) -> Int { heights.count }

  func listView(_ listView: ListView, cellForItemAt index: Int) -> any ListCell {
    asked.insert(index)
    return Item(name: heights[index].0, height: heights[index].1)
  }

  func listView(_ listView: ListView, didSelectItemAt index: Int?) {}
  func listView(_ listView: ListView, didShowItemsIn range: Range<Int>) { shown = range }
  func listView(_ listView: ListView, stopsAtItem index: Int) -> Bool { stops.contains(index) }

  var screen: [String] { (0..<driver.size.rows).map { driver.row($0) } }

  /// Performs `change` outside of key handling, then presses an unbound key to show a frame.
  func change(_ change: () -> Void) {
    change()
    driver.press("F9")
  }
}

@MainActor
@Suite struct ListViewTests {
  @Test func `paging, lines and counts never skip an item at which navigation stops`() throws {
    let fixture = try ListFixture(heights: Array(repeating: 1, count: 40), rows: 6)
    let list = fixture.list
    fixture.stops = [7, 8, 20]
    func places(_ key: String, _ count: Int) -> [Int?] {
      (0..<count).map { _ in
        fixture.driver.press(key)
        return list.selectedIndex
      }
    }
    // Pages stop at 7 and again at 8, directly below it.
    #expect(places("f", 5) == [4, 7, 8, 12, 16])
    #expect(places("f", 2) == [20, 24])
    #expect(list.shownItems?.contains(24) == true)
    #expect(Set(places("b", 12)).isSuperset(of: [20, 8, 7, 0]))
    list.select(1)
    fixture.driver.press("M-9")
    fixture.driver.press("j")
    #expect(list.selectedIndex == 7)
    fixture.driver.press("M-9")
    fixture.driver.press("j")
    #expect(list.selectedIndex == 8)
    list.select(0)
    // Scrolling by line moves the selection down one item at a time.
    var seen: [Int] = []
    for _ in 0..<30 {
      fixture.driver.press("e")
      seen.append(list.selectedIndex ?? -1)
    }
    #expect(Set(seen).isSuperset(of: [7, 8, 20]))
  }

  @Test func `a list of a million items loads only visible cells`() throws {
    let fixture = try ListFixture(heights: Array(repeating: 2, count: 1_000_000), rows: 6)
    #expect(fixture.screen.prefix(2) == [">0.0", ">0.1"])
    #expect(fixture.asked.count < 20)
    fixture.driver.press("G")
    #expect(fixture.screen.last == ">999999.1")
    #expect(fixture.asked.count < 60)
  }

  @Test func `moving down scrolls just enough to show the whole item`() throws {
    let fixture = try ListFixture(heights: [2, 2, 2, 2], rows: 5)
    fixture.driver.press("j", "j")
    #expect(fixture.screen == [" 0.1", " 1.0", " 1.1", ">2.0", ">2.1"])
    fixture.driver.press("k", "k")
    #expect(fixture.screen == [">0.0", ">0.1", " 1.0", " 1.1", " 2.0"])
  }

  @Test func `an item taller than the screen scrolls by rows before the selection moves`() throws {
    let fixture = try ListFixture(heights: [1, 7, 1], rows: 4)
    fixture.driver.press("j")
    #expect(fixture.screen == [">1.0", ">1.1", ">1.2", ">1.3"])
    fixture.driver.press("j", "j", "j")
    #expect(fixture.screen == [">1.3", ">1.4", ">1.5", ">1.6"])
    fixture.driver.press("j")
    #expect(fixture.screen.last == ">2.0")
    fixture.driver.press("k")
    #expect(fixture.screen == [">1.3", ">1.4", ">1.5", ">1.6"])
    fixture.driver.press("k")
    #expect(fixture.screen == [">1.2", ">1.3", ">1.4", ">1.5"])
    fixture.driver.press("k", "k", "k")
    #expect(fixture.screen.first == ">0.0")
  }

  @Test func `a layout preserves the scroll position in an item taller than the screen`() throws {
    let fixture = try ListFixture(heights: [20, 1], rows: 4)
    for row in 1...16 {
      fixture.driver.press("j")
      #expect(fixture.screen.first == ">0.\(row)")
      fixture.change { fixture.list.setNeedsLayout() }
      #expect(fixture.screen.first == ">0.\(row)")
    }
    fixture.driver.press("j")
    #expect(fixture.screen.last == ">1.0")
  }

  @Test func `Alt and digits repeat the next key that moves`() throws {
    let fixture = try ListFixture(heights: Array(repeating: 1, count: 40), rows: 5)
    fixture.driver.press("M-1", "M-2", "j")
    #expect(fixture.screen.contains(">12.0"))
    fixture.driver.press("M-3", "k")
    #expect(fixture.screen.contains(">9.0"))
    fixture.driver.press("j")
    #expect(fixture.screen.contains(">10.0"))
    fixture.driver.press("M-9", "M-9", "M-9", "M-9", "j")
    #expect(fixture.screen.contains(">39.0"))
  }

  @Test func `a key that does not move the selection discards the count`() throws {
    let fixture = try ListFixture(heights: Array(repeating: 1, count: 40), rows: 5)
    fixture.driver.press("M-5", "x", "j")
    #expect(fixture.screen.contains(">1.0"))
    fixture.driver.press("M-0", "j")
    #expect(fixture.screen.contains(">2.0"))
  }

  @Test func `inserting items above preserves the visible rows`() throws {
    let fixture = try ListFixture(heights: Array(repeating: 2, count: 10), rows: 6)
    fixture.driver.press("j", "j", "j", "j")
    let before = fixture.screen
    fixture.change {
      fixture.heights.insert(contentsOf: [("a", 3), ("b", 1)], at: 0)
      fixture.list.update(inserted: [0..<2])
    }
    #expect(fixture.screen == before)
    #expect(fixture.list.selectedIndex == 6)
  }

  @Test func `a list at its top can reveal items inserted above`() throws {
    let fixture = try ListFixture(heights: [2, 2], rows: 6)
    fixture.change {
      fixture.heights.insert(("a", 1), at: 0)
      fixture.list.update(inserted: [0..<1], followsTop: true)
    }
    #expect(fixture.screen.prefix(3) == [" a.0", ">0.0", ">0.1"])
  }

  @Test func `removing the last item selects the previous one`() throws {
    let fixture = try ListFixture(heights: [1, 1, 1], rows: 6)
    fixture.driver.press("G")
    fixture.change {
      fixture.heights.removeLast()
      fixture.list.update(removed: [2])
    }
    #expect(fixture.screen.prefix(3) == [" 0.0", ">1.0", ""])
  }

  @Test func `removing and inserting items in one update shows the right items`() throws {
    let fixture = try ListFixture(heights: Array(repeating: 2, count: 12), rows: 6)
    fixture.change {
      fixture.heights.removeFirst()
      fixture.heights.insert(contentsOf: [("a", 2), ("b", 2), ("c", 2)], at: 0)
      fixture.list.update(removed: [0], inserted: [0..<3])
    }
    fixture.driver.press("g", "g")
    for _ in 0..<13 { fixture.driver.press("j") }
    for (index, item) in fixture.heights.enumerated() {
      fixture.change { fixture.list.select(index) }
      #expect(fixture.screen.contains(">\(item.0).0"))
    }
  }

  @Test func `nested batch updates are applied as one change`() throws {
    let fixture = try ListFixture(heights: Array(repeating: 1, count: 10), rows: 12)
    fixture.change { fixture.list.select(5) }
    fixture.change {
      fixture.heights = ["a", "b", "2", "3", "5", "c", "6", "7", "9", "d"].map { ($0, 1) }
      fixture.list.performBatchUpdates {
        fixture.list.insertItems(at: 5..<6)
        fixture.list.deleteItems(at: [0, 1])
        fixture.list.beginUpdates()
        fixture.list.insertItems(at: 0..<2)
        fixture.list.deleteItems(at: [8, 4])
        fixture.list.endUpdates()
        fixture.list.insertItems(at: 9..<10)
        #expect(fixture.list.count == 10 && fixture.list.selectedIndex == 5, "nothing before the last one ends")
      }
    }
    #expect(
      fixture.screen.prefix(10) == [" a.0", " b.0", " 2.0", " 3.0", ">5.0", " c.0", " 6.0", " 7.0", " 9.0", " d.0"])
  }

  @Test func `an inconsistent update is reported and reloads the list`() throws {
    var reports: [String] = []
    let report = ProgrammingError.report
    ProgrammingError.report = { reports.append($0) }
    defer { ProgrammingError.report = report }
    let fixture = try ListFixture(heights: [1, 1, 1], rows: 6)
    fixture.change {
      fixture.heights.removeLast()
      fixture.list.update(removed: [0], inserted: [0..<3])
    }
    #expect(reports == ["a list would have 5 items after its change; its data source has 2"])
    #expect(fixture.screen.prefix(3) == [">0.0", " 1.0", ""])
    fixture.list.endUpdates()
    #expect(reports.count == 2)
  }

  @Test(arguments: [Soak.seed]) func `random updates show the same rows as a reload`(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    for _ in 0..<Soak.runs(60) {
      let fixture = try ListFixture(heights: Array(repeating: 1, count: .random(in: 0...8, using: &random)), rows: 30)
      for round in 0..<6 {
        let old = fixture.heights.map(\.0)
        let gone = old.indices.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
        var new = old.indices.filter { !gone.contains($0) }.map { old[$0] }
        var inserted: [Range<Int>] = []
        var place = 0
        while place <= new.count, inserted.count < 3 {
          place += .random(in: 0...4, using: &random)
          guard place <= new.count else { break }
          let count = Int.random(in: 1...3, using: &random)
          new.insert(contentsOf: (0..<count).map { "\(round)/\(inserted.count)/\($0)" }, at: place)
          inserted.append(place..<(place + count))
          place += count + 1
        }
        fixture.change {
          fixture.heights = new.map { ($0, 1) }
          fixture.list.update(removed: gone, inserted: inserted.shuffled(using: &random))
        }
        #expect(fixture.screen.prefix(new.count).map { String($0.dropFirst()) } == new.prefix(30).map { "\($0).0" })
        #expect(fixture.list.count == new.count && (fixture.list.selectedIndex == nil) == new.isEmpty)
      }
    }
  }

  @Test func `the selected item stays visible when the screen is resized`() throws {
    let fixture = try ListFixture(heights: Array(repeating: 2, count: 20), rows: 8)
    fixture.driver.press("G")
    for rows in [3, 1, 12, 2, 8] {
      fixture.driver.resize(rows: rows, columns: 20)
    }
    #expect(fixture.screen.last == ">19.1")
  }

  @Test(arguments: [Soak.seed])
  func `random keys leave no fillable row empty and keep the selection visible`(
    seed: UInt64
  ) throws {
    var random = SplitMix(seed: seed)
    for _ in 0..<Soak.runs(200) {
      let heights = (0..<Int.random(in: 1...12, using: &random)).map { _ in Int.random(in: 1...5, using: &random) }
      let fixture = try ListFixture(heights: heights, rows: Int.random(in: 1...9, using: &random))
      for _ in 0..<12 {
        fixture.driver.press(["j", "k", "G", "f", "e", "g"].randomElement(using: &random) ?? "j")
        let total = heights.reduce(0, +)
        let filled = fixture.screen.count { !$0.isEmpty }
        #expect(filled == min(total, fixture.driver.size.rows))
        #expect(fixture.screen.contains { $0.hasPrefix(">") })
      }
    }
  }
}
