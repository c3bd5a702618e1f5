import PaneKit
import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// Asks who a message is for: a line for a name, and those whose names begin so.
@MainActor
final class RecipientViewController: ViewController {
  /// How long to wait for more of a name before the server is asked.
  private static let restTime = Duration.milliseconds(200)
  private static let mostMatches = 5

  private let feed: QwinkFeed
  private let chosen: @MainActor (Qwinker) -> Void
  private let rule = RuleView()
  private let label = BarView()
  private let editor = TextEditor(isSingleLine: true)
  private let matchesView = View()
  private let words = BarView()
  private var matches: [Qwinker] = []
  private var selectedMatch = 0
  /// What ``matches`` are for.
  private var matchedText = ""
  private var failure: String?
  private var isWaitingToChoose = false
  private var timer: ProgramTimer?
  private var fetch: Fetch?

  /// Calls `chosen` with who was chosen, after the sheet has gone.
  init(feed: QwinkFeed, chosen: @escaping @MainActor (Qwinker) -> Void) {
    self.feed = feed
    self.chosen = chosen
    super.init()
    title = "To whom?"
    keyContext = .prompt
    rule.title = [TextRun("private message", .strong)]
    label.leading = [.init("To:", .strong)]
    for subview in [rule, label, editor, matchesView, words] { view.addSubview(subview) }
    matchesView.drawing = { [weak self] canvas in self?.drawMatches(in: canvas) }
    editor.didChange.add(self) { $0.textDidChange() }
    view.layout = { [weak self] size in self?.arrange(in: size) }
    preferredFirstResponder = editor
    preferredSheetRows = { _ in 3 + Self.mostMatches }
    on(.promptRun) { [weak self] in self?.choose() }
    for action in [Action.promptComplete, .promptLater] { on(action) { [weak self] in self?.moveSelection(by: 1) } }
    for action in [Action.promptCompleteBack, .promptEarlier] {
      on(action) { [weak self] in self?.moveSelection(by: -1) }
    }
    on(.promptLeave) { [weak self] in self?.dismiss() }
    updateWords()
  }

  // MARK: Actions

  private var name: String {
    String(editor.text.drop { $0 == "@" || $0.isWhitespace }).split(separator: " ").first.map(String.init) ?? ""
  }

  private func textDidChange() {
    failure = nil
    isWaitingToChoose = false
    fetch = nil
    guard !name.isEmpty else {
      timer = nil
      show([], for: "")
      return
    }
    timer = feed.clock.schedule(after: Self.restTime) { [weak self] in self?.lookUp() }
    updateWords()
  }

  private func lookUp() {
    timer = nil
    let name = name
    fetch = feed.fetch(.completeHandle(name, limit: Self.mostMatches)) { [weak self] result in
      self?.take(result, for: name)
    }
  }

  private func take(_ result: Result<Download, DownloadError>, for name: String) {
    guard name == self.name else { return }
    switch result {
    case .success(.qwinkers(let page)):
      let isElsewhere = name.drop { $0 == "@" }.contains("@")
      if page.items.isEmpty, isElsewhere { lookElsewhere(for: name) } else { show(page.items, for: name) }
    case .success(.searchResults(let results)):
      show(results.qwinkers, for: name)
    case .success:
      break
    case .failure(let error):
      failure = error.sentence
      isWaitingToChoose = false
      updateWords()
    }
  }

  /// Asks the server to look on another one, which completing a name does not.
  private func lookElsewhere(for name: String) {
    fetch = feed.fetch(.search("@\(name)", limit: Self.mostMatches)) { [weak self] result in
      self?.take(result, for: name)
    }
  }

  private func show(_ found: [Qwinker], for name: String) {
    // Who is named in full comes first.
    let exact = found.filter { $0.handle.lowercased() == name.lowercased() }
    matches = exact + found.filter { !exact.contains($0) }
    matchedText = name
    selectedMatch = 0
    matchesView.setNeedsDisplay()
    updateWords()
    if isWaitingToChoose { choose() }
  }

  private func moveSelection(by step: Int) {
    guard !matches.isEmpty else { return }
    selectedMatch = (selectedMatch + step + matches.count) % matches.count
    matchesView.setNeedsDisplay()
  }

  private func choose() {
    editor.tellChanges()
    guard !name.isEmpty else {
      failure = "Write a name first, such as alice or bob@example.org."
      return updateWords()
    }
    guard matchedText == name else {
      // The answer is on its way, or is asked for now: who is named chooses when it comes.
      isWaitingToChoose = true
      if fetch == nil { lookUp() }
      return
    }
    isWaitingToChoose = false
    guard matches.indices.contains(selectedMatch) else {
      failure = "Nobody here is called \(name). Somebody of another server is named in full: bob@example.org."
      return updateWords()
    }
    let qwinker = matches[selectedMatch]
    dismiss()
    chosen(qwinker)
  }

  // MARK: Words

  private func updateWords() {
    if let failure {
      words.leading = [.init(failure, .error, priority: 10)]
    } else {
      words.leading = [
        .init([TextRun("Enter", .key), TextRun(" writes", .dim)], priority: 3),
        .init([TextRun("Tab", .key), TextRun(" next", .dim)], priority: 1),
        .init([TextRun("Esc", .key), TextRun(" leave", .dim)], priority: 2),
      ]
    }
  }

  private func drawMatches(in canvas: Canvas) {
    for (row, qwinker) in matches.prefix(Self.mostMatches).enumerated() {
      let isSelected = row == selectedMatch
      if isSelected { canvas.write("▌", row: row, column: 0, role: .selection) }
      let columns = canvas.write(qwinker.displayName, row: row, column: 5, role: isSelected ? .selectedName : .text)
      canvas.write("@\(qwinker.handle)", row: row, column: columns + 7, role: .dim)
    }
  }

  private func arrange(in size: Size) {
    rule.frame = Rect(row: 0, column: 0, rows: 1, columns: size.columns)
    label.frame = Rect(row: 1, column: 0, rows: 1, columns: 5)
    editor.frame = Rect(row: 1, column: 5, rows: 1, columns: max(1, size.columns - 6))
    matchesView.frame = Rect(row: 2, column: 0, rows: max(0, size.rows - 3), columns: size.columns)
    words.frame = Rect(row: size.rows - 1, column: 0, rows: 1, columns: size.columns)
  }
}
