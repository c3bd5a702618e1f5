import FoundationEssentials
public import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// Finds qwinkers, tags and qwinks by words, and what an address leads to.
@MainActor
public final class SearchViewController: ViewController, Screen {
  /// Hits of a kind that one search asks for.
  /// No server looks for more.
  private static let maximumCharacters = 4000
  private static let limit = 20

  public weak var navigator: (any Navigator)?

  private let account: Account
  /// Whether what stands in its field is looked for as soon as it is seen.
  private let looksAtOnce: Bool
  private let list = ListView()
  private let results: ViewController
  private var prompt: SearchPrompt?
  private var state = FeedState()
  private var search: Fetch?
  /// What was looked for last, and what is shown.
  private var asked = ""
  private var found = ""
  private var hits = SearchHits()

  /// A search, under way as soon as it is seen where there is a `query`.
  public init(query: String = "", account: Account) {
    self.account = account
    looksAtOnce = !query.isEmpty
    results = ViewController(view: list)
    super.init()
    title = "Search"
    keyContext = .search
    let prompt = SearchPrompt(
      entered: { [weak self] in self?.searchForTyped() }, left: { [weak self] in self?.leavePrompt() })
    self.prompt = prompt
    prompt.editor.text = query
    view.addSubview(prompt)
    results.keyContext = .qwink
    addChild(results)
    list.keyContext = .list
    list.dataSource = self
    list.delegate = self
    list.performListActions()
    preferredFirstResponder = query.isEmpty ? prompt.editor : list
    account.addObserver(self)
    on(.open, when: { [weak self] in self?.selectedHit != nil }, perform: { [weak self] in self?.open() })
    on(.searchEdit) { [weak self] in self?.focusPrompt() }
    updateWords()
  }

  public var status: ScreenStatus {
    ScreenStatus(
      state: state, isEmpty: hits.hits.isEmpty,
      hints: isTyping ? [.findingGo, .findingLeave] : hits.hits.isEmpty ? [.searchEdit] : [.open, .searchEdit])
  }

  public var selectedQwink: Qwink? {
    if case .qwink(let qwink) = selectedHit { qwink } else { nil }
  }

  public var selectedQwinker: Qwinker? {
    switch selectedHit {
    case .qwinker(let qwinker): qwinker
    case .qwink(let qwink): qwink.author
    case .tag, nil: nil
    }
  }

  /// Looks for the same again, or for what an earlier run has left.
  public func refresh() {
    if let words = asked.isEmpty ? typed : asked { look(for: words) }
  }

  // MARK: From run to run

  /// What stands in the field, for the next start; nil: nothing.
  var words: String? { typed }

  /// Takes up what stood in the field at the end of the last run. It waits for Enter.
  func takeUp(words: String) {
    prompt?.editor.text = words
  }

  /// Has `come` lead here with the keys outside the field, so that they mean what they mean elsewhere.
  func startOutsideField(_ come: () -> Void) {
    preferredFirstResponder = list
    come()
    preferredFirstResponder = prompt?.editor
  }

  // MARK: Actions

  private var isTyping: Bool { window?.rootResponder === prompt?.editor }

  private var selectedHit: SearchHits.Hit? {
    guard let index = list.selectedIndex, hits.hits.indices.contains(index) else { return nil }
    return hits.hits[index]
  }

  override public func viewDidAppear() {
    // It has the keys only after it has come on the screen, and other keys mean something then.
    window?.firstResponderDidChange.remove(self)
    window?.firstResponderDidChange.add(self) { $0.keysMoved() }
    // Times have grown older.
    list.reloadCells()
    guard asked.isEmpty, let words = typed else { return }
    if looksAtOnce { look(for: words) }
  }

  private var typed: String? {
    let words = prompt?.editor.text.split(whereSeparator: \.isWhitespace).joined(separator: " ") ?? ""
    return words.isEmpty ? nil : words
  }

  private func searchForTyped() {
    guard prompt?.editor.start(Self.maximumCharacters + 1).count ?? 0 <= Self.maximumCharacters else {
      navigator?.say("This is too long to look for.", .error)
      return
    }
    guard let words = typed else { return }
    look(for: words)
    focusList()
  }

  private func leavePrompt() {
    if !asked.isEmpty { prompt?.editor.text = asked }
    focusList()
  }

  /// The prompt's sign shows whether it has the keys, and so does what is said around it.
  private func keysMoved() {
    prompt?.setNeedsDisplay()
    if isOnScreen { updateWords() }
  }

  private func focusPrompt() { focus(prompt?.editor) }

  private func focusList() { focus(list) }

  private func focus(_ responder: View?) {
    preferredFirstResponder = responder
    window?.makeFirstResponder(responder)
    updateWords()
  }

  private func open() {
    if let place = selectedHit?.place { navigator?.show(place) }
  }

  // MARK: Searching

