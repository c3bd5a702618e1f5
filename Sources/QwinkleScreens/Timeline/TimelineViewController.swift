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
  nonisolated static let placeSeparator = "\u{1F}"

  public let name: TimelineName

  let account: Account
  let settings: ReaderSettings
  let refreshControl = RefreshControl()
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
  /// The previously selected item, and whether the reader moved from it to a newer row.
  var lastSelected: Int?
  var cameFromOlder = false
  /// The search for the read position, if the oldest rows are first.
  var openingSearch: TimelineOpening?
  /// Whether the row after the read position is being selected. No rows are loaded at that time.
  var isSelectingAfterMark = false
  /// Whether the timeline is changing. The selection can then change without an action by the reader.
  var isTakingIn = false
  var wasRefreshing = false
  var wasLive = false
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
  /// The reader's choices about hidden rows.
  var hiding = TimelineHiding()
  /// Number of rows that have arrived above the loaded rows.
  var newAboveWindow = 0
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
    settings.didChange.add(self) {
      $0.takeOrder()
      $0.rearrange()
    }
    if case .tag = name {
      view.keyContext = .tag
      on(.muteTag, when: { [weak self] in self?.account.isSignedIn ?? false }) { [weak self] in
        guard let self else { return }
        navigator?.say(muteTag() ?? HidingWords.refusal(of: .muteTag(seconds: nil)), .dim)
      }
    }
    on(.showHidden) { [weak self] in self?.toggleHidden() }
    list.on(.listFirst) { [weak self] in self?.goToEnd(isFirst: true) }
    list.on(.listLast) { [weak self] in self?.goToEnd(isFirst: false) }
    takeOrder()
    refreshControl.addTarget(self) { $0.account.timelines.refresh($0.name, cause: .userRefresh) }
  }

  override public var selectedQwink: Qwink? { selectedRow?.qwink }

  override public var state: FeedState { account.timelines.state(of: name) }
  override var nextAttempt: Date? { polls.nextAttempt }

  override public var status: ScreenStatus {
    var status = super.status
    status.unreadCount = unreadCount
    status.hasMoreNew = news.hasMore
    status.isNewBelow = showsOldestFirst
    return status
  }

  override var hints: [Action] {
    (rows.isEmpty ? [] : [.listNext, .open]) + account.possible(QwinkCommand.contentHints, on: selectedQwink)
      + (account.isSignedIn ? [.compose] : [])
      + account.possible(QwinkCommand.listHints, on: selectedQwink) + [.refresh]
  }

  override public func refresh() {
    pictures?.tryAgain()
    hideReadNow()
    refreshControl.refresh()
  }

  override func open(_ row: Timeline.Row) {
    switch row {
    case .gap(let cursor): account.timelines.fillGap(cursor, in: name, upwards: fillsFromOlder)
    case .item(let qwink): navigator?.show(.thread(qwink))
    }
  }

  override func placeKey(of row: Timeline.Row) -> String? {
    row.qwink.map { $0.rowID.status.rawValue + Self.placeSeparator + ($0.rowID.booster?.rawValue ?? "") }
  }

  override func loadCached(around keys: [String]) {
    let rows = keys.compactMap(Self.row(ofKey:))
    // Rows of a restored position stay visible.
    let isHidden = hiddenQwinks.kinds.contains(.read) && !hiding.spared.isSuperset(of: rows)
    if isHidden || rows.contains(where: { folds.shownRow(for: $0) != $0 }) { rearrange() }
    account.timelines.loadCached(name, around: rows, isOldestFirst: showsOldestFirst)
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
    hideReadNow()
    refreshOnSchedule()
  }

  override func showModelRows() {
    if !showsModelRows {
      hiding.visitMark = readMark
      if waitingPlace != nil { loadWaitingPlace() } else if !loadReadPosition() { account.timelines.open(name) }
      if let currentRows { updateNews(currentRows) }
    }
    let isFirst = !showsModelRows
    super.showModelRows()
    shownFolds = folds
    // The position from the last run isn't cached any more.
    if isFirst, showsOldestFirst, openingSearch == nil, waitingPlace == nil, !didPlace { openAtReadPosition() }
  }

  // MARK: Reading

  override public func selectUnread(_ step: UnreadStep) -> Bool { selectOldestUnread() }

  override public func visitDidBegin() {
    flownIn = []
    passed = nil
    news.beginVisit()
    hiding.beginVisit(readMark)
    rearrange()
  }

  override public func readerWillAct() { markBefore = markInSight }

  /// Whether new qwinks can be shown at the top as they arrive, because the setting allows it and the reader is idle.
  var isIdle: Bool {
    settings.letsFlow && finder.limit == nil
      && actedAt.map { account.clock.uptime - $0 >= Self.idleTime } ?? true
  }

  override public func readerDidAct(wasHere: Bool) {
    if wasHere {
      openingSearch = nil
      refreshAtEnd()
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
    state["hide"] = hiding.kinds?.map(\.rawValue).sorted().joined(separator: " ")
  }

  override public func decodeRestorableState(with state: RestorableState) {
    hiding.kinds = state["hide"].map { Set($0.split(separator: " ").compactMap { HiddenKind(rawValue: String($0)) }) }
    if hiding.kinds != nil { rearrange() }
    super.decodeRestorableState(with: state)
    if didPlace || waitingPlace != nil { openingSearch = nil }
    if let restored = state["line"] { showLine(at: restored) }
  }

  private func refreshOnSchedule() {
    account.timelines.catchUp(name)
    // Update relative times.
    list.reloadCells()
  }

  func schedulePoll() {
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

  override var hasOlderRows: Bool { !hiding.endsAtRead }

  override func loadOlder() {
    guard !hiding.endsAtRead, !isSelectingAfterMark else { return }
    account.timelines.loadOlder(name)
  }

  override func selectFirstTime() {
    if waitingPlace == nil { openAtReadPosition() }
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
  func countGapsInSight() {
    for row in rows[shownRows.clamped(to: rows.indices)] {
      if case .gap(let cursor) = row { account.timelines.countGap(cursor, in: name) }
    }
  }

  override func didSelectRow() {
    let index = list.selectedIndex
    if let index, let lastSelected, index != lastSelected, !isTakingIn, !isPlacing {
      cameFromOlder = showsOldestFirst ? index > lastSelected : index < lastSelected
      tellPassed(min(index, lastSelected)..<max(index, lastSelected))
    }
    lastSelected = index
    super.didSelectRow()
  }

  /// Shows a message if a jump between two items passed a gap.
  private func tellPassed(_ items: Range<Int>) {
    let passed = rows(ofItems: items.lowerBound + 1..<items.upperBound).clamped(to: rows.indices)
    guard let gap = rows[passed].lazy.compactMap(\.cursor).first else { return }
    navigator?.say(TimelineWords.passed(account.timelines.countMissing(at: gap, in: name)), .dim)
  }

  /// True for a hidden kind or rule, a filter, or a mute or block.
  override var hidesRows: Bool {
    !hiddenQwinks.isEmpty || hasFiltered || (name.leavesOutMuted && account.follows.hidesAnybody)
  }

  override public var hidingWords: String? { hidingTitle }

  override public func take(_ choice: PaneChoice) -> String? { choose(choice) }

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
    rows[index].qwink.map(pictureSubject(of:))
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
    hidingPlaceholder ?? TimelineWords.placeholder(for: name, state: state, me: account.identity.me?.id)
  }

  /// Older rows aren't below the last row if the oldest rows are first.
  override var footer: [TextRun<StyleRole>] { showsOldestFirst ? [] : super.footer }

  override var loadingWords: String { TimelineWords.fetchingOlder }

  override func updateListWords() {
    super.updateListWords()
    if rows.isEmpty, leadingCell != nil { list.footer = MessageCell(paragraphs: placeholder, row: 1) }
  }
}
