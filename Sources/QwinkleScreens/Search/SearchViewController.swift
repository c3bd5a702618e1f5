import FoundationEssentials
public import PaneKit
public import QwinkleAccount
public import QwinkleModel
public import QwinkleService
import QwinkleStore
import Terminal
import Timekeeping

/// Searches for people, hashtags and qwinks by text or address.
@MainActor
public final class SearchViewController: ListViewController<SearchHits.Hit> {
  /// Longer queries are refused. No server searches for more.
  private static let maximumCharacters = 4000
  /// Results of each kind per request.
  private static let limit = 20

  private let account: Account
  private let settings: ReaderSettings
  /// Whether the search starts as soon as the screen appears.
  private let looksAtOnce: Bool
  /// Whether the text was restored from the last run.
  private var isRestored = false
  private let results: ViewController
  private var prompt: SearchPrompt?
  /// The search in progress on the server.
  private var download: DownloadIdentifier?
  /// The search in the cache, whose results are shown until the server responds.
  private var cacheQuery: CacheQuery?
  /// The cached results for ``found``, or nil if the results are from the server.
  private var cached: CachedResults?
  /// The text of the last search, and the text whose results are shown.
  private var asked = ""
  private var found = ""
  var hits = SearchHits()

  /// The text in the field.
  var query: String { prompt?.editor.text ?? "" }

  /// - Parameter query: The search text. If it isn't empty, the search starts as soon as the screen appears.
  public init(
    query: String = "", account: Account, settings: ReaderSettings = ReaderSettings(), shelf: PictureShelf? = nil
  ) {
    self.account = account
    self.settings = settings
    looksAtOnce = !query.isEmpty
    let list = ListView()
    results = ViewController(view: list)
    super.init(title: SearchWords.title, list: list)
    let prompt = SearchPrompt(
      entered: { [weak self] in self?.searchForTyped() }, left: { [weak self] in self?.leavePrompt() })
    self.prompt = prompt
    prompt.editor.text = query
    view.addSubview(prompt)
    // The keys of this screen take precedence over the keys that act on qwinks: here, `/` edits the search and has its
    // own hint.
    results.keyContext = .search
    addChild(results)
    preferredFirstResponder = query.isEmpty ? prompt.editor : list
    account.addObserver(self)
    showPictures(shelf, account: account, settings: settings)
    on(.searchEdit) { [weak self] in self?.focusPrompt() }
  }

  override var canFind: Bool { false }
  override var canBeLimited: Bool { false }
  override var hasOlderRows: Bool { false }

  override var hints: [Action] {
    isTyping ? [.findingGo, .findingLeave] : rows.isEmpty ? [.searchEdit] : [.open, .searchEdit]
  }

  override public var selectedQwink: Qwink? {
    if case .qwink(let qwink) = selectedRow { qwink } else { nil }
  }

  override public var selectedQwinker: Qwinker? {
    switch selectedRow {
    case .qwinker(let qwinker): qwinker
    case .qwink(let qwink): qwink.author
    case .tag, nil: nil
    }
  }

  /// Repeats the last search. Before the first search, searches for the text in the field, which may have been restored
  /// from the last run.
  override public func refresh() {
    super.refresh()
    if let words = asked.isEmpty ? typed : asked { look(for: words) }
  }

  // MARK: Restoration

  override func placeKey(of row: SearchHits.Hit) -> String? { row.key }

  override public func encodeRestorableState(with state: inout RestorableState) {
    super.encodeRestorableState(with: &state)
    state["words"] = typed
  }

  /// Restores the search text and runs the search once the screen is visible.
  override public func decodeRestorableState(with state: RestorableState) {
    super.decodeRestorableState(with: state)
    guard let words = state["words"] else { return }
    prompt?.editor.text = words
    isRestored = true
    if isOnScreen { lookAtOnce() }
  }

  private func lookAtOnce() {
    if asked.isEmpty, let typed { look(for: typed) }
  }

  /// Runs `come`, which shows this screen. During the call, the list is the preferred first responder, so the list gets
  /// the focus instead of the search field.
  func startOutsideField(_ come: () -> Void) {
    preferredFirstResponder = list
    come()
    preferredFirstResponder = prompt?.editor
  }

