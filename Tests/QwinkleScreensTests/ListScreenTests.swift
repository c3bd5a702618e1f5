import FoundationEssentials
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// The behaviour of every list screen, tested with a minimal list of plants.
@MainActor
@Suite(.bounded) struct ListScreenTests {
  private func bench(_ plants: ClosedRange<Int>?, rows: Int = 24) async throws -> (Bench, PlantsViewController) {
    let bench = try Bench(rows: rows)
    let screen = PlantsViewController(plants.map { $0.map { Plant(id: $0) } } ?? [])
    screen.navigator = bench.navigator
    return (bench, screen)
  }

  @Test func `rows are loaded when they are first shown and Enter opens one`() async throws {
    let (bench, screen) = try await bench(1...3)
    #expect(screen.askedForRows == 0)
    await bench.show(screen)
    #expect(screen.askedForRows == 1)
    await bench.press("j", "Enter")
    #expect(screen.opened.map(\.id) == [2])
  }

  @Test func `a placeholder replaces missing rows and a footer follows the last row`() async throws {
    let (bench, screen) = try await bench(nil)
    await bench.show(screen)
    #expect(bench.text.contains("Nothing grows here."))
    screen.ownState.isLoadingMore = true
    screen.updateWords()
    await bench.settle()
    #expect(!bench.text.contains(PlaceholderWords.fetchingMore))
    screen.showKeepingSelection([Plant(id: 1)])
    await bench.settle()
    #expect(!bench.text.contains("Nothing grows here.") && bench.text.contains(PlaceholderWords.fetchingMore))
  }

  @Test func `older rows are fetched ten rows before the end and cached ones two`() async throws {
    for (isKept, ahead) in [(false, 10), (true, 2)] {
      let (bench, screen) = try await bench(1...40, rows: 10)
      screen.keepsMore = isKept
      await bench.show(screen)
      var seen: [Int] = []
      while screen.olderCount == 0 {
        try #require(seen.count < 40, "older rows are never fetched")
        seen.append(screen.shownRows.upperBound)
        await bench.press("^E")
      }
      #expect(seen.last == 40 - ahead - 1)
    }
  }

  @Test func `older rows aren't loaded after a failure, and after a cancellation only on request`() async throws {
    let (bench, screen) = try await bench(1...5)
    screen.ownState.error = .transport(.timedOut(host: "example.org"))
    await bench.show(screen)
    screen.loadOlderWhereNeeded(byReader: true)
    #expect(screen.olderCount == 0)
    screen.ownState.error = nil
    screen.ownState.wasCancelled = true
    screen.loadOlderWhereNeeded()
    #expect(screen.olderCount == 0)
    screen.loadOlderWhereNeeded(byReader: true)
    #expect(screen.olderCount == 1)
  }

  @Test func `after five pages without visible rows, loading waits for the reader`() async throws {
    let (bench, screen) = try await bench(nil)
    screen.hides = true
    screen.loadOlderWhereNeeded()
    #expect(screen.olderCount == 0, "not on the screen")
    await bench.show(screen)
    for _ in 0..<20 {
      screen.countHiddenPage()
      screen.loadOlderWhereNeeded()
    }
    #expect(screen.olderCount == 4)
    screen.readerDidAct(wasHere: false)
    #expect(screen.olderCount == 4)
    screen.readerDidAct(wasHere: true)
    #expect(screen.olderCount == 5)
    screen.countHiddenPage()
    screen.showKeepingSelection([Plant(id: 1)])
    screen.countHiddenPage()
    #expect(screen.hiddenPages == 0)
  }

  @Test func `an empty list that hides no rows loads no pages to replace them`() async throws {
    let (bench, screen) = try await bench(nil)
    await bench.show(screen)
    screen.countHiddenPage()
    screen.loadOlderWhereNeeded(byReader: true)
    #expect(screen.olderCount == 0 && screen.hiddenPages == 0)
  }

