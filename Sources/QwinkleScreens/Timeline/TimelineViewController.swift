import FoundationEssentials
public import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// A timeline: the data source of its list. Fetches what is new while it is on the screen, without moving the reader.
@MainActor
public class TimelineViewController: ViewController, Screen {
  /// Older rows are fetched when fewer than this are left below.
  private static let rowsAhead = 10
  /// Those that are kept are there at once: the first frame need not wait for more than it shows.
  private static let keptRowsAhead = 2

  /// Stands in no identifier: text from outside has no controls.
  private static let placeSeparator = "\u{1F}"

  public let name: TimelineName
  public weak var navigator: (any Navigator)?

  /// Stands above the first row and scrolls away with the rows, such as somebody's profile. It can be selected: then no
  /// qwink is.
  public var leadingCell: (any ListCell)? {
    didSet {
      if (leadingCell == nil) == (oldValue == nil) { list.reloadItems(at: [0]) } else { list.reloadData() }
      updateWords()
    }
  }

  /// What Enter does where it is selected.
  public var openLeadingCell: (@MainActor () -> Void)?

  /// Whether it is what stands above the rows that is selected.
  public var isLeadingCellSelected: Bool { leadingCell != nil && list.selectedIndex == 0 }

  /// How many rows came above those that are seen and have not been seen.
  public private(set) var newCount = 0 {
    didSet { if newCount != oldValue { navigator?.statusDidChange(of: self) } }
  }

  private let account: Account
  private let list: ListView
  private let refreshControl = RefreshControl()
  private var timeline = Timeline()
  private var isTakenUp = false
  /// The rows that ``newCount`` counts.
  private var unseen: Set<Qwink.RowID> = []
  /// The item that was selected last, and whether the reader came to the selected one from below.
  private var lastSelected: Int?
  private var cameFromBelow = false
  /// Where to go once the timeline has been taken up.
  private var waitingPlace: String?
  private var wasRefreshing = false
  /// Behind the last row that has been seen.
  private var shownEnd = 0
  private let polls: PollSchedule

  public init(name: TimelineName, account: Account) {
    self.name = name
    self.account = account
    self.list = ListView()
    self.polls = PollSchedule(clock: account.clock)
    super.init(view: list)
    title = TimelineWords.title(of: name)
    keyContext = .qwink
    list.keyContext = .list
    list.dataSource = self
    list.delegate = self
    list.performListActions()
    account.addObserver(self)
    refreshControl.addTarget(self) { $0.account.timelines.refresh($0.name, cause: .userRefresh) }
    on(.open, when: { [weak self] in self?.canOpen ?? false }, perform: { [weak self] in self?.open() })
    updateWords()
  }

  public var selectedQwink: Qwink? { selectedRow?.qwink }

  public var selectedQwinker: Qwinker? { selectedQwink?.author }

  /// When it will be tried again after a failure.
  var nextAttempt: Date? { polls.nextAttempt }

  public var state: FeedState { account.timelines.state(of: name) }

  public var status: ScreenStatus {
    let moving: [Action] = timeline.isEmpty ? [] : [.listNext, .open]
    let writing: [Action] = account.isSignedIn ? [.compose] : []
    return ScreenStatus(
      state: state, isEmpty: timeline.isEmpty, newCount: newCount, hasMoreNew: hasGapAbove, nextAttempt: nextAttempt,
      hints: moving + writing + account.possible([.reply, .boost, .bookmark], on: selectedQwink) + [.refresh])
  }

  /// Fetches what is new, at once.
  public func refresh() {
    refreshControl.refresh()
  }

  /// The oldest of those that came on top: what is new is read upwards from there.
  public func selectUnread(_ step: UnreadStep) -> Bool {
    let last = timeline.rows.lastIndex { $0.qwink.map { unseen.contains($0.rowID) } ?? false }
    guard let last else { return false }
    list.select(leadingCount + last)
    return true
  }

  /// Where the reader is, in words that ``goTo(place:)`` understands; nil at the newest.
  public var place: String? {
    guard let row = selectedQwink?.rowID, list.selectedIndex ?? 0 > leadingCount else { return nil }
    return row.status.rawValue + Self.placeSeparator + (row.booster?.rawValue ?? "")
  }

