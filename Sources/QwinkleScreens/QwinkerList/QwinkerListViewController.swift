import FoundationEssentials
import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// A list of people, such as somebody's followers.
@MainActor
public final class QwinkerListViewController: ListViewController<Qwinker> {
  /// People that one request asks for.
  private static let pageSize = 40

  public let name: QwinkerListName

  private let account: Account
  private var qwinkers = PagedRows<Qwinker>(endsAtGap: true)
  private var newest: Fetch?
  private var older: Fetch?

  /// `qwinker` is the list's owner, for the title.
  public init(
    list name: QwinkerListName, of qwinker: Qwinker? = nil, account: Account,
    settings: ReaderSettings = ReaderSettings(), shelf: PictureShelf? = nil
  ) {
    self.name = name
    self.account = account
    super.init(title: QwinkerListWords.title(of: name, qwinker: qwinker))
    account.addObserver(self)
    showPictures(shelf, account: account, settings: settings)
    updateWords()
  }

  override var hints: [Action] {
    let isOther = account.isSignedIn && selectedQwinker != nil && selectedQwinker?.id != account.identity.me?.id
    return (rows.isEmpty ? [] : [.open]) + (isOther ? [.follow, .message] : []) + [.back]
  }

  override public var selectedQwinker: Qwinker? { selectedRow }

  override func placeKey(of row: Qwinker) -> String? { row.id.rawValue }

  override public func refresh() {
    guard !state.isRefreshing else { return }
    ownState.isRefreshing = true
    ownState.wasCancelled = false
    newest = account.fetch(.qwinkers(name, limit: Self.pageSize)) { [weak self] in self?.take($0, isNewest: true) }
    updateWords()
  }

  override func open(_ row: Qwinker) {
    navigator?.show(.qwinker(row))
  }

  override func cell(forRowAt index: Int) -> any ListCell {
    let qwinker = rows[index]
    return LinesCell(
      qwinker, relationship: account.follows.relationship(to: qwinker.id), pictures: pictures?.cell(of: qwinker))
  }

  override func pictureSubject(ofRowAt index: Int) -> PictureSubject? { .qwinker(rows[index]) }

  override var placeholder: PlaceholderWords.Lines { QwinkerListWords.placeholder(for: name, state: state) }

  override func didSelectRow() { navigator?.statusDidChange(of: self) }

  // MARK: Fetching

  override public func viewDidAppear() {
    if state.refreshedAt == nil { refresh() }
    pictures?.lookSoon()
  }

  override func loadOlder() {
    guard let cursor = qwinkers.older, !state.isLoadingMore else { return }
    ownState.isLoadingMore = true
    ownState.wasCancelled = false
    older = account.fetch(.qwinkersPage(cursor)) { [weak self] in self?.take($0, isNewest: false) }
    updateWords()
  }

  private func take(_ result: Result<Page<Qwinker>, DownloadError>, isNewest: Bool) {
    if isNewest { ownState.isRefreshing = false } else { ownState.isLoadingMore = false }
    switch result {
    case .success(let page):
      ownState.note(nil, at: account.clock.now)
      let change = isNewest ? qwinkers.mergeNewest(page) : qwinkers.appendOlder(page)
      ownState.isComplete = qwinkers.older == nil
      showKeepingSelection(qwinkers.items, after: change)
    case .failure(let error): ownState.note(error, at: account.clock.now)
    }
    updateWords()
    loadOlderWhereNeeded()
  }
}

extension QwinkerListViewController: AccountObserver {
  public func follows(_ follows: Follows, didChange relationship: Relationship) {
    reloadRows { $0.id == relationship.id }
  }
}
