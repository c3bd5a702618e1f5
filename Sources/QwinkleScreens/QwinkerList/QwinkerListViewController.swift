import FoundationEssentials
public import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// A list of qwinkers, such as somebody's followers.
@MainActor
public final class QwinkerListViewController: ViewController, Screen {
  /// Qwinkers that one request asks for.
  private static let pageSize = 40
  /// The next page is fetched when fewer than this are left below.
  private static let rowsAhead = 10

  public let name: QwinkerListName
  public weak var navigator: (any Navigator)?

  private let account: Account
  private let list = ListView()
  private var qwinkers = PagedRows<Qwinker>(endsAtGap: true)
  private var state = FeedState()
  private var newest: Fetch?
  private var older: Fetch?
  private var shownEnd = 0

  /// The list of that name. `qwinker` is whose it is, for the title.
  public init(list name: QwinkerListName, of qwinker: Qwinker? = nil, account: Account) {
    self.name = name
    self.account = account
    super.init(view: list)
    title = QwinkerListWords.title(of: name, qwinker: qwinker)
    keyContext = .qwink
    list.keyContext = .list
    list.dataSource = self
    list.delegate = self
    list.performListActions()
    account.addObserver(self)
    on(.open, when: { [weak self] in self?.selectedQwinker != nil }, perform: { [weak self] in self?.open() })
    updateWords()
  }

  public var status: ScreenStatus {
    let isOther = account.isSignedIn && selectedQwinker != nil && selectedQwinker?.id != account.identity.me?.id
    let opening: [Action] = qwinkers.isEmpty ? [] : [.open]
    let acting: [Action] = isOther ? [.follow, .writePrivately] : []
    return ScreenStatus(state: state, isEmpty: qwinkers.isEmpty, hints: opening + acting + [.back])
  }

  public var selectedQwinker: Qwinker? {
    guard let index = list.selectedIndex, qwinkers.items.indices.contains(index) else { return nil }
    return qwinkers.items[index]
  }

  public func refresh() {
    guard !state.isRefreshing else { return }
    state.isRefreshing = true
    state.wasCancelled = false
    newest = account.fetch(.qwinkers(name, limit: Self.pageSize)) { [weak self] in self?.take($0, isNewest: true) }
    updateWords()
  }

  // MARK: Actions

  private func open() {
    if let qwinker = selectedQwinker { navigator?.show(.qwinker(qwinker)) }
  }

  // MARK: Fetching

  override public func viewDidAppear() {
    if state.refreshedAt == nil { refresh() }
  }

  private func loadOlderWhereNeeded() {
    guard shownEnd > 0, shownEnd + Self.rowsAhead >= qwinkers.items.count, let cursor = qwinkers.older else { return }
    guard state.error == nil, !state.isRefreshing, !state.isLoadingMore else { return }
    state.isLoadingMore = true
    older = account.fetch(.qwinkersPage(cursor)) { [weak self] in self?.take($0, isNewest: false) }
    updateWords()
  }

  private func take(_ result: Result<Page<Qwinker>, DownloadError>, isNewest: Bool) {
    if isNewest { state.isRefreshing = false } else { state.isLoadingMore = false }
    switch result {
    case .success(let page):
      state.note(nil, at: account.clock.now)
      let before = qwinkers.items
      if isNewest { qwinkers.mergeNewest(page) } else { qwinkers.appendOlder(page) }
      state.isComplete = qwinkers.older == nil
      showChange(from: before)
    case .failure(let error): state.note(error, at: account.clock.now)
    }
    updateWords()
    loadOlderWhereNeeded()
  }

  private func showChange(from before: [Qwinker]) {
    let change = ListChange(from: before, to: qwinkers.items)
    list.update(removed: change.removed, inserted: change.inserted)
    list.reloadItems(at: change.changed)
  }

  private func updateWords() {
    list.placeholder = MessageCell(paragraphs: QwinkerListWords.placeholder(for: name, state: state))
    let footer = PlaceholderWords.footer(for: state, loading: "Fetching more…")
    list.footer = footer.isEmpty || qwinkers.isEmpty ? nil : MessageCell(paragraphs: [footer], row: 1)
    navigator?.statusDidChange(of: self)
  }
}

extension QwinkerListViewController: ListViewDataSource, ListViewDelegate {
  public func numberOfItems(in listView: ListView) -> Int { qwinkers.items.count }

  public func listView(_ listView: ListView, cellForItemAt index: Int) -> any ListCell {
    let qwinker = qwinkers.items[index]
    return LinesCell(qwinker, relationship: account.follows.relationship(to: qwinker.id))
  }

  public func listView(_ listView: ListView, didSelectItemAt index: Int?) {
    navigator?.statusDidChange(of: self)
  }

  public func listView(_ listView: ListView, didShowItemsIn range: Range<Int>) {
    shownEnd = range.upperBound
    loadOlderWhereNeeded()
  }
}

extension QwinkerListViewController: AccountObserver {
  public func follows(_ follows: Follows, didChange relationship: Relationship) {
    list.reloadItems(at: qwinkers.items.indices.filter { qwinkers.items[$0].id == relationship.id })
  }
}