  /// Selects the row where the reader was, where it is still kept.
  public func goTo(place: String) {
    let parts = place.split(separator: Self.placeSeparator, omittingEmptySubsequences: false)
    guard let status = parts.first, let booster = parts.last, parts.count == 2 else { return }
    let row = Qwink.RowID(
      status: Qwink.ID(String(status)), booster: booster.isEmpty ? nil : Qwinker.ID(String(booster)))
    guard isTakenUp else {
      waitingPlace = place
      return
    }
    account.timelines.loadKept(name, downTo: row)
    if let index = timeline.index(of: row) { list.select(index + leadingCount) }
  }

  // MARK: Actions

  /// Items of the list above the first row.
  private var leadingCount: Int { leadingCell == nil ? 0 : 1 }

  private var selectedRow: Timeline.Row? {
    guard let index = list.selectedIndex.map({ $0 - leadingCount }), timeline.rows.indices.contains(index) else {
      return nil
    }
    return timeline.rows[index]
  }

  private var canOpen: Bool { selectedRow != nil || (isLeadingCellSelected && openLeadingCell != nil) }

  private func open() {
    if isLeadingCellSelected { openLeadingCell?() }
    switch selectedRow {
    case .gap(let cursor): account.timelines.fillGap(cursor, in: name, upwards: cameFromBelow)
    case .item(let qwink): navigator?.show(.thread(qwink))
    case nil: break
    }
  }

  // MARK: Fetching

  override public func viewDidAppear() {
    takeUpTimeline()
    guard !timeline.isEmpty else { return refreshOnSchedule() }
    // What is there already is shown first.
    Task { [weak self] in
      if let self, isOnScreen { refreshOnSchedule() }
    }
  }

  override public func viewDidDisappear() {
    polls.stop()
  }

  private func refreshOnSchedule() {
    account.timelines.refresh(name, cause: .poll)
    // Times have grown older.
    list.reloadCells()
  }

  private func schedulePoll() {
    guard isOnScreen else { return }
    polls.schedule(after: state.error) { [weak self] in self?.refreshOnSchedule() }
  }

  private func loadOlderWhereNeeded(byReader: Bool = false) {
    let state = state
    let rowsAhead = account.timelines.hasMoreKept(name) ? Self.keptRowsAhead : Self.rowsAhead
    guard shownEnd > 0, shownEnd + rowsAhead >= timeline.rows.count else { return }
    let mayAsk = state.error == nil && !state.isRefreshing && (byReader || !state.wasCancelled)
    if mayAsk || account.timelines.hasMoreKept(name) { account.timelines.loadOlder(name) }
  }

  /// The first time the timeline is seen, it comes from the store.
  private func takeUpTimeline() {
    guard !isTakenUp else { return }
    isTakenUp = true
    timeline = account.timelines.timeline(name)
    list.reloadData()
    updateWords()
    navigator?.selectionDidChange(in: self)
    if let waitingPlace { goTo(place: waitingPlace) }
    waitingPlace = nil
  }

  /// What stands at `index` or below has been seen, or passed.
  private func noteSeen(from index: Int) {
    guard !unseen.isEmpty else { return }
    let above = timeline.rows.prefix(max(0, index)).compactMap { $0.qwink?.rowID }.filter(unseen.contains)
    unseen = Set(above)
    newCount = unseen.count
  }

  /// Whether more may be new than is known.
  private var hasGapAbove: Bool {
    !unseen.isEmpty && timeline.rows.prefix(max(0, list.topIndex - leadingCount)).contains { $0.cursor != nil }
  }

  /// Draws the gap that is being filled, and those that are not, as they are now.
  private func updateGaps() {
    list.reloadItems(at: timeline.rows.indices.filter { timeline.rows[$0].cursor != nil }.map { $0 + leadingCount })
  }

  private func updateWords() {
    let state = state
    if timeline.isEmpty {
      let words = TimelineWords.placeholder(for: name, state: state, me: account.identity.me?.id)
      list.placeholder = MessageCell(paragraphs: words)
      list.footer = leadingCell.map { _ in MessageCell(paragraphs: words, row: 1) }
    } else {
      let footer = TimelineWords.footer(for: state, isAtEnd: state.isComplete)
      list.footer = footer.isEmpty ? nil : MessageCell(paragraphs: [footer], row: 1)
    }
    navigator?.statusDidChange(of: self)
  }
}

