import FoundationEssentials
import PaneKit
public import QwinkleAccount
public import QwinkleModel
import QwinkleService
import Terminal
import Timekeeping

/// A public timeline of another server, read without signing in there.
///
/// The rows have ids of the other server, so no request to the user's server may contain them. Before an action, the
/// user's server finds its own copy of the row. From then on the row shows the copy.
@MainActor
public final class RemoteTimelineViewController: FetchedListViewController<Qwink> {
  private static let pageSize = 40
  /// The minimum time between two polls that also fetch the user's mutes, blocks and filters. Changes in this program
  /// apply at once.
  private static let hiddenAge = Duration.seconds(600)

  private let timeline: RemoteTimeline
  private let settings: ReaderSettings
  /// Nil if requests to the server aren't allowed.
  private let pages: RemotePages?
  private let polls: PollSchedule
  private var pageFetch: Fetch?
  /// The user's filters, and the uptime at which they were fetched.
  private var filters = FilterMatcher()
  private var filtersLoadedAt: Duration?
  private var failure: RemoteTimelineError?
  /// Copies on the user's server, by the ids of the rows' qwinks.
  private var ownCopies: [Qwink.ID: Qwink] = [:]
  /// Rows whose copies were deleted on the user's server.
  private var deleted: Set<Qwink.ID> = []
  /// Whether the refresh in progress wasn't requested by the user.
  private var isPolling = false

  public init(
    _ timeline: RemoteTimeline, account: Account, settings: ReaderSettings = ReaderSettings(),
    shelf: PictureShelf? = nil
  ) {
    self.timeline = timeline
    self.settings = settings
    pages = RemotePages(of: timeline, by: account.others)
    polls = PollSchedule(clock: account.clock)
    super.init(title: RemoteTimelineWords.title(of: timeline), account: account)
    account.addObserver(self)
    settings.didChange.add(self) { $0.showAgain() }
    showPictures(shelf, account: account, settings: settings)
  }

  // MARK: Rows

  private func displayed(_ row: Qwink) -> Qwink { ownCopies[row.originalID] ?? row }

  override public var selectedQwink: Qwink? { selectedRow.flatMap { ownCopies[$0.originalID]?.original } }

  override public var foreignQwink: Qwink? { selectedQwink == nil ? selectedRow : nil }

  override public func didFind(_ copy: Qwink, of foreign: Qwink.ID) {
    guard let row = allRows.first(where: { $0.originalID == foreign }) else { return }
    var copy = copy
    // The booster decides whether the row is hidden.
    (copy.booster, copy.boostedAt) = (row.booster, row.boostedAt)
    // Servers don't always apply filters to search results.
    copy.filterMatches.add(row.filterMatches)
    if let matches = row.quote?.filterMatches { copy.quote?.filterMatches.add(matches) }
    ownCopies[foreign] = copy
    if account.timelines.isRevealed(row), !account.timelines.isRevealed(copy) { account.timelines.toggleReveal(copy) }
    reloadRows { $0.originalID == foreign }
    navigator?.selectionDidChange(in: self)
  }

  override func shown(_ items: [Qwink]) -> [Qwink] {
    let hidden = timeline.name.hidesByOption ? settings.hiddenQwinks : HiddenQwinks()
    // Matched again, because the filters may have changed since the row was loaded.
    return items.map(filters.matching).filter {
      !deleted.contains($0.originalID) && !hidden.contains($0, me: nil)
        && !account.leavesOut(displayed($0), in: filterPlace)
    }
  }

  override var hidesRows: Bool { true }

  override func placeKey(of row: Qwink) -> String? { row.originalID.rawValue }

  override var filterPlace: FilterPlace? { timeline.name.filterPlace }

  override func open(_ row: Qwink) {
    if let copy = ownCopies[row.originalID] { return navigator?.show(.thread(copy.original)) ?? () }
    navigator?.find(row, on: self) { [weak self] in self?.navigator?.show(.thread($0)) }
  }

  override func findableText(ofRowAt index: Int) -> String {
    account.findableText(of: displayed(rows[index]), in: filterPlace)
  }

  override func cell(forRowAt index: Int) -> any ListCell { cell(of: displayed(rows[index]), account, settings) }
  override func pictureSubject(ofRowAt index: Int) -> PictureSubject? { pictureSubject(of: displayed(rows[index])) }

  // MARK: Fetching

