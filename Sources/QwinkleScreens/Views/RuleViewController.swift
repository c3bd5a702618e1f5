import FoundationEssentials
public import PaneKit
public import QwinkleAccount
public import QwinkleConfig
public import QwinkleModel
import QwinkleService
import QwinkleStore
import Terminal
import Timekeeping

/// The qwinks kept on this machine for which a rule of the user's holds, those written last first.
@MainActor
public final class RuleViewController: ListViewController<Qwink> {
  /// Qwinks that a search of the cache stops at.
  private static let pageSize = 40

  /// Nil: the file has no more views.
  private(set) var ownView: OwnView?

  private let account: Account
  private let settings: ReaderSettings
  private var search: KeptSearch?
  private var page = RulePage()

  public init(
    _ ownView: OwnView?, account: Account, settings: ReaderSettings = ReaderSettings(), shelf: PictureShelf? = nil
  ) {
    self.ownView = ownView
    self.account = account
    self.settings = settings
    super.init(title: RuleViewWords.title(of: ownView))
    account.addObserver(self)
    showPictures(shelf, account: account, settings: settings)
    settings.didChange.add(self) {
      $0.list.reloadCells()
      $0.takeRule()
    }
    updateWords()
  }

  override var hints: [Action] {
    (rows.isEmpty ? [] : [.listNext, .open]) + account.possible(on: selectedQwink)
      + account.possible([.reply, .boost, .bookmark], on: selectedQwink)
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
    guard let ownView else { return [[TextRun(RuleViewWords.noViews, .text)]] }
    if account.searchCache == nil { return [[TextRun(RuleViewWords.noCache, .text)]] }
    if state.isRefreshing || state.refreshedAt == nil { return [[TextRun(RuleViewWords.looking, .dim)]] }
    return PlaceholderWords.nothing(
      page.isWhole ? RuleViewWords.nothing : RuleViewWords.nothingYet, RuleViewWords.fetches)
      + [[], [TextRun(ownView.text, .dim)]]
  }

  override var loadingWords: String { RuleViewWords.looking }

  // MARK: Looking

  override public func viewDidAppear() {
    super.viewDidAppear()
    takeRule()
    // Times have grown older.
    list.reloadCells()
    if state.refreshedAt == nil, !state.isRefreshing { look() }
  }

  override public func viewDidDisappear() {
    super.viewDidDisappear()
    if state.isLoadingMore { stop() }
  }

  /// Fetches what is new on the server, and looks again.
  override public func refresh() {
    pictures?.tryAgain()
    // A timeline that was never opened may be that of a large server.
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

  /// The rule may be another one after a reload.
  private func takeRule() {
    guard let ownView, let new = views.first(where: { $0.name == ownView.name }), new != ownView else { return }
    show(new)
  }

  private var views: [OwnView] { settings.desk?.views ?? [] }

  /// Shows the next of the user's views, after the last the first.
  func showNext() {
    let index = views.firstIndex { $0.name == ownView?.name }
    guard let new = index.map({ views[($0 + 1) % views.count] }) ?? views.first, new != ownView else { return }
    show(new)
    navigator?.selectionDidChange(in: self)
  }

  private func show(_ new: OwnView) {
    let isOther = new.name != ownView?.name
    ownView = new
    title = RuleViewWords.title(of: new)
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

  private func look(isLast: Bool = false) {
    guard let cache = account.searchCache, let rule = ownView?.rule else { return updateWords() }
    stop()
    ownState.isRefreshing = true
    // As much as is shown already, so that the reader keeps their place.
    let limit = max(Self.pageSize, rows.count)
    search = cache.find(rule, limit: limit) { [weak self] page in
      guard let self else { return }
      self.page = page
      ownState.isRefreshing = false
      ownState.note(nil, at: account.clock.now)
      ownState.isComplete = page.next == nil
      // What came meanwhile may not be in the index yet.
      let arrived = allRows.prefix { row in page.qwinks.first.map { $0.createdAt < row.createdAt } ?? true }
        .filter { row in rule.matches(row) && !page.qwinks.contains { $0.originalID == row.originalID } }
      showKeepingSelection(shown(arrived + page.qwinks), followsTop: isAtTop)
      updateWords()
      loadOlderWhereNeeded()
      if !page.isWhole, !isLast { lookWhenIndexed(cache) }
    }
    updateWords()
  }

  /// Looks once more when the index has everything.
  private func lookWhenIndexed(_ cache: SearchCache) {
    cache.whenIndexed { [weak self] in
      guard let self, isOnScreen, !page.isWhole, !state.isRefreshing, !state.isLoadingMore else { return }
      look(isLast: true)
    }
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
      updateWords()
      loadOlderWhereNeeded()
    }
    updateWords()
  }

  private func shown(_ qwinks: [Qwink]) -> [Qwink] { qwinks.filter { !account.leavesOut($0, in: filterPlace) } }

  override public func accountFilterDidExpire() {
    super.accountFilterDidExpire()
    // Only the cache has the rows that the filter hid.
    if isOnScreen { look() } else { ownState.refreshedAt = nil }
  }

  /// Shows what has just come, before it is in the index.
  private func take(_ new: [Qwink]) {
    guard let rule = ownView?.rule else { return }
    let known = Set(allRows.map(\.originalID))
    let fitting = shown(new).filter { !known.contains($0.originalID) && rule.matches($0) }
    guard !fitting.isEmpty else { return }
    var rows = allRows
    var ids = known
    for qwink in fitting where ids.insert(qwink.originalID).inserted {
      let index = rows.firstIndex { $0.createdAt < qwink.createdAt } ?? rows.count
      // Older ones come with their page.
      if index < rows.count || state.isComplete { rows.insert(qwink, at: index) }
    }
    showKeepingSelection(rows, followsTop: false)
    updateWords()
  }
}

extension RuleViewController: AccountObserver {
  public func timelines(
    _ timelines: Timelines, didChange change: ListChange, in name: TimelineName, cause: Timelines.Cause
  ) {
    guard state.refreshedAt != nil, cause != .kept, cause != .older else { return }
    let all = timelines.timeline(name).rows
    take(change.inserted.flatMap { all[$0.clamped(to: all.indices)] }.compactMap(\.qwink))
  }

  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {
    replace(qwink, insteadOf: qwink.originalID)
  }

  public func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink) {
    replace(qwink, insteadOf: id)
  }

  /// It stays although the rule may hold no more: nothing goes from under the cursor.
  private func replace(_ qwink: Qwink, insteadOf id: Qwink.ID) {
    var rows = allRows
    let changed = rows.indices.filter { rows[$0].originalID == id }
    guard !changed.isEmpty else { return }
    pictures?.lookSoon()
    for index in changed { rows[index] = rows[index].replaced(id, by: qwink) ?? rows[index] }
    show(rows, after: ListChange(changed: changed))
    navigator?.selectionDidChange(in: self)
  }

  public func followsDidChangeHidden(_ follows: Follows) {
    guard state.refreshedAt != nil else { return }
    let rest = shown(allRows)
    if rest.count < allRows.count {
      showKeepingSelection(rest)
      updateWords()
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
    updateWords()
  }

  public func drafts(_ drafts: Drafts, didChangeRepliesTo qwinks: Set<Qwink.ID>) {
    reloadRows { qwinks.contains($0.originalID) }
  }
}
