import FoundationEssentials
import OnDemandResources
public import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// A timeline. Polls for new qwinks while it is visible, without moving the reader's position.
@MainActor
public class TimelineViewController: ListViewController<Timeline.Row> {
  /// Separates two identifiers. It can't occur in an identifier, because control characters are stripped from server
  /// data.
  static let placeSeparator = "\u{1F}"
  /// If fewer rows than this are above the first visible one, more are loaded.
  private static let rowsAhead = 20

  public let name: TimelineName

  let account: Account
  let settings: ReaderSettings
  private let refreshControl = RefreshControl()
  /// The unread rows, and the line below them.
  var news = NewRows()
  /// The read mark for the rows that were visible just before the reader's current action.
  var markBefore: ReadMark?
  /// The read mark before and after the reader moved it in this visit. If the current mark differs from `to`, another
  /// client has moved it.
  var passed: (from: ReadMark, to: ReadMark)?
  /// Rows that were visible since the reader's last action, before new rows pushed them down.
  var flownIn: Set<SkippedRow> = []
  /// Rows that the reader has seen while the cache is being read for skipped rows. Nil if no such read is in progress.
  var seenWhileReading: Set<SkippedRow>?
  /// Reading position of a timeline whose position isn't saved.
  var unkeptMark: ReadMark?
  /// The previously selected item, and whether the reader moved up from it.
  private var lastSelected: Int?
  private var cameFromBelow = false
  /// Whether the timeline is changing. The selection can then change without an action by the reader.
  private var isTakingIn = false
  private var wasRefreshing = false
  private var wasLive = false
  /// Uptime of the reader's last action.
  private var actedAt: Duration?
  /// A reader at the top who is idle for this long sees new qwinks as they arrive.
  private static let idleTime = Duration.seconds(5)
  /// Whether rows have arrived above the visible rows while the reader was at the top. Reset when the reader acts.
  var staysBelowNew = false
  /// Whether the list's rows can differ from the timeline's rows, because rows are hidden or shown above the timeline.
  var isArranged = false
  /// Whether a filter hides one of the rows.
  var hasFiltered = false
  /// The rows folded when the rows were last arranged, and when they were last shown.
  var folds = FoldedBoosts()
  var shownFolds = FoldedBoosts()
  /// The ids of ``qwinksAbove`` when the rows were last arranged.
  var idsAbove: Set<Qwink.RowID> = []
  /// The kinds that the reader has chosen to hide in this timeline. Nil uses the `hide` option.
  var ownHiddenKinds: Set<HiddenKind>?
  /// Number of rows that have arrived above the loaded rows.
  private var newAboveWindow = 0
  private let polls: PollSchedule

  public init(
    name: TimelineName, account: Account, settings: ReaderSettings = ReaderSettings(), shelf: PictureShelf? = nil
  ) {
    self.name = name
    self.account = account
    self.settings = settings
    self.polls = PollSchedule(clock: account.clock)
    super.init(title: TimelineWords.title(of: name))
    account.addObserver(self)
    showPictures(shelf, account: account, settings: settings)
    settings.didChange.add(self) { $0.rearrange() }
    list.on(.listFirst) { [weak self] in self?.goToFirst() }
    list.on(.listLast) { [weak self] in self?.goToLast() }
    refreshControl.addTarget(self) { $0.account.timelines.refresh($0.name, cause: .userRefresh) }
  }

  override public var selectedQwink: Qwink? { selectedRow?.qwink }

  override public var state: FeedState { account.timelines.state(of: name) }
  override var nextAttempt: Date? { polls.nextAttempt }

  override public var status: ScreenStatus {
    var status = super.status
    status.unreadCount = unreadCount
    status.hasMoreNew = news.hasMore
    return status
  }

  override var hints: [Action] {
    (rows.isEmpty ? [] : [.listNext, .open]) + account.possible(QwinkCommand.contentHints, on: selectedQwink)
      + (account.isSignedIn ? [.compose] : [])
      + account.possible(QwinkCommand.listHints, on: selectedQwink) + [.refresh]
  }

  override public func refresh() {
    pictures?.tryAgain()
    refreshControl.refresh()
  }

  override func open(_ row: Timeline.Row) {
    switch row {
    case .gap(let cursor): account.timelines.fillGap(cursor, in: name, upwards: cameFromBelow)
    case .item(let qwink): navigator?.show(.thread(qwink))
    }
  }