  override func fetchFirst(_ done: @escaping Completion) -> Fetch? {
    guard let pages else {
      end(with: .notAllowed(timeline), .forbidden(host: timeline.host, message: ""), done)
      return nil
    }
    if isPolling, let filtersLoadedAt, account.clock.uptime - filtersLoadedAt < Self.hiddenAge {
      fetchNewest(from: pages, done)
      return nil
    }
    // The other server doesn't know the user's mutes, blocks and filters.
    account.follows.loadHidden { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let filters):
        self.filters = filters
        filtersLoadedAt = account.clock.uptime
        fetchNewest(from: pages, done)
      case .failure(let error): end(with: error.isCancelled ? nil : .notChecked(error), error, done)
      }
    }
    return nil
  }

  private func fetchNewest(from pages: RemotePages, _ done: @escaping Completion) {
    pages.fetchNewest(limit: Self.pageSize) { [weak self] in
      self?.pageFetch = $0
    } completion: { [weak self] in
      self?.takeNewest($0, done)
    }
  }

  override func fetchPage(at cursor: PageCursor, _ done: @escaping Completion) -> Fetch? {
    pages?.fetchPage(at: cursor) { [weak self] result in
      done(result.map { page in self?.matched(page) ?? page })
    }
  }

  private func matched(_ page: Page<Qwink>) -> Page<Qwink> { page.map { filters.matching($0) } }

  private func takeNewest(_ result: Result<Page<Qwink>, DownloadError>, _ done: @escaping Completion) {
    pageFetch = nil
    switch result {
    case .failure(let error):
      end(with: error.isCancelled ? nil : RemoteTimelineError(error, of: timeline), error, done)
    case .success(let page):
      let page = matched(page)
      let visible = shown(page.items)
      let new = visible.filter { !isLoaded($0.rowID) }
      // The list ends at a gap. A poll must not remove the rows that the reader sees.
      let hidesSeen = isPolling && !isAtTop && new.count == visible.count
      let isFirst = state.refreshedAt == nil
      failure = nil
      done(.success(hidesSeen ? .unchanged : page))
      if !isFirst, !hidesSeen { newCount = min(newCount + new.count, max(0, firstShown)) }
      schedulePoll(after: nil)
    }
  }

  private func end(with failure: RemoteTimelineError?, _ error: DownloadError, _ done: @escaping Completion) {
    self.failure = failure
    done(.failure(error))
    schedulePoll(after: error)
  }

  private func schedulePoll(after error: DownloadError?) {
    isPolling = false
    guard isOnScreen else { return }
    switch failure {
    case .membersOnly, .notAllowed: polls.stop()
    case .failed, .notChecked, nil: polls.schedule(after: error) { [weak self] in self?.poll() }
    }
  }

  private func poll() {
    guard isOnScreen, !state.isRefreshing else { return }
    isPolling = true
    refresh()
    // Update relative times.
    list.reloadCells()
  }

  override public func viewDidAppear() {
    super.viewDidAppear()
    if state.refreshedAt != nil { poll() }
  }

  override public func viewDidDisappear() {
    super.viewDidDisappear()
    polls.stop()
  }

  override public func wakeUp() { poll() }

  override func didShowRows() {
    newCount = min(newCount, max(0, firstShown))
    super.didShowRows()
  }

  // MARK: Words

  override var nextAttempt: Date? { polls.nextAttempt }

  override var hints: [Action] {
    let qwink = selectedRow.map(displayed)
    return (rows.isEmpty ? [] : [.listNext, .open]) + account.possible(QwinkCommand.contentHints, on: qwink)
      + account.possible(QwinkCommand.listHints, on: qwink) + [.back, .refresh]
  }

  override var placeholder: PlaceholderWords.Lines {
    failure.map { PlaceholderWords.failed($0.sentence) } ?? super.placeholder
  }

  override var fetchingWords: String { RemoteTimelineWords.fetching(timeline) }
  override var loadingWords: String { TimelineWords.fetchingOlder }

  override var nothing: PlaceholderWords.Lines {
    PlaceholderWords.nothing(TimelineWords.nothingHere, PlaceholderWords.goesBack, PlaceholderWords.refreshes)
  }

  override public func accountFilterDidExpire() { showAgain() }
}

extension RemoteTimelineViewController: AccountObserver {
  public func timelines(_ timelines: Timelines, didChange qwink: Qwink) {
    take(qwink, insteadOf: qwink.originalID)
  }

  public func timelines(_ timelines: Timelines, didReplace id: Qwink.ID, by qwink: Qwink) {
    take(qwink, insteadOf: id)
  }

  /// Shows the newer version of a copy. Also called for a row whose warning was opened or closed.
  private func take(_ newer: Qwink, insteadOf id: Qwink.ID) {
    for (row, copy) in ownCopies where copy.originalID == id { ownCopies[row] = copy.replaced(id, by: newer) ?? copy }
    reloadRows { displayed($0).originalID == newer.originalID }
    navigator?.selectionDidChange(in: self)
  }

  public func timelines(_ timelines: Timelines, didDelete id: Qwink.ID) {
    let rows = ownCopies.filter { $0.value.originalID == id }.keys
    guard !rows.isEmpty else { return }
    deleted.formUnion(rows)
    showAgain()
  }

  public func followsDidChangeHidden(_ follows: Follows) { showAgain() }

  /// Called after a write, which may have changed the filters. The next poll fetches them.
  public func connectionDidWrite(_ connection: AccountConnection) { filtersLoadedAt = nil }

  public func drafts(_ drafts: Drafts, didChangeRepliesTo qwinks: Set<Qwink.ID>) {
    reloadRows { qwinks.contains(displayed($0).originalID) }
  }
}

extension Page<Qwink> {
  /// A page that changes no list.
  fileprivate static var unchanged: Page {
    var page = Page(items: [])
    page.isPartial = true
    return page
  }
}