  // MARK: Actions

  private var isTyping: Bool { window?.rootResponder === prompt?.editor }

  override public func viewDidAppear() {
    // The prompt gets the focus only after the screen has appeared, and the hints depend on the focus.
    window?.firstResponderDidChange.remove(self)
    window?.firstResponderDidChange.add(self) { $0.keysMoved() }
    super.viewDidAppear()
    // Update relative times.
    list.reloadCells()
    if looksAtOnce || isRestored { lookAtOnce() }
  }

  private var typed: String? {
    let words = prompt?.editor.text.split(whereSeparator: \.isWhitespace).joined(separator: " ") ?? ""
    return words.isEmpty ? nil : words
  }

  private func searchForTyped() {
    guard prompt?.editor.start(Self.maximumCharacters + 1).count ?? 0 <= Self.maximumCharacters else {
      navigator?.say(SearchWords.tooLong, .error)
      return
    }
    guard let words = typed else { return clear() }
    isRestored = false
    look(for: words)
    focusList()
  }

  /// Removes the results. Called when the search text is empty.
  private func clear() {
    cancelSearch()
    cacheQuery = nil
    cached = nil
    asked = ""
    found = ""
    ownState = FeedState()
    hits = SearchHits()
    reload([])
  }

  private func leavePrompt() {
    if !asked.isEmpty { prompt?.editor.text = asked }
    focusList()
  }