  override func placeKey(of row: Timeline.Row) -> String? {
    row.qwink.map { $0.rowID.status.rawValue + Self.placeSeparator + ($0.rowID.booster?.rawValue ?? "") }
  }

  override func loadCached(around keys: [String]) {
    let rows = keys.compactMap(Self.row(ofKey:))
    if rows.contains(where: { folds.shownRow(for: $0) != $0 }) { rearrange() }
    account.timelines.loadCached(name, around: rows)
  }

  static func row(ofKey key: String) -> Qwink.RowID? {
    let parts = key.split(separator: placeSeparator, omittingEmptySubsequences: false)
    guard let status = parts.first, let booster = parts.last, parts.count == 2 else { return nil }
    return Qwink.RowID(
      status: Qwink.ID(String(status)), booster: booster.isEmpty ? nil : Qwinker.ID(String(booster)))
  }

  // MARK: Fetching

  override public func viewDidAppear() {
    super.viewDidAppear()
    account.live.follow(name, for: self)
    // Show the cached rows first.
    Task { [weak self] in
      guard let self, isOnScreen else { return }
      account.drafts.load()
      if !rows.isEmpty { refreshOnSchedule() }
    }
    if rows.isEmpty { refreshOnSchedule() }
  }

  override public func viewDidDisappear() {
    super.viewDidDisappear()
    polls.stop()
    account.live.unfollow(name, for: self)
    noteReading()
  }

  override public func wakeUp() {
    guard isOnScreen else { return }
    news.beginVisit()
    refreshOnSchedule()
  }

  override func showModelRows() {
    if !showsModelRows {
      if waitingPlace != nil { loadWaitingPlace() } else { account.timelines.open(name) }
      if let currentRows { updateNews(currentRows) }
    }
    super.showModelRows()
    shownFolds = folds
  }

  // MARK: Reading

  override public func selectUnread(_ step: UnreadStep) -> Bool { selectOldestUnread() }

  override public func visitDidBegin() {
    flownIn = []
    passed = nil
    news.beginVisit()
  }

  override public func readerWillAct() { markBefore = markInSight }

  /// Whether new qwinks can be shown at the top as they arrive, because the setting allows it and the reader is idle.
  private var isIdle: Bool {
    settings.letsFlow && finder.limit == nil
      && actedAt.map { account.clock.uptime - $0 >= Self.idleTime } ?? true
  }

  override public func readerDidAct(wasHere: Bool) {
    if wasHere {
      actedAt = account.clock.uptime
      staysBelowNew = false
    }
    if wasHere {
      if let markBefore { readBefore(markBefore) }
      readInSight()
      flownIn = []
    }
    markBefore = nil
    super.readerDidAct(wasHere: wasHere)
  }

  override public func encodeRestorableState(with state: inout RestorableState) {
    super.encodeRestorableState(with: &state)
    state["line"] = savedLine
    state["hide"] = ownHiddenKinds?.map(\.rawValue).sorted().joined(separator: " ")
  }

  override public func decodeRestorableState(with state: RestorableState) {
    ownHiddenKinds = state["hide"].map { Set($0.split(separator: " ").compactMap { HiddenKind(rawValue: String($0)) }) }
    if ownHiddenKinds != nil { rearrange() }
    super.decodeRestorableState(with: state)
    if let restored = state["line"] { showLine(at: restored) }
  }

  private func refreshOnSchedule() {
    account.timelines.catchUp(name)
    // Update relative times.
    list.reloadCells()
  }

  private func schedulePoll() {
    guard isOnScreen else { return }
    // Streaming makes polling unnecessary.
    if account.timelines.isLive(name), state.error == nil { return polls.stop() }
    polls.schedule(after: state.error) { [weak self] in self?.refreshOnSchedule() }
  }

  override var currentRows: [Timeline.Row]? { showsModelRows ? allRows : arranged().rows }

  /// Qwinks that are shown above the timeline instead of in it, such as an account's pinned qwinks. Empty by default.
  var qwinksAbove: [Qwink] { [] }

