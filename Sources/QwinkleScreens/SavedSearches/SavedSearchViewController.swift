import FoundationEssentials
public import PaneKit
public import QwinkleAccount
public import QwinkleConfig
public import QwinkleModel
import QwinkleService
import QwinkleStore
import Terminal
import Timekeeping

/// The cached qwinks that match the rule of a view, newest first. Users define views in the configuration.
@MainActor
public final class SavedSearchViewController: ListViewController<Qwink> {
  /// Number of qwinks in a page of results from the cache.
  private static let pageSize = 40

  /// The shown view, or nil if the configuration defines no views.
  private(set) var ownView: OwnView?

  private let account: Account
  private let settings: ReaderSettings
  private var search: CacheQuery?
  private var page = RulePage()
  /// Whether to search once more after the page in progress, because the whole cache is indexed now.
  private var looksAgain = false
  /// Whether the qwinks that the user's rules hide are shown until the reader hides them again.
  private var isLifted = false
  /// The qwinks that the user's rules have left out.
  private var hidden: Set<Qwink.ID> = []
  /// The user's rules at the last search.
  private var hidingRules = HiddenQwinks()

  public init(
    _ ownView: OwnView?, account: Account, settings: ReaderSettings = ReaderSettings(), shelf: PictureShelf? = nil
  ) {
    self.ownView = ownView
    self.account = account
    self.settings = settings
    super.init(title: SavedSearchWords.title(of: ownView))
    account.addObserver(self)
    showPictures(shelf, account: account, settings: settings)
    settings.didChange.add(self) { $0.takeRule() }
    on(.showHidden) { [weak self] in self?.toggleHidden() }
  }

  override var hints: [Action] {
    (rows.isEmpty ? [] : [.listNext, .open]) + account.possible(QwinkCommand.contentHints, on: selectedQwink)
      + account.possible(QwinkCommand.listHints, on: selectedQwink)
      + [.refresh]
  }

  override public var selectedQwink: Qwink? { selectedRow }

  override func placeKey(of row: Qwink) -> String? { row.originalID.rawValue }

  override func findableText(ofRowAt index: Int) -> String {
    account.findableText(of: rows[index], in: filterPlace)
  }

  override var filterPlace: FilterPlace? { .home }

  override func open(_ row: Qwink) {
    navigator?.show(.thread(row))
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
    guard let ownView else { return [[TextRun(SavedSearchWords.noViews, .text)]] }
    if account.searchCache == nil { return [[TextRun(SavedSearchWords.noCache, .text)]] }
    if state.isRefreshing || state.refreshedAt == nil { return [[TextRun(SavedSearchWords.looking, .dim)]] }
    return PlaceholderWords.nothing(
      page.isWhole ? SavedSearchWords.nothing : SavedSearchWords.nothingYet, SavedSearchWords.fetches)
      + [[], [TextRun(ownView.text, .dim)]]
  }

  override var loadingWords: String { SavedSearchWords.looking }

  // MARK: Searching

  override public func viewDidAppear() {
    super.viewDidAppear()
    takeRule()
    // Update relative times.
    list.reloadCells()
    if state.refreshedAt == nil, !state.isRefreshing { look() }
  }

  override public func viewDidDisappear() {
    super.viewDidDisappear()
    if state.isLoadingMore { stop() }
  }

  /// Refreshes the home and public timelines, and searches the cache again at once. Matching qwinks that the timelines
  /// receive are added to the list.
  override public func refresh() {
    super.refresh()
    // Don't fetch a public timeline that was never opened, because it can be very busy on a large server.
    let timelines: [TimelineName] = account.isSignedIn ? [.home, .public] : [.public]
    for name in timelines where name == timelines[0] || !account.timelines.timeline(name).rows.isEmpty {
      account.timelines.refresh(name)
    }
    look()
  }

  private func stop() {
    search = nil
    ownState.isRefreshing = false
    ownState.isLoadingMore = false
  }

  /// Adopts the rules of a reloaded configuration that have changed.
  private func takeRule() {
    if settings.hideRules != hidingRules.rules, state.refreshedAt != nil { searchAgain() }
    guard let ownView, let new = views.first(where: { $0.name == ownView.name }), new != ownView else { return }
    show(new)
  }

  private var views: [OwnView] { settings.desk?.views ?? [] }

  /// Shows the user's next view. The last view is followed by the first.
  func showNext() {
    let index = views.firstIndex { $0.name == ownView?.name }
    guard let new = index.map({ views[($0 + 1) % views.count] }) ?? views.first, new != ownView else { return }
    show(new)
    navigator?.selectionDidChange(in: self)
  }

