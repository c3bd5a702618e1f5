import FoundationEssentials
import OnDemandResources
public import PaneKit
public import QwinkleAccount
public import QwinkleModel
public import Terminal

/// A screen that is a list, to be subclassed. A subclass says where rows come from, which cell shows a row, and what is
/// said without rows. Loading, paging, the selection and its restoration are done here.
@MainActor
public class ListViewController<Row>: ViewController, Screen {
  public weak var navigator: (any Navigator)?

  let list: ListView
  public let titleRule = RuleView()
  fileprivate(set) var rows: [Row] = []
  /// All rows; ``rows`` are those that the reader's limit leaves.
  fileprivate(set) var allRows: [Row] = []
  /// What the reader looks for.
  var finder = ListFinder()
  /// Whether ``takeUp()`` has shown the model's rows.
  fileprivate(set) var isTakenUp = false
  /// The rows in sight, if only in part.
  fileprivate(set) var shownRows = 0..<0
  /// Pictures of its rows; nil: there are none.
  var pictures: ListPictures?
  /// The state of the screen's own requests.
  var ownState = FeedState()
  /// The number of unseen rows above those in sight.
  var newCount = 0 {
    didSet { if newCount != oldValue { navigator?.statusDidChange(of: self) } }
  }
  /// Where to go once there are rows for it.
  var waitingPlace: ListPlace?
  var isPlaceWaiting: Bool { waitingPlace != nil }
  /// How many more pages are fetched to find it.
  var pagesForPlace = 0
  /// Whether rows come, or the selection changes, without a key of the reader.
  var isPlacing = false
  /// Whether the last change of rows has led to where the reader was.
  var didPlace = false

  /// Stands above the first row and scrolls with the rows, such as a profile. If it is selected, no row is.
  var leadingCell: (any ListCell)? {
    didSet {
      if (leadingCell == nil) == (oldValue == nil) { list.reloadItems(at: [0]) } else { list.reloadData() }
      updateWords()
    }
  }

  /// A screen whose list fills it, or whose subclass adds `list` and overrides ``content``.
  init(title: String, list: ListView? = nil) {
    self.list = list ?? ListView()
    super.init()
    view.addSubview(titleRule)
    if list == nil { view.addSubview(self.list) }
    preferredFirstResponder = self.list
    let list = self.list
    self.title = title
    restorationIdentifier = "list"
    keyContext = .qwink
    list.keyContext = .list
    list.dataSource = self
    list.delegate = self
    list.performListActions()
    registerFinding()
    on(.open, when: { [weak self] in self?.canOpen ?? false }, perform: { [weak self] in self?.openSelected() })
  }

  // MARK: Layout

  /// What stands below the title. The default is the list.
  func content(in size: Size) -> Layout { .layers([list]) }

  override public func layout(in size: Size) -> Layout? {
    // In a very small window the title's row is worth more to the rows.
    .rows([.fixed(size.rows >= 4 ? 1 : 0): titleRule, .fill: content(in: size)])
  }

  /// Shows which row is selected, of how many.
  func updatePosition() {
    let hasMore = hasOlderRows && finder.limit == nil && !state.isComplete
    // Until it is known how many rows are above, nothing can be said.
    let place = finder.limit == nil ? selectedIndex.flatMap { index in rowsAbove.map { $0 + index } } : selectedIndex
    let count = rows.count + (finder.limit == nil ? (rowsAbove ?? 0) + rowsBelow : 0)
    titleRule.note = place.map { "\($0 + 1)/\(count)\(hasMore ? "+" : "")" } ?? ""
  }

  // MARK: Rows, to override

  /// The model's rows; nil, the default: the screen requests its rows itself.
  var currentRows: [Row]? { nil }
  /// Whether rows may follow the last one as long as ``state`` is not complete.
  var hasOlderRows: Bool { true }
  /// Whether the store has older rows.
  var hasMoreKept: Bool { false }
  /// Whether the store has rows above the first one, which is not the list's beginning then.
  var hasRowsAbove: Bool { false }
  /// The number of these; nil while they are counted.
  var rowsAbove: Int? { 0 }
  /// The number of rows below the last one that were here before, and are in the store.
  var rowsBelow: Int { 0 }
  /// Whether `/` finds in the list. Not where it looks for something else.
  var canFind: Bool { true }
  /// Whether the reader may limit the list to rows with some words. Not where rows depend on each other.
  var canBeLimited: Bool { true }
  /// Loads the rows below the last one. The default does nothing.
  func loadOlder() {}