  @Test func `the selection stays with its row`() async throws {
    let (bench, screen) = try await bench(1...9)
    await bench.show(screen)
    for _ in 0..<4 { await bench.press("j") }
    #expect(screen.selectedRow?.id == 5)
    // Rows are inserted above, one in the middle is removed, and the selected one moves.
    let change = screen.showKeepingSelection([11, 10, 5, 1, 2, 4, 6, 12, 7, 8, 9].map { Plant(id: $0) })
    #expect(change == ListChange(removed: [2, 4], inserted: [0..<3, 7..<8], returned: [2]))
    await bench.settle()
    #expect(screen.selectedRow?.id == 5 && bench.selected == ["▌plant 5"])
    // The selected row is removed, so the next one is selected.
    screen.showKeepingSelection([11, 10, 1, 2].map { Plant(id: $0) })
    await bench.settle()
    #expect(bench.selected == ["▌plant 1"])
  }

  @Test func `a leading cell can be selected and opened but is not a row`() async throws {
    let (bench, screen) = try await bench(1...3)
    screen.leadingCell = PlantCell(text: "garden")
    await bench.show(screen)
    #expect(screen.selectedRow == nil && screen.isLeadingCellSelected)
    await bench.press("Enter")
    #expect(screen.openedLeading == 1 && screen.opened.isEmpty)
    await bench.press("j", "Enter")
    #expect(screen.opened.map(\.id) == [1])
    screen.showKeepingSelection([4, 1, 3].map { Plant(id: $0) })
    await bench.settle()
    #expect(bench.selected == ["▌plant 1"])
    #expect(bench.rows.prefix(4).map { $0.drop { $0 == "▌" } } == ["garden", "plant 4", "plant 1", "plant 3"])
  }

  @Test func `the reader's position is restored even among cached rows`() async throws {
    let (bench, screen) = try await bench(1...9)
    await bench.show(screen)
    #expect(screen.currentPlace == nil)
    for _ in 0..<6 { await bench.press("j") }
    let place = try #require(screen.currentPlace)
    let (_, later) = try await self.bench(1...3)
    later.kept = (4...9).map { Plant(id: $0) }
    later.go(to: place)
    #expect(later.askedForRows == 0)
    await bench.show(later)
    #expect(bench.selected == ["▌plant 7"])
    later.go(to: ListPlace(selected: "99"))
    #expect(later.selectedRow?.id == 7)
  }

  @Test func `unread rows can be selected in both directions`() async throws {
    let (bench, screen) = try await bench(1...9)
    screen.unread = [3, 6]
    #expect(screen.selectUnread(.first) && screen.selectedRow?.id == 3)
    await bench.show(screen)
    #expect(screen.selectUnread(.next) && screen.selectedRow?.id == 6)
    #expect(!screen.selectUnread(.next))
    #expect(screen.selectUnread(.previous) && screen.selectedRow?.id == 3)
  }
}

private struct Plant: Identifiable, Hashable {
  var id: Int
}

private struct PlantCell: ListCell {
  var text: String

  func rows(forColumns columns: Int) -> Int { 1 }

  func draw(in canvas: Canvas, selection: ListSelection) {
    canvas.write((selection == .none ? "" : "▌") + text, row: 0, column: 0, role: .text)
  }
}

private final class PlantsViewController: ListViewController<Plant> {
  private let plants: [Plant]
  var kept: [Plant] = []
  var unread: Set<Int> = []
  var keepsMore = false
  var hides = false
  private(set) var askedForRows = 0
  private(set) var olderCount = 0
  private(set) var opened: [Plant] = []
  private(set) var openedLeading = 0

  init(_ plants: [Plant]) {
    self.plants = plants
    super.init(title: "Plants")
    ownState.refreshedAt = .distantPast
  }

  override var currentRows: [Plant]? {
    askedForRows += 1
    return plants
  }

  override var hasMoreCached: Bool { keepsMore }
  override var hidesRows: Bool { hides }
  override func loadOlder() { olderCount += 1 }
  override func cell(forRowAt index: Int) -> any ListCell { PlantCell(text: "plant \(rows[index].id)") }
  override func open(_ row: Plant) { opened.append(row) }
  override func openLeadingCell() { openedLeading += 1 }
  override func isUnread(_ row: Plant) -> Bool { unread.contains(row.id) }
  override func placeKey(of row: Plant) -> String? { "\(row.id)" }
  override func loadCached(around keys: [String]) { showKeepingSelection(rows + kept) }

  override var nothing: PlaceholderWords.Lines { PlaceholderWords.nothing("Nothing grows here.") }
}
