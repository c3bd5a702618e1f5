import PaneKit
import Terminal

/// A question at the foot of the screen. It has all keys until it is answered.
@MainActor
final class ConfirmViewController: ViewController {
  private static let columnsForAllKeys = 32

  private let rule = RuleView()
  private let words = BarView()
  /// The keys that answer, shown however long the question is.
  private let keys = BarView()
  /// Whether a key was pressed that is no answer.
  private var isAnswerMissing = false
  private let again: Character?
  private let confirmed: @MainActor () -> Void
  /// Called when the question goes, answered or not.
  var dismissed: (@MainActor () -> Void)?
  /// What is asked.
  var question: String {
    didSet {
      if question != oldValue { showQuestion() }
    }
  }

  /// Asks `question`; `y` and `again`, the key that led here, say yes and perform `confirmed`; `n` and `Esc` say no.
  /// Any other key has the question name these, `Enter` too: it is pressed without reading. Without `again` the key
  /// that led here is no answer, as it may be held down.
  init(question: String, again: Character?, confirmed: @escaping @MainActor () -> Void) {
    self.question = question
    self.again = again
    self.confirmed = confirmed
    super.init()
    for subview in [rule, words, keys] { view.addSubview(subview) }
    showQuestion()
    on(.yes) { [weak self] in self?.answer(true) }
    on(.no) { [weak self] in self?.answer(false) }
  }

  private func showQuestion() {
    words.leading = [.init(isAnswerMissing ? "\(question) \(MainWords.pressAnswer)" : question, .strong)]
    view.invalidateIntrinsicSize()
    view.setNeedsLayout()
  }

  /// The answers with their keys; where there is little room each with one key.
  private func answers(forColumns columns: Int) -> [BarView.Item] {
    let isShort = columns < Self.columnsForAllKeys
    let yes = isShort ? "y" : (["y"] + (again.map { [String($0)] } ?? [])).joined(separator: " ")
    return [
      BarView.Item([TextRun(yes, .key), TextRun(" \(MainWords.yes)", .dim)], action: .yes),
      BarView.Item([TextRun(isShort ? "n" : "n Esc", .key), TextRun(" \(MainWords.no)", .dim)], action: .no),
    ]
  }

  override func updateProperties() {
    keys.trailing = answers(forColumns: view.frame.size.columns)
  }

  private func keysColumns(_ columns: Int) -> Int {
    let answers = answers(forColumns: columns)
    return answers.flatMap(\.runs).reduce(0) { $0 + DisplayWidth.columns(of: $1.text) } + keys.gap * (answers.count - 1)
  }

  private func answer(_ isYes: Bool) {
    dismiss()
    if isYes { confirmed() }
  }

  override func keyDown(_ key: Key) -> Bool {
    // Control keys keep their meaning.
    if key.modifiers.contains(.control) { return false }
    if key == .character("y") || again.map({ key == .character($0) }) ?? false {
      answer(true)
    } else if key == .character("n") || key == Key(.escape) {
      answer(false)
    } else {
      isAnswerMissing = true
      showQuestion()
    }
    return true
  }

  /// A question swallows what is pasted.
  override func pasteText(_ text: String) -> Bool { true }

  override func viewDidDisappear() {
    dismissed?()
  }

  override func preferredSheetRows(in size: Size) -> Int { 1 + rows(in: size) }

  /// Columns left for the question, margins included, in the row of the keys.
  private func columnsBesideKeys(_ columns: Int) -> Int { max(0, columns - keysColumns(columns) - keys.gap - 1) }

  /// Rows below the rule: one for question and keys if both fit, or the keys below the question.
  private func rows(in size: Size) -> Int {
    guard
      words.leading.flatMap(\.runs).reduce(0, { $0 + DisplayWidth.columns(of: $1.text) })
        >= columnsBesideKeys(size.columns)
    else { return 1 }
    return 1 + words.rows(forColumns: size.columns, limit: size.rows / 3)
  }

  override func layout(in size: Size) -> Layout? {
    // In a window of two rows the question is cut beside the keys.
    let isBeside = size.rows <= 2
    let foot = Layout.columns([
      .fill: isBeside ? words : nil, .fixed(1): nil, .fixed(keysColumns(size.columns) + 2): keys,
    ])
    return isBeside
      ? .rows([.intrinsic: rule, .fixed(1): foot]) : .rows([.intrinsic: rule, .fill: words, .fixed(1): foot])
  }
}

extension Action {
  /// What a click on an answer asks for.
  fileprivate static let yes: Action = "question.yes"
  fileprivate static let no: Action = "question.no"
}