  override var hasMoreCached: Bool { account.timelines.hasMoreCached(name) }
  override var hasRowsAbove: Bool { account.timelines.hasMoreAbove(name) }
  /// If rows are hidden, it is unknown how many of the cached rows above the loaded ones would be visible.
  override var rowsAbove: Int? { hidesRows && hasRowsAbove ? nil : account.timelines.rowsAbove(name) }
  override var rowsBelow: Int { hidesRows ? 0 : account.timelines.rowsBelow(name) }

  override func loadOlder() {
    account.timelines.loadOlder(name)
  }

  // MARK: The window in memory

  /// Keeps visible and selected rows in memory, and loads nearby ones.
  func noteReading() {
    guard showsModelRows else { return }
    let seen = rows[shownRows.clamped(to: rows.indices)]
    let ends = [seen.first { $0.qwink != nil }, seen.last { $0.qwink != nil }].map { $0?.qwink?.rowID }
    account.timelines.note(
      self, reads: (ends + [selectedQwink?.rowID]).compactMap(\.self), isOnScreen: isOnScreen,
      needsAll: finder.limit != nil, in: name)
    if finder.limit == nil, shownRows.lowerBound < Self.rowsAhead, hasRowsAbove { account.timelines.loadNewer(name) }
  }

  func goToFirst() {
    guard hasRowsAbove, finder.limit == nil else { return list.select(0) }
    let gap = rows.prefix(selectedIndex ?? 0).lazy.compactMap(\.cursor).last
    account.timelines.showFirst(name) { [weak self] isElsewhere, passed in
      self?.jump(isElsewhere ? gap ?? passed : nil, isElsewhere: isElsewhere) { $0.select(0) }
    }
  }

  private func goToLast() {
    guard hasMoreCached, finder.limit == nil else { return list.select(list.count - 1) }
    let gap = rows.dropFirst((selectedIndex ?? 0) + 1).lazy.compactMap(\.cursor).first
    account.timelines.showLast(name) { [weak self] isElsewhere, passed in
      self?.jump(isElsewhere ? gap ?? passed : nil, isElsewhere: isElsewhere) { $0.select($0.count - 1) }
    }
  }

  /// Selects a row with `select` at the end of a jump. If the jump passed `gap`, shows a message.
  private func jump(_ gap: PageCursor?, isElsewhere: Bool, _ select: (ListView) -> Void) {
    isTakingIn = isElsewhere
    select(list)
    isTakingIn = false
    if let gap { navigator?.say(TimelineWords.passed(account.timelines.countMissing(at: gap, in: name)), .dim) }
  }

  /// Whether the unread rows can be counted. False if the cache has rows above the loaded ones and all loaded rows are
  /// read.
  var knowsUnread: Bool { !hasRowsAbove || news.beginsUnread }

  /// The number of unread rows above the loaded rows.
  var unreadAboveWindow: Int {
    guard hasRowsAbove else { return 0 }
    return news.beginsUnread ? rowsAbove ?? newAboveWindow : newAboveWindow
  }

  public func timelines(_ timelines: Timelines, didKeepNew rows: [Qwink.RowID], in name: TimelineName) {
    guard name == self.name else { return }
    newAboveWindow = (hasRowsAbove ? newAboveWindow : 0) + rows.count
    countNewAbove()
    navigator?.statusDidChange(of: self)
  }

  public func timelines(_ timelines: Timelines, didCountRowsIn name: TimelineName) {
    guard name == self.name, showsModelRows else { return }
    updatePosition()
    countNewAbove()
    navigator?.statusDidChange(of: self)
  }

  // MARK: Showing

  override func didShowRows() {
    if !hasRowsAbove { newAboveWindow = 0 }
    countNewAbove()
    super.didShowRows()
    countGapsInSight()
    noteReading()
  }

  /// Counts the missing rows of the visible gaps.
  private func countGapsInSight() {
    for row in rows[shownRows.clamped(to: rows.indices)] {
      if case .gap(let cursor) = row { account.timelines.countGap(cursor, in: name) }
    }
  }

  override func didSelectRow() {
    let index = list.selectedIndex
    if let index, let lastSelected, index != lastSelected, !isTakingIn, !isPlacing {
      cameFromBelow = index < lastSelected
      tellPassed(min(index, lastSelected)..<max(index, lastSelected))
    }
    lastSelected = index
    super.didSelectRow()
  }