  /// The cell of the row at an index.
  func cell(forRowAt index: Int) -> any ListCell { MessageCell(paragraphs: []) }
  /// What is shown of a row in pictures. The default is nothing.
  func pictureSubject(ofRowAt index: Int) -> PictureSubject? { nil }
  /// The place of its qwinks for the user's filters; with nil, the default, every filter counts.
  var filterPlace: FilterPlace? { nil }
  /// The tag of its page of pictures; nil, the default, for none.
  var pageTag: ResourceTag? { nil }
  /// What `/` and `&` look through in a row. The default is what its cell says, so lists that may be long override it.
  func findableText(ofRowAt index: Int) -> String {
    cell(forRowAt: index).words(forColumns: max(1, list.frame.size.columns))?.joined(separator: " ") ?? ""
  }
  /// Enter. The defaults do nothing.
  func open(_ row: Row) {}
  func openLeadingCell() {}
  func isUnread(_ row: Row) -> Bool { false }
  /// Whether no move passes a row, and no limit hides it, as it stands for others. The default is no.
  func standsForOthers(_ row: Row) -> Bool { false }

  /// Identifies a row at the next start; nil, the default: the reader's place is not kept.
  func placeKey(of row: Row) -> String? { nil }
  /// Loads the rows with these keys from the store, with those around them. The default does nothing.
  func loadKept(around keys: [String]) {}

  /// Other rows are in sight. The default loads older ones near the end.
  func didShowRows() { loadOlderWhereNeeded(byReader: true) }
  /// Another row is selected. The default tells the navigator.
  func didSelectRow() { navigator?.selectionDidChange(in: self) }

  // MARK: Words, to override

  /// What is being fetched, failed or is offline. The default is ``ownState``.
  public var state: FeedState { ownState }
  /// When it will be tried again after a failure.
  var nextAttempt: Date? { nil }
  var hints: [Action] { [.back] }
  /// Text of an empty list. Placed at ``placeholderRow``, or in the middle of the view if that is nil.
  var placeholder: PlaceholderWords.Lines { [] }
  var placeholderRow: Int? { nil }
  /// Text below the last row.
  var footer: [TextRun<StyleRole>] { PlaceholderWords.footer(for: state, loading: loadingWords) }
  /// Text of the footer while older rows are loaded.
  var loadingWords: String { PlaceholderWords.fetchingMore }

  /// Updates the words in the list and in the status bar.
  func updateWords() {
    updateListWords()
    navigator?.statusDidChange(of: self)
  }

  /// Updates the words in the list.
  func updateListWords() {
    updatePosition()
    if rows.isEmpty {
      let words = finder.limit.map { PlaceholderWords.nothing(FindWords.nothing($0), FindWords.showsAll) }
      list.placeholder = MessageCell(paragraphs: words ?? placeholder, row: placeholderRow)
    }
    let footer = rows.isEmpty ? [] : footer
    list.footer = footer.isEmpty ? nil : MessageCell(paragraphs: [footer], row: 1)
  }

  // MARK: Screen

  public func visitDidBegin() {}
  public func readerWillAct() {}
  public func readerDidAct(wasHere: Bool) {}

  public var status: ScreenStatus {
    ScreenStatus(state: state, isEmpty: rows.isEmpty, newCount: newCount, nextAttempt: nextAttempt, hints: hints)
  }

  public var selectedQwink: Qwink? { nil }
  public var previewedQwink: Qwink? { selectedQwink }
  public var selectedQwinker: Qwinker? { selectedQwink?.author }
  public var refusalWords: String? { nil }
  public var limitWords: String? { finder.limit }
  public var hidingWords: String? { nil }
  public func take(_ choice: PaneChoice) -> String? { nil }

  public func refresh() {}

  /// The program goes on after a stop. The default does nothing.
  public func wakeUp() {}

  public func selectUnread(_ step: UnreadStep) -> Bool {
    takeUp()
    guard let index = step.index(in: rows.indices.filter { isUnread(rows[$0]) }, from: selectedIndex) else {
      return false
    }
    select(index)
    return true
  }

  /// Whether the reader is where every reader begins. The default is the very beginning.
  var isAtUsualPlace: Bool { isAtTop }

