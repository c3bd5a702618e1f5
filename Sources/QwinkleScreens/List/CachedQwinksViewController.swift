import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import QwinkleStore
import Terminal
import Timekeeping

/// Base class of a list of the cached qwinks that match a rule, newest first.
@MainActor
public class CachedQwinksViewController: ListViewController<Qwink> {
  /// Number of qwinks in a page of results from the cache.
  private static let pageSize = 40

  let account: Account
  let settings: ReaderSettings
  /// The last page of results.
  private(set) var page = RulePage()
  private var search: CacheQuery?
  /// Whether to search once more after the page in progress, because the whole cache is indexed now.
  private var looksAgain = false

  init(title: String, account: Account, settings: ReaderSettings, shelf: PictureShelf?) {
    self.account = account
    self.settings = settings
    super.init(title: title)
    account.addObserver(self)
    showPictures(shelf, account: account, settings: settings)
  }

  // MARK: To override

  /// The rule. With nil, the default, the list stays empty.
  var rule: ViewRule? { nil }

  /// Returns a qwink as this list shows it. The default returns it unchanged.
  func displayed(_ qwink: Qwink) -> Qwink { qwink }

  /// Returns the qwinks that nothing hides.
  func shown(_ qwinks: [Qwink]) -> [Qwink] {
    qwinks.map(displayed).filter { !account.leavesOut($0, in: filterPlace) }
  }

  /// Called when rows of a timeline have changed. The default does nothing.
  public func timelines(
    _ timelines: Timelines, didChange change: ListChange, in name: TimelineName, cause: Timelines.Cause
  ) {}

  // MARK: Rows

  override public var selectedQwink: Qwink? { selectedRow }
  override var filterPlace: FilterPlace? { .home }
  override func placeKey(of row: Qwink) -> String? { row.originalID.rawValue }
  override func open(_ row: Qwink) { navigator?.show(.thread(row)) }

  override func findableText(ofRowAt index: Int) -> String {
    account.findableText(of: rows[index], in: filterPlace)
  }

  override func cell(forRowAt index: Int) -> any ListCell { cell(of: rows[index], account, settings) }
  override func pictureSubject(ofRowAt index: Int) -> PictureSubject? { pictureSubject(of: rows[index]) }

  // MARK: Words

  override var hints: [Action] {
    (rows.isEmpty ? [] : [.listNext, .open]) + account.possible(QwinkCommand.contentHints, on: selectedQwink)
      + account.possible(QwinkCommand.listHints, on: selectedQwink)
      + [.refresh]
  }

  override var placeholder: PlaceholderWords.Lines {
    if account.searchCache == nil { return [[TextRun(SavedSearchWords.noCache, .text)]] }
    if state.isRefreshing || state.refreshedAt == nil { return [[TextRun(SavedSearchWords.looking, .dim)]] }
    return nothing
  }

  override var loadingWords: String { SavedSearchWords.looking }

  // MARK: Searching

  override public func viewDidAppear() {
    super.viewDidAppear()
    // Update relative times.
    list.reloadCells()
    if state.refreshedAt != nil {
      // Leaving the screen may have stopped a search.
      loadMore()
    } else if !state.isRefreshing {
      look()
    }
  }

  override public func viewDidDisappear() {
    super.viewDidDisappear()
    if state.isLoadingMore { stop() }
  }

  override public func refresh() {
    super.refresh()
    look()
  }

  private func stop() {
    search = nil
    ownState.isRefreshing = false
    ownState.isLoadingMore = false
  }

  /// Removes all rows, which match another rule.
  func clear() {
    stop()
    page = RulePage()
    ownState = FeedState()
    reload([])
  }

  /// Searches again, now or when the screen appears.
  func searchAgain() {
    if isOnScreen { look() } else { ownState.refreshedAt = nil }
  }

