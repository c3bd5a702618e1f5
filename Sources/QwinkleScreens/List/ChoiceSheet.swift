import PaneKit
import Terminal

/// A row of a ``ChoiceSheet``.
@MainActor
protocol NumberedChoice {
  /// Draws the row after its number, in the columns from `column`.
  func draw(in canvas: Canvas, from column: Int)
}

/// A sheet with a numbered list. The user selects a row, or types its number.
@MainActor
class ChoiceSheet<Choice: NumberedChoice>: ViewController, ListViewDataSource {
  let list = ListView()
  var choices: [Choice]
  private let choose: @MainActor (Choice) -> Void
  private let rule = RuleView()
  private let hints = BarView()

  /// - Parameters:
  ///   - verb: The hint of the digits.
  ///   - actions: The other actions with hints, in `context`.
  ///   - choose: Called with the chosen row after the sheet has closed.
  init(
    title: String, _ choices: [Choice], verb: String, context: KeyContext, actions: [Action], keymap: Keymap,
    choose: @escaping @MainActor (Choice) -> Void
  ) {
    self.choices = choices
    self.choose = choose
    super.init()
    self.title = title
    keyContext = context
    for subview in [rule, list, hints] { view.addSubview(subview) }
    rule.title = [TextRun(title, .strong)]
    let last = min(9, choices.count)
    hints.leading =
      [BarView.Item([TextRun(last > 1 ? "1…\(last)" : "1", .key), TextRun(" \(verb)", .dim)], priority: 30)]
      + StatusWords.hints(KeysInForce(keymap: keymap, contexts: [context]), actions: actions)
    preferredFirstResponder = list
    list.keyContext = .list
    list.dataSource = self
    list.performListActions()
    on(.open) { [weak self] in self?.close(withRowAt: self?.list.selectedIndex, choose) }
    on(.back) { [weak self] in self?.dismiss() }
    list.reloadData()
  }

  /// Closes the sheet and calls `act` with the row at `index`, if it exists.
  final func close(withRowAt index: Int?, _ act: @MainActor (Choice) -> Void) {
    guard let index, choices.indices.contains(index) else { return }
    dismiss()
    act(choices[index])
  }

  override func keyDown(_ key: Key) -> Bool {
    guard let digit = key.typedCharacter?.wholeNumberValue, digit > 0 else { return false }
    close(withRowAt: digit - 1, choose)
    return true
  }

  override func preferredSheetRows(in size: Size) -> Int { min(max(1, choices.count), 12) + 2 }

  override func layout(in size: Size) -> Layout? { .rows([.intrinsic: rule, .fill: list, .fixed(1): hints]) }

  func numberOfItems(in listView: ListView) -> Int { choices.count }

  func listView(_ listView: ListView, cellForItemAt index: Int) -> any ListCell {
    ChoiceCell(number: index + 1, choice: choices[index])
  }
}

@MainActor
private struct ChoiceCell: ListCell {
  let number: Int
  let choice: any NumberedChoice

  func rows(forColumns columns: Int) -> Int { 1 }

  func draw(in canvas: Canvas, selection: ListSelection) {
    if selection != .none { canvas.write("▌", row: 0, column: 0, role: .selection) }
    if number < 10 { canvas.write("\(number)", row: 0, column: 2, role: .key) }
    choice.draw(in: canvas, from: 5)
  }
}