  override public func encodeRestorableState(with state: inout RestorableState) {
    (waitingPlace ?? currentPlace)?.encode(to: &state)
    state["limit"] = finder.limit
    state["find"] = finder.words.isEmpty ? nil : finder.words
  }

  override public func decodeRestorableState(with state: RestorableState) {
    finder.limit = canBeLimited ? state["limit"] : nil
    finder.words = state["find"] ?? ""
    // The first screen shows its rows before it is restored.
    if isTakenUp, finder.limit != nil {
      isPlacing = true
      applyLimit()
      isPlacing = false
    }
    ListPlace(state).map(go)
  }

  override public func viewDidAppear() {
    takeUp()
    pictures?.lookSoon()
  }

  override public func viewDidDisappear() { pictures?.lookAway() }

  /// For ``AccountObserver``. A list that leaves out filtered rows, or keeps the words of its rows, overrides it.
  public func accountFilterDidExpire() {
    list.reloadCells()
    pictures?.lookSoon()
  }

  /// Shows pictures of rows that have some.
  func showPictures(_ shelf: PictureShelf?, account: Account, settings: ReaderSettings, hasDensity: Bool = true) {
    pictures = ListPictures(
      shelf, account: account, settings: settings, hasDensity: hasDensity, of: self, in: list, place: filterPlace,
      page: { [weak self] in self?.pageTag },
      shownRows: { [weak self] in self?.shownRows ?? 0..<0 }
    ) { [weak self] range in
      guard let self else { return [] }
      return range.clamped(to: rows.indices).compactMap(pictureSubject(ofRowAt:))
    }
  }

  /// Shows the model's rows, once.
  func takeUp() {
    guard !isTakenUp, let current = currentRows else { return }
    isTakenUp = true
    allRows = current
    isPlacing = true
    if finder.limit == nil {
      rows = current
      list.reloadData()
      updateWords()
    } else {
      applyLimit()
    }
    isPlacing = false
    navigator?.selectionDidChange(in: self)
    findPlace()
    // Kept rows are all there; others may have to be fetched.
    if state.refreshedAt != nil || !rows.isEmpty { waitingPlace = nil }
  }
}

// MARK: - Rows

extension ListViewController {
  /// Items of the list view above the first row.
  var leadingCount: Int { leadingCell == nil ? 0 : 1 }

  var isLeadingCellSelected: Bool { leadingCell != nil && list.selectedIndex == 0 }

  /// Whether the reader is at the very beginning.
  var isAtTop: Bool { list.isAtTop && list.selectedIndex ?? 0 == 0 && !hasRowsAbove }

  /// The first row in sight; in linear form the row that was said last.
  var firstShown: Int { (list.shownItems?.lowerBound ?? list.topIndex) - leadingCount }

  /// The first row in sight.
  var topIndex: Int { list.topIndex - leadingCount }

  var selectedIndex: Int? {
    list.selectedIndex.map { $0 - leadingCount }.flatMap { rows.indices.contains($0) ? $0 : nil }
  }

  var selectedRow: Row? { selectedIndex.map { rows[$0] } }

  func select(_ index: Int, reveals: Bool = true) {
    list.select(index + leadingCount, reveals: reveals)
  }

  private var canOpen: Bool { isLeadingCellSelected || selectedRow != nil }

  private func openSelected() {
    if let selectedRow { open(selectedRow) } else { openLeadingCell() }
  }

  /// Shows a new list from its first row.
  func reload(_ new: [Row]) {
    arrange {
      allRows = new
      rows = new
      finder.limit = nil
      list.select(nil, reveals: false)
      list.reloadData()
      list.select(0)
    }
  }

  /// Changes rows, then goes to where the reader was in the last run if that is not done yet.
  private func arrange(_ change: () -> Void) {
    didPlace = false
    defer { pictures?.lookSoon() }
    guard !isPlacing else { return change() }
    isPlacing = true
    change()
    isPlacing = false
    findPlace()
  }

  /// Redraws equal rows that look different. The selected row stays where it is if `keepsPlace`.
  func reloadRows(keepsPlace: Bool = false, where isMeant: (Row) -> Bool) {
    list.reloadItems(
      at: rows.indices.filter { isMeant(rows[$0]) }.map { $0 + leadingCount }, keepsPlace: keepsPlace)
  }

