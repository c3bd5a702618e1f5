import PaneKit
import QwinkleModel
import QwinkleTesting
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// A list in both orders, after random changes of a list on a server with random events.
@MainActor
@Suite(.bounded) struct ListOrderTests {
  @Test(arguments: [false, true])
  func `after random changes a list shows its rows in order and doesn't move them`(isOldestFirst: Bool) async throws {
    var bench = try Bench(rows: 14, columns: 40)
    for (number, seed) in Soak.seeds(80, times: 250).enumerated() {
      // The terminal of a bench records its frames.
      if number.isMultiple(of: 200) { bench = try Bench(rows: 14, columns: 40) }
      let run = Run(seed: seed, isOldestFirst: isOldestFirst)
      await bench.show(run.screen)
      for step in 0..<20 {
        let faults = await run.step(on: bench)
        #expect(faults.isEmpty, "seed \(seed), step \(step): \(faults.joined(separator: "; "))\n\(bench.text)")
        if !faults.isEmpty { return }
      }
    }
  }

  @Test func `a list that is turned over keeps its selection`() async throws {
    let bench = try Bench(rows: 14, columns: 40)
    let run = Run(seed: 7, isOldestFirst: false)
    await bench.show(run.screen)
    for _ in 0..<10 where run.screen.rows.count < 5 { _ = await run.step(on: bench) }
    try #require(run.screen.rows.count >= 5)
    run.screen.select(3)
    let selected = run.screen.selectedRow
    for isOldestFirst in [true, false] {
      run.screen.setOrder(oldestFirst: isOldestFirst)
      await bench.settle()
      #expect(run.screen.selectedRow == selected)
      #expect(run.wordsOnScreen(of: bench) == run.expectedWords, "\(bench.text)")
    }
  }
}

/// A list that shows the rows of a random schedule.
@MainActor
private final class Run {
  let screen = ModelListViewController()
  private var schedule: ModelSchedule
  private var model = PagedRows<ModelRow>()

  init(seed: UInt64, isOldestFirst: Bool) {
    schedule = ModelSchedule(seed: seed)
    screen.setOrder(oldestFirst: isOldestFirst)
  }

  /// Performs a random step, and returns the faults of the screen after it.
  func step(on bench: Bench) async -> [String] {
    if let index = screen.rows.indices.randomElement(using: &schedule.random), Bool.random(using: &schedule.random) {
      screen.select(index)
      await bench.settle()
    }
    let selected = screen.selectedIndex
    let row = selected.map { screen.rows[$0] }
    let line = lineOfSelection(bench)
    let isFull = bench.rows.allSatisfy { !$0.isEmpty }
    let change = act()
    screen.show(model.rows, after: change)
    await bench.settle()
    var faults: [String] = []
    if wordsOnScreen(of: bench) != expectedWords { faults.append("not \(expectedWords)") }
    guard let selected, let row, !change.removed.contains(selected) else { return faults }
    if screen.selectedRow?.id != row.id { faults.append("\(Self.word(row)) is no longer selected") }
    if isFull, change.removed.isEmpty, lineOfSelection(bench) != line { faults.append("\(Self.word(row)) has moved") }
    return faults
  }

  private func act() -> ListChange {
    switch Int.random(in: 0..<5, using: &schedule.random) {
    case 0: return poll()
    case 1:
      guard let cursor = model.older else { return poll() }
      return model.appendOlder(schedule.server.answer(from: cursor, size: schedule.size()).page)
    case 2:
      guard let cursor = model.rows.compactMap(\.cursor).randomElement(using: &schedule.random) else { return poll() }
      return model.fillGap(cursor, with: schedule.server.answer(from: cursor, size: schedule.size()).page)
    case 3: return model.insertOwn(schedule.server.post())
    default:
      for _ in 0..<3 { schedule.happen() }
      return poll()
    }
  }

  private func poll() -> ListChange {
    let answer = schedule.server.answer(size: schedule.size())
    schedule.didPoll()
    return model.mergeNewest(answer.page)
  }

  /// The visible rows, from top to bottom.
  var expectedWords: [String] {
    let words = screen.rows[screen.shownRows.clamped(to: screen.rows.indices)].map(Self.word)
    return screen.showsOldestFirst ? words.reversed() : words
  }

  func wordsOnScreen(of bench: Bench) -> [String] {
    var words: [String] = []
    for line in bench.rows {
      guard let word = line.split(separator: " ").last.map(String.init), word != words.last else { continue }
      words.append(word)
    }
    return screen.rows.isEmpty ? [] : words
  }

  private func lineOfSelection(_ bench: Bench) -> Int? { bench.rows.firstIndex { $0.hasPrefix("▌") } }

  static func word(_ row: PagedRow<ModelRow>) -> String {
    row.item.map { "#\($0.rowID.number)\($0.rowID.isBoost ? "b" : "")" } ?? "gap"
  }
}

/// A list of rows with one to three lines.
@MainActor
private final class ModelListViewController: ListViewController<PagedRow<ModelRow>> {
  init() { super.init(title: "Model") }

  override var currentRows: [PagedRow<ModelRow>]? { allRows }

  override func cell(forRowAt index: Int) -> any ListCell {
    let row = rows[index]
    let line = CellLine(column: 2, runs: [TextRun(Run.word(row), .text)])
    let count = row.item.map { 1 + $0.rowID.number % 3 } ?? 1
    return LinesCell { _ in Array(repeating: line, count: count) }
  }
}
