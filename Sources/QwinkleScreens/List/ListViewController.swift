import FoundationEssentials
import OnDemandResources
public import PaneKit
public import QwinkleAccount
public import QwinkleModel
public import Terminal

/// The base class of list screens. A subclass provides the rows, their cells, and the text of an empty list. This class
/// loads rows, requests further pages, and restores the selection.
@MainActor
public class ListViewController<Row>: ViewController, Screen {
  public weak var navigator: (any Navigator)?

  let list: ListView
  public let titleRule = RuleView()
  fileprivate(set) var rows: [Row] = []
  /// All rows. If the reader has limited the list to rows that contain a text, ``rows`` has only the matching rows.
  fileprivate(set) var allRows: [Row] = []
  var finder = ListFinder()
  /// Whether ``showModelRows()`` has shown the model's rows.
  fileprivate(set) var showsModelRows = false
  /// The list's items that are at least partly visible.
  var shownItems = 0..<0
  /// Whether the list shows its rows from the last to the first. The rows themselves are always newest first. Set by
  /// ``setOrder(oldestFirst:)``.
  var showsOldestFirst = false
  /// Pictures of the rows. Nil if rows have no pictures.
  var pictures: ListPictures?
  /// The state of the screen's own requests.
  var ownState = FeedState()
  /// Number of unseen rows above the visible rows.
  var newCount = 0 {
    didSet { if newCount != oldValue { navigator?.statusDidChange(of: self) } }
  }
  /// The position to restore once its rows are loaded.
  var waitingPlace: ListPlace?
  /// Maximum number of further pages to fetch in search of ``waitingPlace``.
  var pagesForPlace = 0
  /// Whether rows or the selection are changing without a key press.
  var isPlacing = false
  /// Whether the last change to the rows has also restored the reader's position.
  var didPlace = false
  /// Number of consecutive pages without visible rows, and the number of rows before the last page.
  var hiddenPages = 0
  var shownBefore = 0

  /// A cell above the first row that scrolls with the rows, such as a profile. While it is selected, no row is
  /// selected.
  var leadingCell: (any ListCell)? {
    didSet {
      if (leadingCell == nil) == (oldValue == nil) {
        list.reloadItems(at: [0])
      } else if selectsLeadingCell {
        list.reloadData()
      } else {
        addOrRemoveLeadingItem()
      }
      updateWords()
    }
  }

  /// Creates a screen. The list fills the screen, unless the subclass passes `list`, adds it and overrides ``content``.
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

  /// Returns the layout below the title. The default is the list.
  func content(in size: Size) -> Layout { .layers([list]) }

  override public func layout(in size: Size) -> Layout? {
    // In a very small window, the title's row is used for the list.
    .rows([.fixed(size.rows >= 4 ? 1 : 0): titleRule, .fill: content(in: size)])
  }

  // MARK: Rows, to override

  /// The model's rows. Nil, the default, if the screen requests its rows itself.
  var currentRows: [Row]? { nil }
  /// Whether older rows can follow the last one. Once ``state`` is complete, no rows follow.
  var hasOlderRows: Bool { true }
  /// Whether the store has older rows.
  var hasMoreCached: Bool { false }
  /// Whether the store has rows above the first one.
  var hasRowsAbove: Bool { false }
  /// Number of rows above the first one. Nil while they are being counted.
  var rowsAbove: Int? { 0 }
  /// Number of rows below the last one that were loaded before and are in the store.
  var rowsBelow: Int { 0 }
  /// Whether `/` searches in the list. Override it in lists where `/` searches elsewhere.
  var canFind: Bool { true }
  /// Whether the reader can limit the list to rows that contain a text. Override it if rows depend on each other.
  var canBeLimited: Bool { true }
  /// Whether some of the loaded rows may be hidden. If so, more pages are loaded until the screen is full. The default
  /// is false.
  var hidesRows: Bool { false }
  /// Loads the rows below the last one. The default does nothing.
  func loadOlder() {}

