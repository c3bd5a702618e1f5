import FoundationEssentials
import PaneKit
import QwinkleAccount
import QwinkleModel
import Terminal
import Timekeeping

/// All posts of Home since the user left, in one finite list with several views and orders.
@MainActor
final class CatchUpViewController: ListViewController<CatchUpListRow> {
  /// In a lower pane, the line of views is left out.
  private static let fewestRowsForTabs = 6
  private static let mostMovedRows = 200
  /// Maximum number of seen posts that are saved.
  private static let mostSavedSeen = 500

  let account: Account
  let catchUp: CatchUp
  let settings: ReaderSettings
  private let links: LinkActions
  private let tabs = BarView()

  private(set) var shownView = CatchUpView.time
  private(set) var sort = CatchUpSort.time
  /// The selected item, to redraw the item when another one is selected.
  private var lastSelected: Int?
  /// The selected row and the visible rows before the reader's current action. Nil between actions.
  var placeBefore: (row: CatchUpListRow.ID, selected: Int, seen: Range<Int>)?
  /// Whether the reader has done something in the list. Until then, it stays at its beginning while posts arrive.
  var hasActed = false
  /// The links that the reader has seen.
  var seenLinks: Set<String> = []
  /// Whether rows are being marked as seen, which changes no row.
  var isMarking = false
  /// The span to load when the screen appears, from the last run.
  private var restoredSpan: CatchUp.Span?
  private var restoredSeen: Set<Qwink.ID> = []
  private var hasAppeared = false

  init(account: Account, links: LinkActions, settings: ReaderSettings, shelf: PictureShelf? = nil) {
    self.account = account
    self.links = links
    self.settings = settings
    catchUp = account.catchUp
    super.init(title: CatchUpWords.title)
    catchUp.hideRules = settings.hideRules
    settings.didChange.add(self) { $0.catchUp.hideRules = $0.settings.hideRules }
    account.addObserver(self)
    showPictures(shelf, account: account, settings: settings)
    tabs.linearKind = nil
    view.addSubview(tabs)
    view.keyContext = .catchUp
    for view in CatchUpView.allCases { on(view.action) { [weak self] in self?.show(view) } }
    on(.nextCatchUpView) { [weak self] in self.map { $0.show($0.shownView.moved(by: 1)) } }
    on(.previousCatchUpView) { [weak self] in self.map { $0.show($0.shownView.moved(by: -1)) } }
    on(.sortCatchUp) { [weak self] in self.map { $0.show(by: $0.sort.next) } }
    on(.pauseCatchUp, when: { [weak self] in self?.canPause ?? false }) { [weak self] in self?.pauseOrResume() }
    on(.readToHere, when: { [weak self] in self?.selectedRow != nil }) { [weak self] in self?.readToHere() }
    for action in [Action.openLink, .openFirstLink] {
      on(action, when: { [weak self] in self?.selectedRow?.link != nil }) { [weak self] in self?.openLink() }
    }
    on(.copyLink, when: { [weak self] in self?.selectedRow?.link != nil }) { [weak self] in self?.copyLink() }
    showTabs()
  }

  override func content(in size: Size) -> Layout {
    .rows([.fixed(size.rows >= Self.fewestRowsForTabs ? 1 : 0): tabs, .fill: list])
  }

  private func showTabs() { CatchUpTabs.show(shownView, sort: sort, in: tabs) }

  // MARK: Screen

  override func viewDidAppear() {
    super.viewDidAppear()
    list.reloadCells()
    guard !hasAppeared else {
      // Another catch-up was offered while this list was covered.
      if catchUp.state == .idle { catchUp.start(.sinceRead) }
      return
    }
    hasAppeared = true
    // A list that was read to the end has nothing more to show.
    let isRead = catchUp.state == .finished(.complete) && catchUp.left == 0
    if catchUp.state == .idle || isRead { startRestored() }
  }

  private func startRestored() { catchUp.start(restoredSpan ?? .sinceRead, seen: restoredSeen) }

  override func refresh() {
    super.refresh()
    if case .failed = catchUp.state { return catchUp.resume() }
    waitingPlace = currentPlace
    catchUp.start(catchUp.span ?? .sinceRead)
  }