  /// Shows a message if a jump between two items passed a gap.
  private func tellPassed(_ items: Range<Int>) {
    let leading = leadingCell == nil ? 0 : 1
    let passed = (items.lowerBound - leading + 1..<items.upperBound - leading).clamped(to: rows.indices)
    guard let gap = rows[passed].lazy.compactMap(\.cursor).first else { return }
    navigator?.say(TimelineWords.passed(account.timelines.countMissing(at: gap, in: name)), .dim)
  }

  /// True for a hidden kind, a filter, or a mute or block.
  override var hidesRows: Bool {
    !hiddenKinds.isEmpty || hasFiltered || (name.leavesOutMuted && account.follows.hidesAnybody)
  }

  override public var hidingWords: String? { hiddenKinds.isEmpty ? nil : HidingWords.title(hiddenKinds) }

  override public func take(_ choice: PaneChoice) -> String? {
    switch choice {
    case .hide(let kinds): hide(hiddenKinds.union(kinds))
    case .show(let kinds): hide(hiddenKinds.subtracting(kinds))
    case .only: nil
    }
  }

  override func standsForOthers(_ row: Timeline.Row) -> Bool { row.cursor != nil }

  override func findableText(ofRowAt index: Int) -> String {
    guard let qwink = rows[index].qwink else { return "" }
    let boosters = folds.boosters[qwink.rowID]?.map(\.displayName) ?? []
    return (boosters + [account.findableText(of: qwink, in: filterPlace)]).joined(separator: " ")
  }

  override func cell(forRowAt index: Int) -> any ListCell {
    let cell = cell(withoutLineForRowAt: index)
    return line(below: cell, ofRow: rows[index].id, density: settings.density) ?? cell
  }

  private func cell(withoutLineForRowAt index: Int) -> any ListCell {
    switch rows[index] {
    case .gap(let cursor):
      let progress = state.gap
      return GapCell(
        missing: account.timelines.countMissing(at: cursor, in: name),
        loadedCount: progress?.cursor == cursor ? progress?.count : nil, density: settings.density)
    case .item(let qwink):
      return QwinkCell(cellData(of: qwink), density: settings.density, pictures: pictures?.cell(of: qwink))
    }
  }

  override func pictureSubject(ofRowAt index: Int) -> PictureSubject? {
    rows[index].qwink.map { .qwink($0, textColumns: QwinkCellLayout.textColumns(forColumns: list.frame.size.columns)) }
  }

  override var pageTag: ResourceTag? { .page(of: name) }

  override var filterPlace: FilterPlace? { name.filterPlace }

  override public func accountFilterDidExpire() {
    // The qwinks above the timeline are updated even if no row of the timeline was hidden.
    showQwinksAbove()
    super.accountFilterDidExpire()
  }

  func cellData(of qwink: Qwink) -> QwinkCellData {
    guard let boosters = folds.boosters[qwink.rowID] else { return account.cellData(of: qwink, in: filterPlace) }
    var counted = qwink
    // The row may be older than the last boost.
    counted.boostsCount = max(counted.boostsCount, boosters.count)
    var data = account.cellData(of: counted, in: filterPlace)
    data.boosters = boosters.map(\.shortName)
    return data
  }

  override var placeholder: PlaceholderWords.Lines {
    let words = TimelineWords.placeholder(for: name, state: state, me: account.identity.me?.id)
    guard !hiddenKinds.isEmpty, !account.timelines.timeline(name).isEmpty else { return words }
    return PlaceholderWords.nothing(
      HidingWords.nothing(hiddenKinds), (":show", HidingWords.shows(hiddenKinds)), PlaceholderWords.refreshes)
  }

  override var loadingWords: String { TimelineWords.fetchingOlder }

  override func updateListWords() {
    super.updateListWords()
    if rows.isEmpty, leadingCell != nil { list.footer = MessageCell(paragraphs: placeholder, row: 1) }
  }
}

