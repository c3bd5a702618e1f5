import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// A sheet for the recipients of a message: a line for names, and a list of users who match the name typed last.
@MainActor
final class RecipientViewController: LinePrompt {
  /// Pause in typing before the server is asked.
  private static let restTime = Duration.milliseconds(200)
  private static let maximumMatches = 5

  private let account: Account
  private let chosen: @MainActor ([Qwinker]) -> Void
  private let matchesView = MatchesView()
  /// Whether the user moved the selection, instead of leaving it on the first match.
  private var isPicked = false
  /// The typed name for which the current matches were found.
  private var matchedText = ""
  private var failure: String?
  private var isWaitingToChoose = false
  /// Exact matches and matches that the user selected, by lowercase name.
  private var found: [String: Qwinker] = [:]
  /// The name in the latest request.
  private var asked = ""
  private var timer: ProgramTimer?
  private var fetch: Fetch?

  /// Calls `chosen` with the recipients, without duplicates, after the sheet is closed.
  init(account: Account, chosen: @escaping @MainActor ([Qwinker]) -> Void) {
    self.account = account
    self.chosen = chosen
    let sign = TextRun(MessagesWords.recipients, StyleRole.strong)
    super.init(title: MessagesWords.newMessage, sign: [Self.space, sign, Self.space])
    rule.title = [TextRun(MessagesWords.newMessage, .strong)]
    // In linear form, the matches are announced before the note.
    for subview in [matchesView, note] { view.addSubview(subview) }
    editor.didChange.add(self) { $0.textDidChange() }
    for action in [Action.promptComplete, .promptLater] { on(action) { [weak self] in self?.moveSelection(by: 1) } }
    for action in [Action.promptCompleteBack, .promptEarlier] {
      on(action) { [weak self] in self?.moveSelection(by: -1) }
    }
    updateWords()
  }

  // MARK: Actions

  /// The typed names, without `@`.
  private var names: [String] {
    editor.text.split(whereSeparator: Self.isSeparator).map { String($0.drop { $0 == "@" }) }
      .filter { !$0.isEmpty }
  }

  /// The last typed name, for which matches are shown.
  private var name: String { names.last ?? "" }

  private static func isSeparator(_ character: Character) -> Bool {
    character.isWhitespace || character == "," || character == ";"
  }

  /// After the user types a separator, replaces the name before it with the match that the user selected, if any.
  private func completePicked() {
    guard isPicked, let picked = matchesView.selected, let last = editor.text.last, Self.isSeparator(last),
      name == matchedText
    else { return }
    isPicked = false
    found[picked.handle.lowercased()] = picked
    editor.replace(last: matchedText.count + 1, with: picked.handle + String(last))
  }

  private func textDidChange() {
    completePicked()
    failure = nil
    isWaitingToChoose = false
    fetch = nil
    guard !name.isEmpty else {
      timer = nil
      show([], for: "")
      return
    }
    if name != matchedText { timer = account.clock.schedule(after: Self.restTime) { [weak self] in self?.lookUp() } }
    updateWords()
  }

  private func lookUp() {
    timer = nil
    ask(for: name)
  }

  private func ask(for name: String) {
    asked = name
    fetch = account.fetch(.completeHandle(name, limit: Self.maximumMatches)) { [weak self] result in
      self?.take(result, for: name)
    }
  }

  private func take(
    _ result: Result<Page<Qwinker>, DownloadError>, for name: String, mayLookElsewhere: Bool = true
  ) {
    guard name == asked else { return }
    fetch = nil
    switch result {
    case .success(let page) where page.items.isEmpty && name.contains("@") && mayLookElsewhere: lookElsewhere(for: name)
    case .success(let page): show(page.items, for: name)
    case .failure(let error): fail(error.sentence)
    }
  }

  /// Repeats the query as a search, which looks on other servers too. Completion doesn't.
  private func lookElsewhere(for name: String) {
    fetch = account.fetch(.search("@\(name)", limit: Self.maximumMatches)) { [weak self] result in
      self?.take(result.map { Page(items: $0.qwinkers) }, for: name, mayLookElsewhere: false)
    }
  }