  /// The rows whose end is visible; nil if no end is visible.
  var rowsSeen: Range<Int>? {
    guard let items = list.itemsSeen else { return nil }
    let seen = (max(0, items.lowerBound - leadingCount)..<max(0, items.upperBound - leadingCount))
      .clamped(to: rows.indices)
    return seen.isEmpty ? nil : seen
  }

  /// Shows `new`, which differs by `change` from the rows before. Rows in sight don't move; see
  /// ``ListView/performBatchUpdates(followsTop:_:)``.
  func show(_ new: [Row], after change: ListChange, followsTop: Bool = false) {
    arrange {
      allRows = new
      guard finder.limit == nil else { return applyLimit() }
      rows = new
      let leading = leadingCount
      list.performBatchUpdates(followsTop: followsTop) {
        list.deleteItems(at: change.removed.map { $0 + leading })
        for range in change.inserted {
          list.insertItems(at: (range.lowerBound + leading)..<(range.upperBound + leading))
        }
      }
      list.reloadItems(at: change.changed.map { $0 + leading })
    }
  }

  /// Shows the rows that the limit leaves. The selection stays with its row if that is among them.
  func applyLimit() {
    let key = selectedRow.flatMap(placeKey(of:))
    rows = allRows
    if let limit = finder.limit {
      let matching = Set(allRows.indices.filter { ListFinder.matches(limit, in: findableText(ofRowAt: $0)) })
      let shown = allRows.indices.filter { matching.contains($0) || standsForOthers(allRows[$0]) }
      rows = matching.isEmpty ? [] : shown.map { allRows[$0] }
    }
    list.reloadData()
    let index = key.flatMap { key in rows.firstIndex { placeKey(of: $0) == key } } ?? 0
    select(index, reveals: !list.isWaitingForTop)
    updateWords()
  }

  /// Loads older rows near the end: not after a failure, and after ^C only if the reader moves.
  func loadOlderWhereNeeded(byReader: Bool = false) {
    let state = state
    // Rows from the store are there at once; the first frame needs no more than it shows.
    let rowsAhead = hasMoreKept ? 2 : 10
    // A limited list would load all there is.
    guard finder.limit == nil, shownRows.upperBound > 0, shownRows.upperBound + rowsAhead >= rows.count else { return }
    let mayAsk = state.error == nil && !state.isRefreshing && (byReader || !state.wasCancelled)
    if mayAsk || hasMoreKept { loadOlder() }
  }

  /// Updates times, words and paging after ``state`` has changed.
  func stateDidChange() {
    guard isTakenUp else { return }
    // Times have grown older.
    if state.isRefreshing { list.reloadCells() }
    updateWords()
    loadOlderWhereNeeded()
  }
}

extension ListViewController where Row: Identifiable & Equatable {
  /// Shows `new`. The selection stays with its row. `change` is the difference, computed if nil. Returns it.
  @discardableResult
  func showKeepingSelection(_ new: [Row], after change: ListChange? = nil, followsTop: Bool = false) -> ListChange {
    let selected = selectedRow?.id
    let change = change ?? ListChange(from: rows, to: new)
    show(new, after: change, followsTop: followsTop)
    if !didPlace, let selected, let index = rows.firstIndex(where: { $0.id == selected }) {
      select(index, reveals: false)
    }
    return change
  }
}

extension ListViewController: ListViewDataSource, ListViewDelegate {
  public func numberOfItems(in listView: ListView) -> Int { leadingCount + rows.count }

  public func listView(_ listView: ListView, cellForItemAt index: Int) -> any ListCell {
    if let leadingCell, index == 0 { return leadingCell }
    return cell(forRowAt: index - leadingCount)
  }

  public func listView(_ listView: ListView, didSelectItemAt index: Int?) {
    updatePosition()
    // The reader has gone on from wherever that is.
    if !isPlacing { waitingPlace = nil }
    didSelectRow()
  }

  public func listView(_ listView: ListView, stopsAtItem index: Int) -> Bool {
    let row = index - leadingCount
    return rows.indices.contains(row) && standsForOthers(rows[row])
  }

  public func listView(_ listView: ListView, didShowItemsIn range: Range<Int>) {
    shownRows = max(0, range.lowerBound - leadingCount)..<max(0, range.upperBound - leadingCount)
    pictures?.lookSoon()
    didShowRows()
  }
}