  private func look(for words: String) {
    asked = words
    state.isRefreshing = true
    state.error = nil
    state.wasCancelled = false
    search = account.fetch(.search(words, limit: Self.limit)) { [weak self] result in
      guard let self, asked == words else { return }
      search = nil
      state.isRefreshing = false
      switch result {
      case .success(let results): show(results, for: words)
      case .failure(let error): state.note(error, at: account.clock.now)
      }
      updateWords()
    }
    updateWords()
  }

  private func show(_ results: SearchResults, for words: String) {
    state.note(nil, at: account.clock.now)
    found = words
    hits = SearchHits(results)
    list.select(nil)
    list.reloadData()
    if !hits.hits.isEmpty { list.select(0) }
    if SearchHits.namesOneThing(words), let only = hits.only, isOnScreen { navigator?.show(only.place) }
  }

  // MARK: Words

  private func updateWords() {
    list.placeholder = MessageCell(paragraphs: placeholder)
    prompt?.note = note
    navigator?.statusDidChange(of: self)
  }

  private var note: [TextRun<StyleRole>] {
    if state.isRefreshing { return [TextRun("looking…", .dim)] }
    if state.error != nil, !hits.hits.isEmpty { return [TextRun("results for “\(found)”", .warning)] }
    return hits.hits.isEmpty ? [] : [TextRun("\(hits.hits.count) found", .dim)]
  }

  private var placeholder: PlaceholderWords.Lines {
    if let error = state.error {
      let keys =
        isTyping
        ? PlaceholderWords.keys(("Enter", "looks for it"))
        : PlaceholderWords.keys(("R", "tries again"), ("/", "changes what is looked for"))
      return [[TextRun(error.sentence, .error)], []] + keys
    }
    if state.isRefreshing { return [[TextRun("Looking for “\(asked)”…", .dim)]] }
    if !found.isEmpty {
      return PlaceholderWords.nothing("Nothing found for “\(found)”.", ("/", "looks for something else"))
        + [[], [TextRun(advice, .dim)]]
    }
    let start: PlaceholderWords.Lines = [
      [TextRun("Find people, tags and qwinks by their words, or open what an address leads to.", .text)], [],
    ]
    let examples: PlaceholderWords.Lines = [
      [TextRun("alice", .accent)], [TextRun("#garden", .tag)], [TextRun("@bob@example.org", .mention)],
      [TextRun("https://example.org/@bob", .link)],
    ]
    return start + examples + [[]]
      + (isTyping ? PlaceholderWords.keys(("Enter", "looks for it")) : PlaceholderWords.keys(("/", "begins")))
  }

  private var advice: String {
    if SearchHits.namesOneThing(found) {
      return account.isSignedIn
        ? "Your server could not find it. Check how it is written."
        : "Servers look elsewhere only for those who are signed in."
    }
    return "Fewer or other words may help; people of other servers are found as @name@server."
  }

  override public func viewWillLayoutSubviews() {
    let size = view.frame.size
    let rows = min(2, size.rows)
    prompt?.frame = Rect(row: 0, column: 0, rows: min(1, rows), columns: size.columns)
    list.frame = Rect(row: rows, column: 0, rows: max(0, size.rows - rows), columns: size.columns)
  }
}

extension SearchViewController: ListViewDataSource, ListViewDelegate {
  public func numberOfItems(in listView: ListView) -> Int { hits.hits.count }

  public func listView(_ listView: ListView, cellForItemAt index: Int) -> any ListCell {
    let cell: any ListCell =
      switch hits.hits[index] {
      case .qwinker(let qwinker): LinesCell(qwinker, relationship: account.follows.relationship(to: qwinker.id))
      case .tag(let tag): LinesCell(tag)
      case .qwink(let qwink):
        QwinkCell(
          QwinkCellData(
            qwink, isRevealed: account.timelines.isRevealed(qwink), now: account.clock.now, zone: account.clock.timeZone
          ))
      }
    return hits.headings[index].map { HeadedCell(heading: $0, cell: cell) } ?? cell
  }

  public func listView(_ listView: ListView, didSelectItemAt index: Int?) {
    navigator?.selectionDidChange(in: self)
  }
}

extension SearchViewController: AccountObserver {
  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {
    list.reloadItems(at: hits.replace(qwink))
    navigator?.selectionDidChange(in: self)
  }

  public func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink) {
    list.reloadItems(at: hits.replace(qwink, insteadOf: id))
    navigator?.selectionDidChange(in: self)
  }

  public func follows(_ follows: Follows, didChange relationship: Relationship) {
    list.reloadItems(
      at: hits.hits.indices.filter { index in
        if case .qwinker(let qwinker) = hits.hits[index] { qwinker.id == relationship.id } else { false }
      })
  }

  public func timelines(_ timelines: Timelines, didDelete id: Qwink.ID) {
    guard let index = hits.remove(id) else { return }
    list.update(removed: [index])
    list.reloadCells()
    updateWords()
  }
}
