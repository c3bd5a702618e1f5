public import PaneKit
public import QwinkleModel
public import Terminal

/// The help: the keys of the current keymap, and the commands. It scrolls and can be searched with `/`.
@MainActor
public final class HelpViewController: ViewController {
  private let textView = TextView()
  private let rule = RuleView()
  private let hints = BarView()
  private let parts: [HelpPart]
  /// The text that `n` and `N` search for again. Empty before the first search.
  private var words = ""
  private var found: Int?

  /// Shows the keys of `keymap`, beginning with the reader's current `contexts`. Keys that need an ability in
  /// `lacking`, which the server doesn't have, are left out.
  public init(keymap: Keymap, contexts: [KeyContext] = [], lacking: Set<Ability> = []) {
    parts = HelpPart.all(keymap: keymap, near: contexts, lacking: lacking)
    super.init()
    title = HelpWords.title
    keyContext = .reading
    textView.keyContext = .list
    textView.margin = Self.margin
    view.addSubview(rule)
    view.addSubview(textView)
    view.addSubview(hints)
    rule.title = [TextRun(HelpWords.title, .strong)]
    hints.leading = [
      .init([TextRun(Action.back.key(in: .reading), .key), TextRun(HelpWords.back, .dim)], priority: 2),
      .init([TextRun(Action.find.key(in: .reading), .key), TextRun(HelpWords.find, .dim)], priority: 1),
      .init(
        [TextRun("\(Action.listNext.key) \(Action.listPrevious.key)", .key), TextRun(HelpWords.scroll, .dim)],
        priority: 0),
    ]
    preferredFirstResponder = textView
    on(.back) { [weak self] in self?.dismiss() }
    on(.help) { [weak self] in self?.dismiss() }
    on(.find) { [weak self] in self?.askWhatToFind() }
    on(.findNext) { [weak self] in self?.findAgain(backwards: false) }
    on(.findPrevious) { [weak self] in self?.findAgain(backwards: true) }
    textView.didScroll.add(self) { $0.sayPlace() }
  }

  override public func updateProperties() {
    guard !view.frame.isEmpty else { return }
    showLines()
    sayPlace()
  }

  override public func preferredSheetRows(in size: Size) -> Int { size.rows }

  override public func layout(in size: Size) -> Layout? {
    .rows([.intrinsic: rule, .fill: textView, .fixed(1): hints])
  }

  /// In linear form, announces the entry that was found.
  override public var linearTexts: [LinearText] {
    guard let found else { return [] }
    let entry = parts.flatMap(\.entries)[found]
    return [LinearText(.status, ["\(entry.name) \(entry.meaning)"])]
  }

  // MARK: Lines

  private static let margin = 2

  private func makeLayout() -> HelpLayout {
    HelpLayout(parts, columns: max(1, view.frame.size.columns - 2 * Self.margin), found: found)
  }

  private func showLines() {
    textView.paragraphs = makeLayout().lines
    // In linear form, show one entry per line, because the laid-out lines mix the columns.
    textView.linearParagraphs = parts.flatMap { part in
      [[], [TextRun(part.title, .strong)]]
        + part.entries.map { [TextRun($0.name, .key), TextRun("  \($0.meaning)", .text)] }
    }
  }

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
    let entries = parts.flatMap(\.entries)
    let next = ListFinder.next(from: found, count: entries.count, backwards: backwards) { index in
      ListFinder.matches(words, in: "\(entries[index].name) \(entries[index].meaning)")
    }
    guard let next else { return say(FindWords.notFound(words, rows: entries.count), .warning) }
    say(next.wrapped && found != nil ? FindWords.wrapped : "", .dim)
    found = next.index
    showLines()
    reveal(makeLayout().places[next.index])
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