  override func readerWillAct() {
    guard isOnScreen, let selectedIndex else { return }
    placeBefore = (rows[selectedIndex].id, selectedIndex, rowsSeen ?? selectedIndex..<(selectedIndex + 1))
  }

  override func readerDidAct(wasHere: Bool) {
    if wasHere {
      hasActed = hasActed || !rows.isEmpty
      // The action may have shown other rows, for example by removing the limit.
      if let placeBefore, rows.indices.contains(placeBefore.selected),
        rows[placeBefore.selected].id == placeBefore.row
      {
        noteSeen(from: placeBefore.selected, in: placeBefore.seen)
      }
    }
    placeBefore = nil
    super.readerDidAct(wasHere: wasHere)
  }

  override func encodeRestorableState(with state: inout RestorableState) {
    super.encodeRestorableState(with: &state)
    state["view"] = shownView == .time ? nil : shownView.rawValue
    state["sort"] = sort == .time ? nil : sort.rawValue
    if case .hours(let hours) = catchUp.span { state["hours"] = "\(hours)" }
    let seen = catchUp.items.lazy.map(\.rowID.status).filter(catchUp.seen.contains).prefix(Self.mostSavedSeen)
    if !seen.isEmpty { state["seen"] = seen.map(\.rawValue).joined(separator: TimelineViewController.placeSeparator) }
  }

  override func decodeRestorableState(with state: RestorableState) {
    shownView = state["view"].flatMap(CatchUpView.init) ?? .time
    sort = state["sort"].flatMap(CatchUpSort.init) ?? .time
    restoredSpan = state["hours"].flatMap { CatchUpHours.read($0) }.map { .hours($0) }
    let seen = state["seen"]?.split(separator: TimelineViewController.placeSeparator) ?? []
    restoredSeen = Set(seen.map { Qwink.ID(String($0)) })
    showTabs()
    super.decodeRestorableState(with: state)
    // A screen above the first one appears before its state is restored.
    if hasAppeared, restoredSpan != nil || !restoredSeen.isEmpty { startRestored() }
  }

  // MARK: Rows

  override var currentRows: [CatchUpListRow]? { makeRows() }

  private func makeRows(matching words: String = "") -> [CatchUpListRow] {
    CatchUpListRow.rows(catchUp.rows(shownView, sort: sort, matching: words))
  }

  override func rows(limitedTo words: String) -> [CatchUpListRow] { makeRows(matching: words) }

  override var limitsWhileTyping: Bool { true }

  override func placeKey(of row: CatchUpListRow) -> String? { row.key }

  /// Returns the post of a row. For a link, the first post that shared it.
  func qwink(of row: CatchUpListRow) -> Qwink? { row.row.rowID.flatMap(catchUp.qwink(for:)) }

  override var selectedQwink: Qwink? { selectedRow.flatMap(qwink(of:)) }

  override func findableText(ofRowAt index: Int) -> String {
    let row = rows[index]
    if let link = row.link { return ([link.title, link.url] + link.sharers.map(\.name)).joined(separator: " ") }
    // Reading the posts of all rows from the cache would block the screen.
    return row.row.rowID.map(catchUp.posts.findableText) ?? ""
  }

  override var filterPlace: FilterPlace? { .home }

  /// Shows the rows again after posts have arrived, changed or left. The selected post stays selected.
  func takeRows() {
    guard showsModelRows else { return }
    let (former, index) = (selectedRow, selectedIndex)
    let new = makeRows()
    let change = ListChange(from: allRows, to: new)
    // Before the reader acts, cells may be from before the restored position and the restored seen posts.
    defer { if !hasActed { list.reloadCells() } }
    guard !change.isEmpty else { return }
    placeBefore = nil
    if change.removed.count > Self.mostMovedRows {
      // Moving hundreds of rows one by one is slower than showing all rows again.
      replaceRows(new) { row in former.map { row.isSamePost(as: $0) } ?? false }
    } else {
      showKeepingSelection(new, after: change, followsTop: !hasActed && isAtTop)
      if let former, selectedRow?.id != former.id, let index = rows.firstIndex(where: former.isSamePost) {
        select(index)
      }
    }
    if !hasActed, !didPlace, waitingPlace == nil, index ?? 0 == 0 { list.select(0) }
    lastSelected = list.selectedIndex
    navigator?.selectionDidChange(in: self)
  }