  /// Updates the prompt's symbol and the hints, which depend on the focus.
  private func keysMoved() {
    // The keys that act on qwinks don't work while the user types.
    keyContext = isTyping ? nil : .qwink
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

  override func open(_ row: SearchHits.Hit) {
    navigator?.show(row.place)
  }

  // MARK: Searching

  private func look(for words: String) {
    asked = words
    ownState.isRefreshing = true
    ownState.error = nil
    ownState.wasCancelled = false
    cacheQuery = nil
    if account.connection.offlineSince != nil { lookInCache() }
    cancelSearch()
    download = account.start(.search(words, limit: Self.limit), delegate: self)
    updateWords()
  }

  private func cancelSearch() {
    guard let download else { return }
    self.download = nil
    account.cancel(download)
  }

  private func didFail(_ error: DownloadError) {
    download = nil
    ownState.isRefreshing = false
    ownState.note(error, at: account.clock.now)
    if error.isTransient, cacheQuery == nil { lookInCache() }
    updateWords()
  }

  private func show(_ results: SearchResults, for words: String) {
    ownState.note(nil, at: account.clock.now)
    cacheQuery = nil
    cached = nil
    found = words
    hits = SearchHits(results)
    leaveOutHidden()
    reload(hits.hits)
    // Restoring a search must not open another screen.
    if !isRestored, SearchHits.namesOneThing(words), let only = hits.only, isOnScreen { navigator?.show(only.place) }
  }

  /// Searches the cache and shows the results until the server responds. Does nothing if the server's results for this
  /// text are already visible.
  private func lookInCache() {
    guard cached != nil || found != asked, let cache = account.searchCache else { return }
    cacheQuery = cache.find(asked, limit: Self.limit) { [weak self, asked] results in
      guard let self, self.asked == asked else { return }
      show(results, for: asked)
      updateWords()
    }
  }

  private func show(_ results: CachedResults, for words: String) {
    let isNew = found != words || cached?.results != results.results
    cached = results
    found = words
    guard isNew else { return }
    hits = SearchHits(results.results)
    leaveOutHidden()
    reload(hits.hits)
  }

  override var filterPlace: FilterPlace? { .public }

  /// Hides qwinks that a filter hides, and qwinks by muted or blocked users. If the search text is an address or a full
  /// handle, hides nothing, and a filter only covers a qwink's text. Returns the change to the visible hits.
  @discardableResult
  func leaveOutHidden() -> ListChange {
    let isSought = SearchHits.namesOneThing(found)
    return hits.leaveOut { !isSought && account.leavesOut($0, in: filterPlace) }
  }

  override public func accountFilterDidExpire() {
    showHits()
    super.accountFilterDidExpire()
  }

  // MARK: Words

  override func updateListWords() {
    super.updateListWords()
    prompt?.note = note
    prompt?.remark = remark
  }

  private var remark: [TextRun<StyleRole>] {
    guard let cached, !rows.isEmpty else { return [] }
    let isOffline = account.connection.offlineSince != nil
    return [TextRun(SearchWords.cached(rows.count, isOffline: isOffline, isWhole: cached.isWhole), .warning)]
  }

  private var note: [TextRun<StyleRole>] {
    if state.isRefreshing { return [TextRun(SearchWords.searchingNote, .dim)] }
    if cached != nil { return [] }
    if state.error != nil, !rows.isEmpty { return [TextRun(SearchWords.oldResults(for: found), .warning)] }
    return rows.isEmpty ? [] : [TextRun(SearchWords.found(rows.count), .dim)]
  }

  override var placeholder: PlaceholderWords.Lines {
    if let error = state.error {
      let keys =
        isTyping
        ? PlaceholderWords.keys(SearchWords.enterSearches)
        : PlaceholderWords.keys(PlaceholderWords.retries, SearchWords.slashEdits)
      let alsoHere = cached != nil && found == asked && !error.isCancelled
      let here: PlaceholderWords.Lines = alsoHere ? [[TextRun(SearchWords.nothingHere(for: asked), .text)]] : []
      return [[TextRun(error.sentence, .error)]] + here + [[]] + keys
    }
    if state.isRefreshing { return [[TextRun(SearchWords.searching(asked), .dim)]] }
    if !found.isEmpty {
      return PlaceholderWords.nothing(SearchWords.nothing(for: found), SearchWords.slashEdits)
        + [[], [TextRun(advice, .dim)]]
    }
    let start: PlaceholderWords.Lines = [
      [TextRun(SearchWords.about, .text)], [],
    ]
    let examples: PlaceholderWords.Lines = [
      [TextRun("alice", .accent)], [TextRun("#garden", .tag)], [TextRun("@bob@example.org", .mention)],
      [TextRun("https://example.org/@bob", .link)],
    ]
    return start + examples + [[]]
      + PlaceholderWords.keys(isTyping ? SearchWords.enterSearches : SearchWords.slashStarts)
  }

  private var advice: String {
    if SearchHits.namesOneThing(found) {
      return account.isSignedIn ? SearchWords.checkSpelling : SearchWords.signIn
    }
    return SearchWords.tryOtherWords
  }

  override func content(in size: Size) -> Layout { .rows([.fixed(2): prompt, .fill: list]) }

  override func cell(forRowAt index: Int) -> any ListCell {
    let cell: any ListCell =
      switch rows[index] {
      case .qwinker(let qwinker):
        LinesCell(
          qwinker, relationship: account.follows.relationship(to: qwinker.id), at: account.clock.now,
          in: account.timeZone, pictures: pictures?.cell(of: qwinker))
      case .tag(let tag): LinesCell(tag)
      case .qwink(let qwink): self.cell(of: qwink, account, settings)
      }
    return hits.headings[index].map { HeadedCell(heading: $0, cell: cell) } ?? cell
  }

  override func pictureSubject(ofRowAt index: Int) -> PictureSubject? {
    switch rows[index] {
    case .qwinker(let qwinker): .qwinker(qwinker)
    case .qwink(let qwink): pictureSubject(of: qwink)
    case .tag: nil
    }
  }
}

extension SearchViewController: DownloadServiceDelegate {
  public func downloadService<Answer>(
    _ service: DownloadService, didDownload answer: Answer, of request: Request<Answer>,
    for identifier: DownloadIdentifier
  ) {
    guard identifier == download, let results = answer as? SearchResults else { return }
    download = nil
    ownState.isRefreshing = false
    show(results, for: asked)
    account.follows.loadRelationships(to: results.qwinkers.filter { $0.id != account.identity.me?.id })
    updateWords()
  }

  public func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) {
    if identifier == download { didFail(error) }
  }
}