  private func show(_ found: [Qwinker], for name: String) {
    // List exact matches first.
    let exact = found.filter { $0.isCalled(name) }
    if let first = exact.first { self.found[name.lowercased()] = first }
    if name == self.name || name.isEmpty {
      matchesView.matches = Array((exact + found.filter { !exact.contains($0) }).prefix(Self.maximumMatches))
      matchesView.selectedIndex = 0
      matchedText = name
      isPicked = false
    }
    updateWords()
    guard isWaitingToChoose else { return }
    // The user pressed Enter before seeing these matches, so choose only an exact match.
    if !exact.isEmpty || found.isEmpty { return accept() }
    fail(MessagesWords.noExactMatch(name, isLast: name == self.name))
  }

  private func fail(_ sentence: String) {
    failure = sentence
    isWaitingToChoose = false
    updateWords()
  }

  private func moveSelection(by step: Int) {
    let count = matchesView.matches.count
    guard count > 0 else { return }
    matchesView.selectedIndex = (matchesView.selectedIndex + step + count) % count
    isPicked = true
  }

  override func accept() {
    editor.tellChanges()
    let names = names
    guard let last = names.last else { return fail(MessagesWords.nameMissing) }
    var people: [Qwinker] = []
    for (index, name) in names.enumerated() {
      let isSeen = index == names.count - 1 && matchedText == last
      let selected = isSeen ? matchesView.selected : nil
      guard let qwinker = selected ?? found[name.lowercased()] else {
        let isAnswered = isSeen || (isWaitingToChoose && asked == name && fetch == nil)
        guard !isAnswered else { return fail(MessagesWords.unknownName(name)) }
        // Choose again once the response arrives.
        isWaitingToChoose = true
        if fetch == nil || asked != name { ask(for: name) }
        return
      }
      if !people.contains(where: { $0.id == qwinker.id }) { people.append(qwinker) }
    }
    isWaitingToChoose = false
    // The user is always a participant, so they are a recipient only if there are no others.
    let others = people.filter { $0.id != account.identity.me?.id }
    dismiss()
    chosen(others.isEmpty ? people : others)
  }

  // MARK: Words

  private func updateWords() {
    if let failure {
      note.leading = [.init(failure, .error, priority: 10)]
    } else {
      note.leading = MessagesWords.recipientKeys.map {
        BarView.Item([TextRun($0.key, .key), TextRun(" \($0.word)", .dim)], priority: $0.priority)
      }
    }
  }

  override func preferredSheetRows(in size: Size) -> Int { 3 + Self.maximumMatches }

  override var layout: Layout { .rows([.intrinsic: rule, .fixed(1): line, .fill: matchesView, .fixed(1): note]) }
}

private final class MatchesView: View {
  private static let nameColumn = 5

  var matches: [Qwinker] = [] {
    didSet { setNeedsDisplay() }
  }
  var selectedIndex = 0 {
    didSet { setNeedsDisplay() }
  }

  var selected: Qwinker? { matches.indices.contains(selectedIndex) ? matches[selectedIndex] : nil }

  override func draw(in canvas: Canvas) {
    for (row, qwinker) in matches.enumerated() {
      let isSelected = row == selectedIndex
      if isSelected { canvas.write("▌", row: row, column: 0, role: .selection) }
      let names = NameAndHandle(
        qwinker.displayName, "@\(qwinker.handle)", nameRole: isSelected ? .selectedName : .text)
      canvas.write(names.runs(columns: canvas.size.columns - Self.nameColumn), row: row, column: Self.nameColumn)
    }
  }

  /// The selected match and its position among the matches.
  override var linearTexts: [LinearText] {
    guard let selected else { return [] }
    let place = matches.count == 1 ? "" : ", \(selectedIndex + 1) of \(matches.count)"
    let names = NameAndHandle.text(of: selected, columns: frame.size.columns - place.count, gap: " ")
    return [LinearText(.status, [names + place])]
  }
}

extension EntryPurpose {
  /// A direct message to `qwinkers`, who have no conversation with the user yet.
  init(messageTo qwinkers: [Qwinker]) {
    if qwinkers.count == 1 {
      self = .message(to: qwinkers[0])
    } else {
      let key = qwinkers.map(\.id.rawValue).sorted().joined(separator: "+")
      self = .conversation(Conversation(id: .init("with/\(key)"), participants: qwinkers))
    }
  }
}