  func cell(forRowAt index: Int) -> any ListCell { MessageCell(paragraphs: []) }
  /// Returns the pictures of a row. The default is nil.
  func pictureSubject(ofRowAt index: Int) -> PictureSubject? { nil }
  /// The context in which the user's filters apply to the qwinks. With nil, the default, all filters apply.
  var filterPlace: FilterPlace? { nil }
  /// The tag of the pictures that belong to this screen, if any.
  var pageTag: ResourceTag? { nil }
  /// The screen's name in the list of cached files, for the files that it uses. The default is its title.
  var resourceOwner: String { title }
  /// Returns the text of a row that `/` and `&` search. The default is the text of its cell. Lists that may be long
  /// should override it for speed.
  func findableText(ofRowAt index: Int) -> String {
    cell(forRowAt: index).words(forColumns: max(1, list.frame.size.columns))?.joined(separator: " ") ?? ""
  }
  /// Opens a row when the reader presses Enter. The default does nothing.
  func open(_ row: Row) {}
  func openLeadingCell() {}
  /// Returns the rows of ``allRows`` that contain `words`, and the rows that represent others unless no row contains
  /// `words`. Override it if the model finds rows faster than their texts do, or if rows depend on each other.
  func rows(limitedTo words: String) -> [Row] {
    let matching = Set(allRows.indices.filter { ListFinder.matches(words, in: findableText(ofRowAt: $0)) })
    guard !matching.isEmpty else { return [] }
    return allRows.indices.filter { matching.contains($0) || standsForOthers(allRows[$0]) }.map { allRows[$0] }
  }
  /// Whether the list is limited while the user types the text. The default is false, because the texts of all rows are
  /// computed for each character.
  var limitsWhileTyping: Bool { false }
  /// Whether the leading cell is selected by default. If not, the first row is.
  var selectsLeadingCell: Bool { true }
  func isUnread(_ row: Row) -> Bool { false }
  /// Whether the row represents other rows, such as rows that aren't loaded yet. Navigation stops at such a row. A
  /// limited list shows such a row too, unless no row matches the limit. The default is false.
  func standsForOthers(_ row: Row) -> Bool { false }

  /// Returns a key that identifies the row in the next run. Nil, the default, if the reader's position isn't saved.
  func placeKey(of row: Row) -> String? { nil }
  /// Selects the row at which a list that shows its oldest rows first opens. The default is the newest row.
  func selectFirstTime() { select(0) }
  /// Loads the rows with these keys and the rows around them from the store. The default does nothing.
  func loadCached(around keys: [String]) {}

  /// Called when the visible rows have changed. The default loads older rows near the end.
  func didShowRows() { loadOlderWhereNeeded(byReader: true) }
  /// Called when the selection has changed. The default notifies the navigator.
  func didSelectRow() { navigator?.selectionDidChange(in: self) }

  // MARK: Words, to override

  /// A dim text after the title, such as a count. The default is nil.
  var titleDetail: String? { nil }
  /// The state of the screen's requests. The default is ``ownState``.
  public var state: FeedState { ownState }
  /// The time of the next automatic attempt after a failure, if any.
  var nextAttempt: Date? { nil }
  var hints: [Action] { [.back] }
  /// The text of an empty list, at ``placeholderRow``, or in the middle of the view if that is nil. The default is the
  /// text of ``state``, or else ``nothing``.
  var placeholder: PlaceholderWords.Lines { PlaceholderWords.state(state, fetching: fetchingWords) ?? nothing }
  var fetchingWords: String { PlaceholderWords.fetching }
  /// The text of a list that has no rows on the server either.
  var nothing: PlaceholderWords.Lines { [] }
  var placeholderRow: Int? { nil }
  /// The text below the last row.
  var footer: [TextRun<StyleRole>] { PlaceholderWords.footer(for: state, loading: loadingWords) }
  /// The footer's text while older rows are being loaded.
  var loadingWords: String { PlaceholderWords.fetchingMore }

  /// Updates the texts in the list and in the status bar.
  func updateWords() {
    updateListWords()
    navigator?.statusDidChange(of: self)
  }

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
  /// Loads more rows if loading stopped because too many pages had only hidden rows.
  public func readerDidAct(wasHere: Bool) {
    guard wasHere, hiddenPages >= mostHiddenPages else { return }
    hiddenPages = 0
    loadOlderWhereNeeded()
  }

  public func showTitles(above: [String]) { showTitle(above + [title], detail: titleDetail) }

  public var status: ScreenStatus {
    ScreenStatus(state: state, isEmpty: rows.isEmpty, newCount: newCount, nextAttempt: nextAttempt, hints: hints)
  }

  public var selectedQwink: Qwink? { nil }
  public var foreignQwink: Qwink? { nil }
  public func didFind(_ copy: Qwink, of foreign: Qwink.ID) {}
  public var previewedQwink: Qwink? { selectedQwink }
  public var selectedQwinker: Qwinker? { selectedQwink?.author }
  public var refusalWords: String? { nil }
  public var limitWords: String? { finder.limit }
  public var hidingWords: String? { nil }
  public func take(_ choice: PaneChoice) -> String? { nil }

  /// Downloads the pictures again that failed. Override to fetch the rows as well.
  public func refresh() { pictures?.tryAgain() }

  /// Called when the program resumes after it was suspended. The default does nothing.
  public func wakeUp() {}

  public func selectUnread(_ step: UnreadStep) -> Bool {
    showModelRows()
    guard let index = step.index(in: rows.indices.filter { isUnread(rows[$0]) }, from: selectedIndex) else {
      return false
    }
    select(index)
    return true
  }