extension TimelineViewController: ListViewDataSource, ListViewDelegate {
  public func numberOfItems(in listView: ListView) -> Int { leadingCount + timeline.rows.count }

  public func listView(_ listView: ListView, cellForItemAt index: Int) -> any ListCell {
    if let leadingCell, index == 0 { return leadingCell }
    switch timeline.rows[index - leadingCount] {
    case .gap(let cursor):
      let progress = account.timelines.state(of: name).gap
      return GapCell(loadedCount: progress?.cursor == cursor ? progress?.count : nil)
    case .item(let qwink):
      return QwinkCell(
        QwinkCellData(
          qwink, isRevealed: account.timelines.isRevealed(qwink), now: account.clock.now, zone: account.clock.timeZone))
    }
  }

  public func listView(_ listView: ListView, didSelectItemAt index: Int?) {
    if let index, let lastSelected, index != lastSelected { cameFromBelow = index < lastSelected }
    lastSelected = index
    navigator?.selectionDidChange(in: self)
  }

  public func listView(_ listView: ListView, didShowItemsIn range: Range<Int>) {
    noteSeen(from: range.lowerBound - leadingCount)
    shownEnd = max(0, range.upperBound - leadingCount)
    loadOlderWhereNeeded(byReader: true)
  }
}

extension TimelineViewController: AccountObserver {
  public func timelines(
    _ timelines: Timelines, didChange change: ListChange, in name: TimelineName, cause: Timelines.Cause
  ) {
    guard name == self.name, isTakenUp else { return }
    let before = timeline
    timeline = account.timelines.timeline(name)
    // Whoever stands at the top and asks for news, or writes, sees them; any other reader keeps their place.
    let followsTop = list.isAtTop && list.selectedIndex ?? 0 == 0 && cause != .poll
    let leading = leadingCount
    let gap = list.selectedIndex.map { $0 - leading }.flatMap { before.rows.indices.contains($0) ? $0 : nil }
      .flatMap { before.rows[$0].cursor == nil ? nil : $0 }
    let isOnTop = change.inserted.first?.lowerBound == 0 && list.count > leading
    list.update(
      removed: change.removed.map { $0 + leading },
      inserted: change.inserted.map { ($0.lowerBound + leading)..<($0.upperBound + leading) }, followsTop: followsTop)
    list.reloadItems(at: change.changed.map { $0 + leading })
    if isOnTop, followsTop { list.select(0) }
    lastSelected = list.selectedIndex
    noteNew(change, cause: cause)
    // Whoever stood at a gap goes on reading where it was.
    if let gap, cause == .older, let range = change.inserted.first(where: { $0.lowerBound >= gap }) {
      list.select((cameFromBelow ? range.upperBound - 1 : range.lowerBound) + leading)
    }
    // What came below a leading cell has moved the selected row down.
    if leading > 0 { list.select(list.selectedIndex) }
    updateWords()
    navigator?.selectionDidChange(in: self)
  }

  /// What came above all that is seen is counted, but not what I wrote.
  private func noteNew(_ change: ListChange, cause: Timelines.Cause) {
    let top = (list.shownItems?.lowerBound ?? list.topIndex) - leadingCount
    if cause != .own {
      unseen.formUnion(change.new.lazy.filter { $0 < top }.compactMap { self.timeline.rows[$0].qwink?.rowID })
    }
    noteSeen(from: top)
  }

  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {
    guard isTakenUp else { return }
    let indices = timeline.rows.indices.filter { timeline.rows[$0].qwink?.originalID == qwink.originalID }
    guard !indices.isEmpty else { return }
    timeline = account.timelines.timeline(name)
    let items = indices.map { $0 + leadingCount }
    list.reloadItems(at: items)
    // A row that grows stays in sight.
    if let selected = list.selectedIndex, items.contains(selected) {
      list.select(selected)
      navigator?.selectionDidChange(in: self)
    }
  }

  public func timelines(_ timelines: Timelines, didChangeStateOf name: TimelineName) {
    guard name == self.name else { return }
    if !state.isRefreshing {
      refreshControl.endRefreshing()
      // Older pages that come are no reason to poll later.
      if wasRefreshing || (state.error != nil && !state.isLoadingMore) { schedulePoll() }
    }
    wasRefreshing = state.isRefreshing
    updateGaps()
    updateWords()
    loadOlderWhereNeeded()
  }
}
