import PaneKit
import Terminal

/// A question at the foot of the screen. It has the keyboard focus until it is answered.
@MainActor
final class ConfirmViewController: ViewController {
  private static let columnsForAllKeys = 32

  private let rule = RuleView()
  private let words = BarView()
  /// The answer keys, which stay visible even if the question is long.
  private let keys = BarView()
  /// Whether the user pressed a key that isn't an answer.
  private var isAnswerMissing = false
  private let again: Character?
  private let other: OtherAnswer?
  private let confirmed: @MainActor () -> Void
  /// Called when the question disappears, answered or not.
  var dismissed: (@MainActor () -> Void)?
  var question: String {
    didSet {
      if question != oldValue { showQuestion() }
    }
  }

  /// A third answer, in addition to yes and no.
  struct OtherAnswer {
    let key: Character
    let word: String
    let perform: @MainActor () -> Void
  }

  /// Creates a question. `y` and `again`, the key that opened the question, confirm it and call `confirmed`; `n` and
  /// `Esc` cancel. Any other key, including `Enter`, which users press without reading, adds a request to press `y` or
  /// `n`. Keys with Control work as usual. Pass nil for `again` if users might hold down the key that opened the
  /// question. `other` is a third answer, if any.
  init(
    question: String, again: Character?, other: OtherAnswer? = nil, confirmed: @escaping @MainActor () -> Void
  ) {
    self.question = question
    self.again = again
    self.other = other
    self.confirmed = confirmed
    super.init()
    for subview in [rule, words, keys] { view.addSubview(subview) }
    showQuestion()
    on(.yes) { [weak self] in self?.answer(true) }
    on(.no) { [weak self] in self?.answer(false) }
    on(.other) { [weak self] in self?.answerOtherwise() }
  }

  private func showQuestion() {
    words.leading = [.init(isAnswerMissing ? "\(question) \(MainWords.pressAnswer)" : question, .strong)]
    view.invalidateIntrinsicSize()
    view.setNeedsLayout()
  }

  /// Returns the answers with their keys. In a narrow window, each answer has a single key.
  private func answers(forColumns columns: Int) -> [BarView.Item] {
    let isShort = columns < Self.columnsForAllKeys
    let yes = isShort ? "y" : (["y"] + (again.map { [String($0)] } ?? [])).joined(separator: " ")
    return [
      BarView.Item([TextRun(yes, .key), TextRun(" \(MainWords.yes)", .dim)], action: .yes)
    ]
      + (other.map {
        [BarView.Item([TextRun(String($0.key), .key), TextRun(" \($0.word)", .dim)], action: .other)]
      } ?? []) + [
        BarView.Item([TextRun(isShort ? "n" : "n Esc", .key), TextRun(" \(MainWords.no)", .dim)], action: .no)
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

  private func answerOtherwise() {
    dismiss()
    other?.perform()
  }

  override func keyDown(_ key: Key) -> Bool {
    // Control keys work as usual.
    if key.modifiers.contains(.control) { return false }
    if key == .character("y") || again.map({ key == .character($0) }) ?? false {
      answer(true)
    } else if key == .character("n") || key == Key(.escape) {
      answer(false)
    } else if let other, key == .character(other.key) {
      answerOtherwise()
    } else {
      isAnswerMissing = true
      showQuestion()
    }
    return true
  }

  /// Pasted text is ignored.
  override func pasteText(_ text: String) -> Bool { true }

  override func viewDidDisappear() {
    dismissed?()
  }

  override func preferredSheetRows(in size: Size) -> Int { 1 + rows(in: size) }

  /// Returns the columns left for the question in the row of the keys, including margins.
  private func columnsBesideKeys(_ columns: Int) -> Int { max(0, columns - keysColumns(columns) - keys.gap - 1) }

  /// Returns the number of rows below the rule. It is one if the question and the keys fit side by side. Otherwise the
  /// keys have a row below the question.
  private func rows(in size: Size) -> Int {
    guard
      words.leading.flatMap(\.runs).reduce(0, { $0 + DisplayWidth.columns(of: $1.text) })
        >= columnsBesideKeys(size.columns)
    else { return 1 }
    return 1 + words.rows(forColumns: size.columns, limit: size.rows / 3)
  }

  override func layout(in size: Size) -> Layout? {
    // In a window of two rows, the question is truncated next to the keys.
    let isBeside = size.rows <= 2
    let foot = Layout.columns([
      .fill: isBeside ? words : nil, .fixed(1): nil, .fixed(keysColumns(size.columns) + 2): keys,
    ])
    return isBeside
      ? .rows([.intrinsic: rule, .fixed(1): foot]) : .rows([.intrinsic: rule, .fill: words, .fixed(1): foot])
  }
}

extension Action {
  /// Performed when the user clicks an answer.
  fileprivate static let yes: Action = "question.yes"
  fileprivate static let no: Action = "question.no"
  fileprivate static let other: Action = "question.other"
}
