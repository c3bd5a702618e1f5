public import PaneKit
public import Terminal

/// A sheet with a text that fills the window. It scrolls and can be searched with `/`.
///
/// A subclass has the text as items, such as lines, which are found one at a time.
@MainActor
public class TextSheet: ViewController {
  static let margin = 2
  private static let rowsForRule = 6
  private static let rowsForBlank = 16

  let textView = TextView()
  private let rule = RuleView()
  private let lowerRule = RuleView()
  private let hints = BarView()
  /// The text that `n` and `N` search for again. Empty before the first search.
  private var words = ""
  /// The index of the item that was found last.
  private(set) var found: Int?

  init(title words: String) {
    super.init()
    title = words
    keyContext = .reading
    textView.keyContext = .list
    textView.margin = Self.margin
    for subview in [rule, textView, lowerRule, hints] { view.addSubview(subview) }
    rule.title = [TextRun(words, .strong)]
    hints.leading = [
      .init([TextRun(Action.back.key(in: .reading), .key), TextRun(HelpWords.back, .dim)], priority: 2),
      .init([TextRun(Action.find.key(in: .reading), .key), TextRun(HelpWords.find, .dim)], priority: 1),
      .init(
        [TextRun("\(Action.listNext.key) \(Action.listPrevious.key)", .key), TextRun(HelpWords.scroll, .dim)],
        priority: 0),
    ]
    preferredFirstResponder = textView
    on(.back) { [weak self] in self?.dismiss() }
    on(.find) { [weak self] in self?.askWhatToFind() }
    on(.findNext) { [weak self] in self?.findAgain(backwards: false) }
    on(.findPrevious) { [weak self] in self?.findAgain(backwards: true) }
    textView.didScroll.add(self) { $0.sayPlace() }
  }

  /// The number of columns for the text.
  final var textColumns: Int { max(1, view.frame.size.columns - 2 * Self.margin) }

  // MARK: To override

  /// Whether a blank row is above the text, except in small windows.
  var hasRowAbove: Bool { false }
  /// The texts of the items.
  var items: [String] { [] }
  /// Shows the text, in which the item ``found`` is highlighted.
  func showText() {}
  /// Returns the rows of an item.
  func rows(ofItem index: Int) -> Range<Int> { 0..<0 }

  // MARK: Showing

  override public func updateProperties() {
    guard !view.frame.isEmpty else { return }
    showText()
    sayPlace()
  }

  override public func preferredSheetRows(in size: Size) -> Int { size.rows }

  override public func layout(in size: Size) -> Layout? {
    // A small window needs all rows for the text.
    .rows([
      .intrinsic: rule, .fixed(hasRowAbove && size.rows >= Self.rowsForBlank ? 1 : 0): nil, .fill: textView,
      .fixed(size.rows >= Self.rowsForRule ? 1 : 0): lowerRule, .fixed(1): hints,
    ])
  }

  /// In linear form, announces the item that was found.
  override public var linearTexts: [LinearText] { found.map { [LinearText(.status, [items[$0]])] } ?? [] }

  /// Shows the range of visible rows, unless all rows are visible.
  private func sayPlace() {
    let rows = textView.visibleRows
    rule.note = rows.count < textView.rowCount ? HelpWords.place(rows, of: textView.rowCount) : ""
  }

  // MARK: Finding

  private func askWhatToFind() {
    present(
      LinePrompt(sign: "/", label: FindWords.findLabel) { [weak self] words in
        guard let self else { return }
        if !words.isEmpty { self.words = words }
        findAgain(backwards: false)
      })
  }

  private func findAgain(backwards: Bool) {
    guard !words.isEmpty else { return say(FindWords.nothingYet, .dim) }
    let items = items
    let next = ListFinder.next(from: found, count: items.count, backwards: backwards) { index in
      ListFinder.matches(words, in: items[index])
    }
    guard let next else { return say(FindWords.notFound(words, rows: items.count), .warning) }
    say(next.wrapped && found != nil ? FindWords.wrapped : "", .dim)
    found = next.index
    showText()
    reveal(rows(ofItem: next.index))
  }

  private func reveal(_ rows: Range<Int>) {
    let seen = textView.visibleRows
    guard rows.lowerBound < seen.lowerBound || rows.upperBound > seen.upperBound else { return }
    textView.scroll(to: rows.lowerBound - seen.count / 3)
  }

  private func say(_ text: String, _ role: StyleRole) {
    hints.trailing = text.isEmpty ? [] : [.init(text, role, priority: 3)]
  }
}
