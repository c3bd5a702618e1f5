import PaneKit
import Timekeeping

/// The time to select the next item in a list of a million items, compared with a list of a hundred. Both should take
/// the same time.
struct ListBench: Bench {
  func run() {
    report("list step, 1,000,000 items", step(items: 1_000_000), "100 items", step(items: 100))
  }

  private func step(items: Int) -> Double {
    let list = BenchList(items: items)
    return median { list.press() }
  }
}

/// A screen of 100x30 with a list.
@MainActor
private final class BenchList: ListViewDataSource {
  private struct Item: ListCell {
    let index: Int
    func rows(forColumns columns: Int) -> Int { 3 }
    func draw(in canvas: Canvas, selection: ListSelection) {
      canvas.write("item \(index)", row: 0, column: 2, role: selection != .none ? .strong : .text)
      canvas.write("The chard survives, the basil does not.", row: 1, column: 2)
    }
  }

  private let driver = SilentDriver()
  private let items: Int
  private let list = ListView()
  private let application: Application
  private var isGoingDown = true

  init(items: Int) {
    self.items = items
    let keymap =
      (try? Keymap(text: "list  list.next  j  next: next\nlist  list.previous  k  previous: previous")) ?? Keymap([])
    application = Application(driver: driver, clock: SystemClock(), keymap: keymap, theme: Theme([:]))
    list.dataSource = self
    list.keyContext = "list"
    list.performListActions()
    list.reloadData()
    application.window.rootViewController = ViewController(view: list)
    try? application.launch()
  }

  func press() {
    if list.selectedIndex == list.count - 1 { isGoingDown = false }
    if list.selectedIndex == 0 { isGoingDown = true }
    driver.press(isGoingDown ? "j" : "k")
  }

  func numberOfItems(in listView: ListView) -> Int { items }
  func listView(_ listView: ListView, cellForItemAt index: Int) -> any ListCell { Item(index: index) }
}