  /// Whether the reader is at the list's default position. By default, that is the top.
  var isAtUsualPlace: Bool { isAtTop && !showsOldestFirst }

  override public func encodeRestorableState(with state: inout RestorableState) {
    (waitingPlace ?? currentPlace)?.encode(to: &state)
    state["limit"] = finder.limit
    state["find"] = finder.words.isEmpty ? nil : finder.words
  }

  override public func decodeRestorableState(with state: RestorableState) {
    finder.limit = canBeLimited ? state["limit"] : nil
    finder.words = state["find"] ?? ""
    // The first screen shows its rows before its state is restored.
    if showsModelRows, finder.limit != nil {
      isPlacing = true
      applyLimit()
      isPlacing = false
    }
    ListPlace(state).map(go)
  }

  override public func viewDidAppear() {
    showModelRows()
    updateWords()
    pictures?.lookSoon()
  }

  override public func viewDidDisappear() { pictures?.lookAway() }

  /// Called when a filter has expired, in subclasses that observe the account. Override it in lists that hide filtered
  /// rows or cache the text of rows.
  public func accountFilterDidExpire() {
    list.reloadCells()
    pictures?.lookSoon()
  }

  /// Shows the model's rows, once.
  func showModelRows() {
    guard !showsModelRows, let current = currentRows else { return }
    showsModelRows = true
    allRows = current
    isPlacing = true
    if finder.limit == nil {
      rows = current
      list.reloadData()
      if showsOldestFirst { selectFirstTime() }
      updateWords()
    } else {
      applyLimit()
    }
    isPlacing = false
    navigator?.selectionDidChange(in: self)
    findPlace()
    // If there are rows from the store or the server, the position is among them or no longer exists. Otherwise it
    // stays pending until rows are fetched.
    if state.refreshedAt != nil || !rows.isEmpty { waitingPlace = nil }
  }
}

// MARK: - Rows

extension ListViewController {
  /// Replaces all rows, removes the limit, and selects the first item, which is the leading cell or else the first row.
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

  /// Replaces all rows with `new`, such as the same rows in another order. The limit still applies. Selects the first
  /// row for which `isSelected` returns true, or else the first row.
  func replaceRows(_ new: [Row], selecting isSelected: (Row) -> Bool) {
    arrange {
      allRows = new
      rows = new
      if let limit = finder.limit { rows = rows(limitedTo: limit) }
      list.reloadData()
      select(rows.firstIndex(where: isSelected) ?? 0)
    }
  }

  /// Changes the rows and updates the texts. If the reader's position from the last run isn't restored yet, then tries
  /// to restore it.
  private func arrange(_ change: () -> Void) {
    didPlace = false
    defer {
      updateWords()
      pictures?.lookSoon()
    }
    guard !isPlacing else { return change() }
    isPlacing = true
    change()
    isPlacing = false
    findPlace()
  }

  /// Redraws the rows that `isMeant` selects. Their data hasn't changed, but they look different now. If `keepsPlace`
  /// is true, the selected row doesn't move.
  func reloadRows(keepsPlace: Bool = false, where isMeant: (Row) -> Bool) {
    list.reloadItems(
      at: rows.indices.filter { isMeant(rows[$0]) }.map(item(ofRow:)), keepsPlace: keepsPlace)
  }

  /// Shows `new`, which differs from the previous rows by `change`. Visible rows don't move; see
  /// ``ListView/performBatchUpdates(followsTop:_:)``. In a limited list, ignores `change` and applies the limit again.
  func show(_ new: [Row], after change: ListChange, followsTop: Bool = false) {
    arrange {
      allRows = new
      guard finder.limit == nil else { return applyLimit() }
      let change = showsOldestFirst ? change.reversed(from: rows.count, to: new.count) : change
      rows = new
      let leading = leadingCount
      list.performBatchUpdates(followsTop: followsTop && !showsOldestFirst) {
        list.deleteItems(at: change.removed.map { $0 + leading })
        for range in change.inserted {
          list.insertItems(at: (range.lowerBound + leading)..<(range.upperBound + leading))
        }
      }
      list.reloadItems(at: change.changed.map { $0 + leading })
    }
  }

  /// Shows the rows that match the limit, or all rows if there is no limit. If the selected row is still shown, it
  /// stays selected; otherwise the first row is selected.
  func applyLimit() {
    let key = selectedRow.flatMap(placeKey(of:))
    rows = allRows
    if let limit = finder.limit { rows = rows(limitedTo: limit) }
    list.reloadData()
    let index = key.flatMap { key in rows.firstIndex { placeKey(of: $0) == key } } ?? row(ofItem: leadingCount)
    select(index, reveals: !list.isWaitingForTop)
    updateWords()
  }
}

extension ListViewController where Row: Identifiable & Equatable {
  /// Shows `new` and preserves the selected row. Computes `change` if it is nil, and returns it.
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