  // MARK: Views and orders

  private func show(_ view: CatchUpView) {
    guard view != shownView else { return }
    shownView = view
    rearrange()
  }

  private func show(by sort: CatchUpSort) {
    self.sort = sort
    rearrange()
    say(CatchUpWords.sorted(sort), .dim)
  }

  /// Shows the rows of the current view. If it has the selected post, that stays selected.
  private func rearrange() {
    let former = selectedRow
    showTabs()
    placeBefore = nil
    replaceRows(makeRows()) { row in former.map { row.isSamePost(as: $0) } ?? false }
    lastSelected = list.selectedIndex
    navigator?.selectionDidChange(in: self)
    navigator?.statusDidChange(of: self)
  }

  // MARK: Cells

  override func cell(forRowAt index: Int) -> any ListCell {
    let row = rows[index]
    let cell = content(of: row, at: index)
    guard let heading = row.heading else { return cell }
    return HeadedCell(
      heading: CatchUpWords.heading(heading), cell: cell, isDense: !settings.density.hasBlankRows)
  }

  private func content(of row: CatchUpListRow, at index: Int) -> any ListCell {
    let density = settings.density
    // The selected row is bright while the reader reads it.
    let isDim = index != selectedIndex && isSeen(row)
    switch row.row {
    case .heading: return MessageCell(paragraphs: [])
    case .link(let link):
      let data = CatchUpLinkData(link, isSeen: isDim)
      return LinesCell { data.lines(columns: $0, density: density) }
    case .qwink(let post):
      guard let qwink = qwink(of: row) else {
        return MessageCell(paragraphs: [[TextRun(CatchUpWords.gone, .dim)]], row: 0)
      }
      var data = account.cellData(of: qwink, in: filterPlace)
      data.boosters = post.boosters.map(\.name)
      return CatchUpCell(
        isDim ? data.dimmed : data, depth: post.depth, density: density, pictures: pictures?.cell(of: qwink))
    }
  }

  override func pictureSubject(ofRowAt index: Int) -> PictureSubject? {
    guard case .qwink = rows[index].row, let qwink = qwink(of: rows[index]) else { return nil }
    return pictureSubject(of: qwink)
  }

  override func didSelectRow() {
    // The row that was selected becomes dim, and the selected row bright.
    let items = [lastSelected, list.selectedIndex].compactMap(\.self)
    lastSelected = list.selectedIndex
    list.reloadItems(at: Set(items))
    super.didSelectRow()
  }

  // MARK: Words

  override var state: FeedState { feedState }
  override var titleDetail: String? { CatchUpWords.detail(since: since, left: catchUp.left) }
  override var placeholder: PlaceholderWords.Lines { emptyWords }
  override var footer: [TextRun<StyleRole>] { endWords.isEmpty ? [] : [TextRun(endWords, .dim)] }

  override var hints: [Action] {
    let own: [Action] = rows.isEmpty ? [] : [.listNext, .open, .readToHere]
    return own + (canPause ? [.pauseCatchUp] : []) + account.possible(QwinkCommand.contentHints, on: selectedQwink)
      + (rows.isEmpty ? [] : [.sortCatchUp, .limit]) + account.possible(QwinkCommand.listHints, on: selectedQwink)
      + [.refresh]
  }

  override var status: ScreenStatus {
    var status = super.status
    status.progress = progressWords
    if catchUp.state == .paused { status.words[.pauseCatchUp] = CatchUpWords.resume }
    return status
  }

  // MARK: Opening

  override func open(_ row: CatchUpListRow) {
    if let qwink = qwink(of: row) { navigator?.show(.thread(qwink)) }
  }

  private var selectedAddress: WebAddress? { selectedRow?.link.flatMap { WebAddress($0.url) } }

  private func openLink() {
    if let selectedAddress { links.browse(selectedAddress, after: "") }
  }

  private func copyLink() {
    if let selectedAddress { navigator?.copy(selectedAddress.target) }
  }
}
