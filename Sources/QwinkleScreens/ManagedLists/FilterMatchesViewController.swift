import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import QwinkleStore
import Terminal
import Timekeeping

/// The cached qwinks that match one of the user's filters, newest first. The filter doesn't hide or cover them here;
/// all other rules apply.
@MainActor
public final class FilterMatchesViewController: ListViewController<Qwink> {
  /// Number of qwinks in a page of results from the cache.
  private static let pageSize = 40

  private let filter: ContentFilter
  private let account: Account
  private let settings: ReaderSettings
  private var search: CacheQuery?
  private var page = RulePage()
  /// Whether the search was repeated because the whole cache was indexed.
  private var hasLookedAgain = false

  public init(
    _ filter: ContentFilter, account: Account, settings: ReaderSettings = ReaderSettings(), shelf: PictureShelf? = nil
  ) {
    self.filter = filter
    self.account = account
    self.settings = settings
    super.init(title: ManagedListWords.matches(of: filter))
    account.addObserver(self)
    showPictures(shelf, account: account, settings: settings)
  }

  override var hints: [Action] {
    (rows.isEmpty ? [] : [.listNext, .open]) + account.possible(QwinkCommand.listHints, on: selectedQwink) + [.refresh]
  }

  override public var selectedQwink: Qwink? { selectedRow }
  override var filterPlace: FilterPlace? { .home }
  override func placeKey(of row: Qwink) -> String? { row.originalID.rawValue }
  override func open(_ row: Qwink) { navigator?.show(.thread(row)) }

  override func findableText(ofRowAt index: Int) -> String {
    account.findableText(of: rows[index], in: filterPlace)
  }

  override func cell(forRowAt index: Int) -> any ListCell {
    let qwink = rows[index]
    return QwinkCell(
      account.cellData(of: qwink, in: filterPlace), density: settings.density, pictures: pictures?.cell(of: qwink))
  }

  override func pictureSubject(ofRowAt index: Int) -> PictureSubject? {
    .qwink(rows[index], textColumns: QwinkCellLayout.textColumns(forColumns: list.frame.size.columns))
  }

  override var placeholder: PlaceholderWords.Lines {
    guard account.searchCache != nil else { return [[TextRun(SavedSearchWords.noCache, .text)]] }
    if state.refreshedAt == nil { return [[TextRun(SavedSearchWords.looking, .dim)]] }
    return PlaceholderWords.nothing(ManagedListWords.noMatches, PlaceholderWords.goesBack)
  }

  override var loadingWords: String { SavedSearchWords.looking }

  // MARK: Searching

  override public func viewDidAppear() {
    super.viewDidAppear()
    list.reloadCells()
    if state.refreshedAt == nil, !state.isRefreshing { refresh() }
  }

  override public func refresh() {
    super.refresh()
    guard let cache = account.searchCache else { return updateWords() }
    ownState.isLoadingMore = false
    ownState.isRefreshing = true
    search = cache.find(.filter(filter), limit: max(Self.pageSize, rows.count)) { [weak self] page in
      guard let self else { return }
      ownState.isRefreshing = false
      ownState.note(nil, at: account.clock.now)
      take(page, after: [])
      if !page.isWhole, !hasLookedAgain { refreshWhenIndexed(cache) }
    }
    updateWords()
  }

  /// Searches once more when the whole cache is indexed, if the screen is still visible.
  private func refreshWhenIndexed(_ cache: SearchCache) {
    cache.whenIndexed { [weak self] in
      guard let self, isOnScreen, !state.isRefreshing, !hasLookedAgain else { return }
      hasLookedAgain = true
      refresh()
    }
  }

  override func loadOlder() {
    guard let next = page.next, let cache = account.searchCache, !state.isRefreshing, !state.isLoadingMore else {
      return
    }
    ownState.isLoadingMore = true
    search = cache.find(.filter(filter), from: next, limit: Self.pageSize) { [weak self] page in
      guard let self else { return }
      ownState.isLoadingMore = false
      take(page, after: allRows)
    }
    updateWords()
  }

  private func take(_ page: RulePage, after known: [Qwink]) {
    self.page = page
    ownState.isComplete = page.next == nil
    let ids = Set(known.map(\.originalID))
    showKeepingSelection(known + shown(page.qwinks).filter { !ids.contains($0.originalID) })
    updateWords()
    // If all rows of the page are hidden, the list can't request more itself.
    if allRows.isEmpty { loadOlder() } else { loadOlderWhereNeeded() }
  }

  /// Returns the qwinks that can be shown, without the matches of this filter. The filter never matches the user's own.
  private func shown(_ qwinks: [Qwink]) -> [Qwink] {
    let me = account.identity.me?.id
    return qwinks.filter { $0.author.id != me }.map { $0.unfiltered(by: filter) }
      .filter { !account.leavesOut($0, in: filterPlace) }
  }
}

extension FilterMatchesViewController: AccountObserver {
  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {
    replace(qwink, insteadOf: qwink.originalID)
  }

  public func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink) {
    replace(qwink, insteadOf: id)
  }

  private func replace(_ qwink: Qwink, insteadOf id: Qwink.ID) {
    let changed = allRows.indices.filter { allRows[$0].originalID == id }
    guard !changed.isEmpty else { return }
    var rows = allRows
    for index in changed { rows[index] = (rows[index].replaced(id, by: qwink) ?? rows[index]).unfiltered(by: filter) }
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

  public func followsDidChangeHidden(_ follows: Follows) { showKeepingSelection(shown(allRows)) }
}