  /// Searches the cache from its newest qwink on. If `isLast` is true, doesn't search once more after indexing.
  func look(isLast: Bool = false) {
    guard let cache = account.searchCache, let rule else { return updateWords() }
    stop()
    looksAgain = false
    ownState.isRefreshing = true
    // Find at least as many qwinks as are listed, so that the reader's position doesn't change.
    let limit = max(Self.pageSize, rows.count)
    search = cache.find(rule, limit: limit, isSoon: rows.isEmpty) { [weak self] page in
      guard let self else { return }
      self.page = page
      ownState.isRefreshing = false
      ownState.note(nil, at: account.clock.now)
      ownState.isComplete = page.next == nil
      // A search may miss qwinks that arrived recently, because they aren't indexed yet. Keep these qwinks in the list.
      let arrived = allRows.prefix { row in page.qwinks.first.map { $0.createdAt < row.createdAt } ?? true }
        .filter { row in rule.matches(row) && !page.qwinks.contains { $0.originalID == row.originalID } }
      showKeepingSelection(shown(arrived + page.qwinks), followsTop: isAtTop)
      loadMore()
      if !page.isWhole, !isLast { lookWhenIndexed(cache) }
    }
    updateWords()
  }

  /// Searches once more when the whole cache is indexed, if the screen is still visible.
  private func lookWhenIndexed(_ cache: SearchCache) {
    cache.whenIndexed { [weak self] in
      guard let self, isOnScreen, !state.isRefreshing else { return }
      if state.isLoadingMore { looksAgain = true } else { look(isLast: true) }
    }
  }

  /// Loads more rows where the list needs them. If all rows of the page are hidden, the list can't ask for more.
  private func loadMore() {
    if looksAgain { return look(isLast: true) }
    if allRows.isEmpty { loadOlder() } else { loadOlderWhereNeeded() }
  }

  override func loadOlder() {
    guard let next = page.next, let cache = account.searchCache, let rule, !state.isRefreshing, !state.isLoadingMore
    else { return }
    ownState.isLoadingMore = true
    search = cache.find(rule, from: next, limit: Self.pageSize) { [weak self] page in
      guard let self else { return }
      self.page = page
      ownState.isLoadingMore = false
      ownState.isComplete = page.next == nil
      let known = Set(allRows.map(\.originalID))
      showKeepingSelection(allRows + shown(page.qwinks).filter { !known.contains($0.originalID) })
      loadMore()
    }
    updateWords()
  }
}

extension CachedQwinksViewController: AccountObserver {
  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {
    replace(qwink, insteadOf: qwink.originalID)
  }

  public func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink) {
    replace(qwink, insteadOf: id)
  }

  /// Updates a row. The row stays even if the rule no longer matches, so that rows don't disappear under the cursor.
  private func replace(_ qwink: Qwink, insteadOf id: Qwink.ID) {
    var rows = allRows
    let changed = rows.indices.filter { rows[$0].originalID == id }
    guard !changed.isEmpty else { return }
    for index in changed { rows[index] = displayed(rows[index].replaced(id, by: qwink) ?? rows[index]) }
    show(rows, after: ListChange(changed: changed))
    navigator?.selectionDidChange(in: self)
  }

  public func timelines(_ timelines: Timelines, didDelete id: Qwink.ID) {
    for quoting in allRows.compactMap({ $0.withholdingQuote(of: id) }) {
      replace(quoting, insteadOf: quoting.originalID)
    }
    let removed = allRows.indices.filter { allRows[$0].originalID == id }
    guard !removed.isEmpty else { return }
    show(allRows.filter { $0.originalID != id }, after: ListChange(removed: removed))
  }

  public func followsDidChangeHidden(_ follows: Follows) {
    guard state.refreshedAt != nil else { return }
    let rest = shown(allRows)
    if rest.count < allRows.count {
      showKeepingSelection(rest)
    } else if isOnScreen {
      look()
    }
  }

  public func drafts(_ drafts: Drafts, didChangeRepliesTo qwinks: Set<Qwink.ID>) {
    reloadRows { qwinks.contains($0.originalID) }
  }
}
