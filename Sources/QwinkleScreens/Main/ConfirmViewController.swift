import PaneKit
import Terminal

/// A question at the foot of the screen. It has all keys until it is answered.
@MainActor
final class ConfirmViewController: ViewController {
  private let rule = RuleView()
  private let words = BarView()
  /// The keys that answer, shown however long the question is.
  private let keys = BarView()
  private let keysColumns: Int
  private let again: Character?
  private let confirmed: @MainActor () -> Void
  /// Called when the question goes, answered or not.
  var dismissed: (@MainActor () -> Void)?
  /// What is asked.
  var question: String {
    didSet {
      guard question != oldValue else { return }
      words.leading = [.init(question, .strong)]
      view.invalidateIntrinsicSize()
      view.setNeedsLayout()
    }
  }

  /// Asks `question`; `y` and `again`, the key that led here, say yes and perform `confirmed`. Any other key says no,
  /// `Enter` too: it is pressed without reading. Without `again` the key that led here says no as well, as it may be
  /// held down.
  init(question: String, again: Character?, confirmed: @escaping @MainActor () -> Void) {
    self.question = question
    self.again = again
    self.confirmed = confirmed
    let answers = [
      BarView.Item([TextRun("y", .key), TextRun(" yes", .dim)], action: .yes),
      BarView.Item([TextRun("n", .key), TextRun(" no", .dim)], action: .no),
    ]
    let columns = answers.flatMap(\.runs).reduce(0) { $0 + DisplayWidth.columns(of: $1.text) }
    keysColumns = columns + keys.gap * (answers.count - 1)
    super.init()
    for subview in [rule, words, keys] { view.addSubview(subview) }
    words.leading = [.init(question, .strong)]
    keys.trailing = answers
    on(.yes) { [weak self] in self?.answer(true) }
    on(.no) { [weak self] in self?.answer(false) }
  }

  private func answer(_ isYes: Bool) {
    dismiss()
    if isYes { confirmed() }
  }

  override func keyDown(_ key: Key) -> Bool {
    // Control keys keep their meaning.
    if key.modifiers.contains(.control) { return false }
    answer(key == .character("y") || again.map { key == .character($0) } ?? false)
    return true
  }

  /// A question swallows what is pasted.
  override func pasteText(_ text: String) -> Bool { true }

  override func viewDidDisappear() {
    dismissed?()
  }

  override func preferredSheetRows(in size: Size) -> Int { 1 + rows(in: size) }

  /// Columns left for the question, margins included, in the row of the keys.
  private func columnsBesideKeys(_ columns: Int) -> Int { max(0, columns - keysColumns - keys.gap - 1) }

  /// Rows below the rule: one for question and keys if both fit, or the keys below the question.
  private func rows(in size: Size) -> Int {
    guard DisplayWidth.columns(of: question) >= columnsBesideKeys(size.columns) else { return 1 }
    return 1 + words.rows(forColumns: size.columns, limit: size.rows / 3)
  }

  override func layout(in size: Size) -> Layout? {
    // In a window of two rows the question is cut beside the keys.
    let isBeside = size.rows <= 2
    let foot = Layout.columns([.fill: isBeside ? words : nil, .fixed(1): nil, .fixed(keysColumns + 2): keys])
    return isBeside
      ? .rows([.intrinsic: rule, .fixed(1): foot]) : .rows([.intrinsic: rule, .fill: words, .fixed(1): foot])
  }
}

extension Action {
  /// What a click on an answer asks for.
  fileprivate static let yes: Action = "question.yes"
  fileprivate static let no: Action = "question.no"
}