  private func show(_ new: OwnView) {
    let isOther = new.name != ownView?.name
    ownView = new
    title = SavedSearchWords.title(of: new)
    if isOther {
      stop()
      page = RulePage()
      ownState = FeedState()
      reload([])
    }
    if isOnScreen { look() } else { ownState.refreshedAt = nil }
  }

  override public func encodeRestorableState(with state: inout RestorableState) {
    super.encodeRestorableState(with: &state)
    state["view"] = ownView?.name
  }

  override public func decodeRestorableState(with state: RestorableState) {
    if let view = views.first(where: { $0.name == state["view"] }) { show(view) }
    super.decodeRestorableState(with: state)
  }

  private func searchAgain() {
    if isOnScreen { look() } else { ownState.refreshedAt = nil }
  }

  private func toggleHidden() {
    guard !settings.hideRules.isEmpty else { return navigator?.say(HidingWords.noRules, .dim) ?? () }
    let count = hidden.count
    isLifted.toggle()
    look()
    navigator?.say(isLifted ? HidingWords.lifted(count) : HidingWords.hiddenAgain, .text)
  }

  override public var hidingWords: String? {
    isLifted ? HidingWords.isLifted : hidden.isEmpty ? nil : HidingWords.count(hidden.count)
  }

  private func look(isLast: Bool = false) {
    guard let cache = account.searchCache, let rule = ownView?.rule else { return updateWords() }
    stop()
    hidden = []
    hidingRules = HiddenQwinks(rules: settings.hideRules)
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
    guard let next = page.next, let cache = account.searchCache, let rule = ownView?.rule, !state.isRefreshing,
      !state.isLoadingMore
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

  /// Returns the qwinks that nothing hides, and records the ones that the user's rules hide.
  private func shown(_ qwinks: [Qwink]) -> [Qwink] {
    let me = account.identity.me?.id
    return qwinks.filter { qwink in
      guard !account.leavesOut(qwink, in: filterPlace) else { return false }
      guard !isLifted, hidingRules.contains(qwink, me: me) else { return true }
      hidden.insert(qwink.originalID)
      return false
    }
  }

  override public func accountFilterDidExpire() {
    super.accountFilterDidExpire()
    // The rows that the filter hid are no longer in the list, but only in the cache.
    searchAgain()
  }

  /// Adds new qwinks if they match the rule. A search can't find them until they are indexed.
  private func take(_ new: [Qwink]) {
    guard let rule = ownView?.rule else { return }
    let known = Set(allRows.map(\.originalID))
    let fitting = shown(new).filter { !known.contains($0.originalID) && rule.matches($0) }
    guard !fitting.isEmpty else { return }
    var rows = allRows
    var ids = known
    for qwink in fitting where ids.insert(qwink.originalID).inserted {
      let index = rows.firstIndex { $0.createdAt < qwink.createdAt } ?? rows.count
      // Skip a qwink that is older than all rows, because it will be loaded with its page.
      if index < rows.count || state.isComplete { rows.insert(qwink, at: index) }
    }
    showKeepingSelection(rows, followsTop: false)
  }
}

extension SavedSearchViewController: AccountObserver {
  public func timelines(
    _ timelines: Timelines, didChange change: ListChange, in name: TimelineName, cause: Timelines.Cause
  ) {
    guard state.refreshedAt != nil, cause != .cache, cause != .older else { return }
    let all = timelines.timeline(name).rows
    take(change.inserted.flatMap { all[$0.clamped(to: all.indices)] }.compactMap(\.qwink))
  }

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
    for index in changed { rows[index] = rows[index].replaced(id, by: qwink) ?? rows[index] }
    show(rows, after: ListChange(changed: changed))
    navigator?.selectionDidChange(in: self)
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

  public func timelines(_ timelines: Timelines, didDelete id: Qwink.ID) {
    for quoting in allRows.compactMap({ $0.withholdingQuote(of: id) }) {
      replace(quoting, insteadOf: quoting.originalID)
    }
    let removed = allRows.indices.filter { allRows[$0].originalID == id }
    guard !removed.isEmpty else { return }
    show(allRows.filter { $0.originalID != id }, after: ListChange(removed: removed))
  }

  public func drafts(_ drafts: Drafts, didChangeRepliesTo qwinks: Set<Qwink.ID>) {
    reloadRows { qwinks.contains($0.originalID) }
  }
}
