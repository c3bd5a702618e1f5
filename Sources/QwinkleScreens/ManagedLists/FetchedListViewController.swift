import PaneKit
import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// Base class of a list whose screen fetches its own rows, page by page. The rows aren't shared with other screens.
@MainActor
public class FetchedListViewController<Item: PagedElement & Identifiable>: ListViewController<Item> {
  typealias Completion = @MainActor (Result<Page<Item>, DownloadError>) -> Void

  let account: Account
  private var items = PagedRows<Item>(endsAtGap: true)
  private var newest: Fetch?
  private var older: Fetch?

  init(title: String, account: Account) {
    self.account = account
    super.init(title: title)
  }

  // MARK: To override

  /// Fetches the first page.
  func fetchFirst(_ done: @escaping Completion) -> Fetch? { nil }

  /// Fetches the page at `cursor`. The server returned the cursor with the previous page.
  func fetchPage(at cursor: PageCursor, _ done: @escaping Completion) -> Fetch? { nil }

  /// Returns the loaded items to show. The default shows all of them.
  func shown(_ items: [Item]) -> [Item] { items }

  /// Returns the text of a row. Override this or ``cell(forRowAt:)``.
  func text(of item: Item) -> RowText { RowText(head: []) }

  override func cell(forRowAt index: Int) -> any ListCell {
    let text = text(of: rows[index])
    return LinesCell { text.lines(forColumns: $0) }
  }

  /// Whether an item with this id is loaded, even if it is hidden.
  func isLoaded(_ id: Item.RowID) -> Bool { items[id] != nil }

  // MARK: Fetching

  override public func viewDidAppear() {
    super.viewDidAppear()
    if state.refreshedAt == nil { refresh() }
  }

  override public func refresh() {
    super.refresh()
    guard !state.isRefreshing else { return }
    ownState.isRefreshing = true
    ownState.wasCancelled = false
    newest = fetchFirst { [weak self] in self?.take($0, isNewest: true) }
    updateWords()
  }

  override func loadOlder() {
    guard let cursor = items.older, !state.isLoadingMore else { return }
    ownState.isLoadingMore = true
    ownState.wasCancelled = false
    older = fetchPage(at: cursor) { [weak self] in self?.take($0, isNewest: false) }
    updateWords()
  }

  private func take(_ result: Result<Page<Item>, DownloadError>, isNewest: Bool) {
    if isNewest { ownState.isRefreshing = false } else { ownState.isLoadingMore = false }
    switch result {
    case .success(let page):
      ownState.note(nil, at: account.clock.now)
      let change = isNewest ? items.mergeNewest(page) : items.appendOlder(page)
      ownState.isComplete = items.older == nil
      show(after: change)
      countHiddenPage()
    case .failure(let error): ownState.note(error, at: account.clock.now)
    }
    updateWords()
    loadOlderWhereNeeded()
  }

  // MARK: Changing

  /// Changes the loaded rows and updates the screen.
  func change(_ body: (inout PagedRows<Item>) -> ListChange) {
    show(after: body(&items))
    list.reloadCells()
  }

  /// Shows the loaded rows again, because ``shown(_:)`` may have another result now.
  func showAgain() {
    show(after: nil)
    list.reloadCells()
  }

  /// Shows the loaded rows. If rows are hidden, `change` isn't the change of the visible rows.
  private func show(after change: ListChange?) {
    showKeepingSelection(shown(items.items), after: hidesRows ? nil : change)
  }
}