extension TimelineViewController: AccountObserver {
  public func timelines(
    _ timelines: Timelines, didChange change: ListChange, in name: TimelineName, cause: Timelines.Cause
  ) {
    guard name == self.name, showsModelRows else { return }
    isTakingIn = true
    defer { isTakingIn = false }
    let (new, change) = arranged(after: change)
    // If the cache has rows above the loaded ones, loading a page also drops rows from memory. They remain in the
    // timeline.
    let removed = cause == .cache || hasRowsAbove ? [] : change.removed.map { allRows[$0] }
    // A reader at the top sees new rows after refreshing or posting, and streamed rows while idle. Otherwise the
    // position doesn't change.
    let followsTop = isAtTop && cause != .poll && cause != .cache && (cause != .stream || isIdle)
    let gap = selectedIndex.flatMap { rows[$0].cursor == nil ? nil : $0 }
    let filled = gap.flatMap { gap in change.inserted.first { (gap...(gap + 1)).contains($0.lowerBound) } }
    let fillsGap = filled != nil && cause == .older && finder.limit == nil
    // If the reader moved up to the gap, the row below it stays in position.
    if let gap, fillsGap, cameFromBelow, gap + 1 < rows.count { select(gap + 1, reveals: false) }
    // If rows arrive while the reader is selecting a row, `lastSelected` is updated after the selection.
    let isSelecting = lastSelected != list.selectedIndex
    let isOnTop = change.inserted.first?.lowerBound == 0 && !rows.isEmpty
    if cause == .userRefresh, isAtTop { news.beginVisit() }
    let former = news.rowAboveLine
    prepareNews(new, after: change, cause: cause)
    if isOnTop, !followsTop, isAtTop { staysBelowNew = true }
    if isOnTop, followsTop { noteRowsInSight() }
    showFolds { show(new, after: change, followsTop: followsTop) }
    if isOnTop, followsTop { list.select(0) } else { goUpToMine() }
    if !isSelecting { lastSelected = list.selectedIndex }
    showNews(formerLine: former)
    if cause != .cache { updateSkipped(new: cause == .own ? [] : change.new, removed: removed) }
    // A reader who refreshes at the top sees the new rows, so they are read.
    if isOnTop, followsTop, cause == .userRefresh { readInSight() }
    // Select the next row in the filled gap, in the direction in which the reader was moving.
    if fillsGap, let filled { select(cameFromBelow ? filled.upperBound - 1 : filled.lowerBound) }
    // Rows inserted below the leading cell may have moved the selected row. Selecting it again reveals it.
    if leadingCell != nil { list.select(list.selectedIndex) }
    navigator?.selectionDidChange(in: self)
    if hidesRows || !folds.isEmpty { lookForMore() }
  }

  public func followsDidChangeHidden(_ follows: Follows) {
    if name.leavesOutMuted { rearrange() }
  }

  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {
    guard showsModelRows else { return }
    pictures?.lookSoon()
    let changed = allRows.indices.filter { allRows[$0].qwink?.originalID == qwink.originalID }
    guard !changed.isEmpty else { return }
    var (new, change) = arranged(after: ListChange(changed: changed))
    if isArranged {
      // Revealing a qwink changes its cell but not the qwink, so the difference doesn't contain it.
      change.changed = new.indices.filter { new[$0].qwink?.originalID == qwink.originalID }
    }
    showFolds { show(new, after: change) }
    // Reveal the whole row if it has grown.
    if let selectedIndex, rows[selectedIndex].qwink?.originalID == qwink.originalID {
      select(selectedIndex)
      navigator?.selectionDidChange(in: self)
    }
  }

  public func drafts(_ drafts: Drafts, didChangeRepliesTo qwinks: Set<Qwink.ID>) {
    reloadRows { $0.qwink.map { qwinks.contains($0.originalID) } ?? false }
  }

  public func timelines(_ timelines: Timelines, didChangeStateOf name: TimelineName) {
    guard name == self.name else { return }
    if !state.isRefreshing {
      refreshControl.endRefreshing()
      // Loading older pages doesn't postpone the poll.
      if wasRefreshing || wasLive != account.timelines.isLive(name) || (state.error != nil && !state.isLoadingMore) {
        schedulePoll()
      }
    }
    // Pinned qwinks are shown once the first page has arrived, even an empty one.
    if wasRefreshing, !state.isRefreshing, !qwinksAbove.isEmpty { showQwinksAbove() }
    wasRefreshing = state.isRefreshing
    wasLive = account.timelines.isLive(name)
    // Gaps show the number of loaded rows.
    reloadRows { $0.cursor != nil }
    countGapsInSight()
    updateWords()
    loadOlderWhereNeeded()
  }
}
