import PaneKit
import Terminal

/// A question at the foot of the screen. It has all keys until it is answered.
@MainActor
final class ConfirmViewController: ViewController {
  private let bar = BarView()
  private let rule = RuleView()

  /// Asks `question`; `y`, `Enter` and `again`, the key that led here, say yes and perform `confirmed`, any other key says no.
  /// Without `again` that key says no like others, as it may be held down.
  init(question: String, again: Character?, confirmed: @escaping @MainActor () -> Void) {
    super.init()
    view.addSubview(rule)
    view.addSubview(bar)
    bar.leading = [.init(question, .strong, priority: 1)]
    bar.trailing = [
      .init([TextRun("y", .key), TextRun(" yes", .dim)]), .init([TextRun("n", .key), TextRun(" no", .dim)]),
    ]
    view.layout = { [weak self] size in
      self?.rule.frame = Rect(row: 0, column: 0, rows: 1, columns: size.columns)
      self?.bar.frame = Rect(row: 1, column: 0, rows: 1, columns: size.columns)
    }
    preferredSheetRows = { _ in 2 }
    keyHandler = { [weak self] key in
      // Control keys keep their meaning.
      if key.modifiers.contains(.control) { return false }
      self?.dismiss()
      let saysYes = again.map { key == .character($0) } ?? false
      if key == .character("y") || key.code == .enter || saysYes { confirmed() }
      return true
    }
    pasteHandler = { _ in true }
  }
}
