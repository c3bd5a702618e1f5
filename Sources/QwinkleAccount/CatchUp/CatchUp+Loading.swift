import FoundationEssentials
import QwinkleModel
import QwinkleService
import Timekeeping

/// Loading: the newest page is refreshed first. Then rows are read from the cache, from the top. At a gap and at the
/// end of the cached rows, a page is fetched and merged into the cache, and reading continues.
extension CatchUp {
  /// Rows read from the cache at a time.
  private static let chunkSize = 120
  /// Number of consecutive rows older than the span after which it ends. Posts of other servers may arrive late, so one
  /// old row proves nothing.
  private static let mostOldRows = 20
  /// Maximum number of consecutive pages without new rows.
  private static let mostBarrenPages = 4
  private static let mostRestarts = 4

  /// Maximum number of pages. More than needed, even if the server returns small pages.
  private var mostPages: Int { mostPosts / 10 + 20 }

  func begin(_ span: Span) {
    if case .hours(let hours) = span {
      loading.date = account.clock.now.addingTimeInterval(-3600 * Double(max(0, hours)))
      startDate = loading.date
    }
    proceed()
  }

  /// Starts the next step, unless a step is in progress.
  func proceed() {
    guard state == .loading, loading.step == .none else { return }
    if loading.date == nil {
      findMark()
    } else if !loading.isRefreshed {
      refresh()
    } else {
      read()
    }
  }

  // MARK: The start

  /// Finds the read position. Waits for the server's marker, because the user may have read in another client.
  private func findMark() {
    let positions = account.readPositions
    guard positions.isKnown || !account.isSignedIn else {
      loading.step = .waitingForMark
      return positions.start()
    }
    loading.mark = positions.mark(in: .timeline(.home))
    startDate = loading.mark?.createdAt ?? loading.mark?.readAt
    if loading.mark == nil {
      startDate = account.clock.now.addingTimeInterval(-3600 * Double(Self.usualHours))
    }
    loading.date = startDate ?? account.clock.now.addingTimeInterval(-3600 * Double(Self.usualHours))
    proceed()
  }

  /// Called when a read position became known.
  func marksDidChange() {
    guard loading.step == .waitingForMark, account.readPositions.isKnown else { return }
    let run = loading.run
    // The notification precedes the comparison with the server's marker.
    let activity = account.connection.ledger.begin("find the read position")
    Task { @MainActor [weak self] in
      defer { activity.end() }
      guard let self, loading.run == run, loading.step == .waitingForMark else { return }
      loading.step = .none
      // The pause began while waiting. `resume()` continues.
      proceed()
    }
  }

  private func refresh() {
    loading.step = .refreshing
    account.timelines.refresh(.home, cause: .poll)
    checkRefresh()
  }

  /// Continues after the end of the refresh.
  func checkRefresh() {
    let home = account.timelines.state(of: .home)
    guard loading.step == .refreshing, !home.isRefreshing else { return }
    loading.step = .none
    if home.wasCancelled { return stop(.cancelled) }
    loading.refreshError = home.error
    loading.isRefreshed = home.error == nil
    // Rows read after a failed refresh may be below rows of this refresh.
    if !loading.pass.known.isEmpty { (loading.needsReread, loading.addsNewRows) = (true, true) }
    read()
  }

  // MARK: Reading

  /// Reads the next rows from the cache.
  func read() {
    guard loading.step == .none else { return }
    loading.step = .reading
    if loading.needsReread {
      loading.needsReread = false
      loading.isRereading = true
      let former = loading.addsNewRows ? nil : loading.pass.former ?? loading.pass.known
      loading.addsNewRows = false
      loading.pass = CatchUpPass()
      loading.pass.former = former
    }
    let run = loading.run
    let limit = loading.pass.isAfterPage ? Timelines.pageSize + 1 : Self.chunkSize
    account.timelines.readItems(of: .home, after: loading.pass.anchors, limit: limit) { [weak self] chunk in
      guard let self, loading.run == run else { return }
      loading.step = .none
      if loading.needsReread { read() } else { take(chunk) }
    }
  }

  private func take(_ chunk: CatchUpChunk?) {
    guard let chunk else { return finishPass(.incomplete) }
    if chunk.rows.isEmpty, !chunk.isAdjacent {
      // All known rows were deleted, so the position of the next rows is unknown.
      guard loading.restarts < Self.mostRestarts else { return finishPass(.incomplete) }
      loading.restarts += 1
      loading.needsReread = true
      return read()
    }
    let count = loading.pass.known.count + loading.pass.old.count
    let next = add(chunk)
    if loading.pass.isAfterPage {
      let isBarren = loading.pass.known.count + loading.pass.old.count == count
      loading.barrenPages = isBarren ? loading.barrenPages + 1 : 0
      loading.pass.isAfterPage = false
    }
    switch next {
    case .rows:
      publish()
      read()
    case .page(let cursor): fetch(cursor)
    case .end(let end): finishPass(end)
    }
  }

  /// The action after a read.
  private enum Next {
    case rows
    case page(PageCursor)
    case end(End)
  }

  private func add(_ chunk: CatchUpChunk) -> Next {
    let firstRead = loading.mark.flatMap { chunk.rows.firstRead(by: $0) }
    for (index, row) in chunk.rows.enumerated() {
      switch row {
      case .gap where loading.pass.former != nil: break
      case .gap(let cursor):
        guard loading.followed.contains(cursor) else { return .page(cursor) }
        // The server doesn't return the rows of this gap.
        loading.isIncomplete = true
      case .item(let qwink):
        if let firstRead, index >= firstRead { return .end(.complete) }
        if loading.pass.former?.contains(qwink.rowID) == true { loading.pass.former = nil }
        if let item = chunk.items[index], loading.pass.former == nil {
          add(item, of: qwink, isOrdered: firstRead != nil)
        }
        if loading.pass.old.count >= Self.mostOldRows { return .end(.complete) }
        if loading.pass.known.count >= mostPosts { return .end(.limit) }
      }
      loading.pass.note(row)
    }
    if chunk.hasMore { return .rows }
    guard let older = chunk.older else { return .end(.complete) }
    return loading.followed.contains(older) ? .end(.incomplete) : .page(older)
  }

  /// Adds a row. `isOrdered` is true for a row that is certainly above the read position.
  private func add(_ item: CatchUpItem, of qwink: Qwink, isOrdered: Bool) {
    if !isOrdered, let date = loading.date, item.listedAt < date {
      loading.pass.old.append((qwink, item))
      return
    }
    let old = loading.pass.old
    loading.pass.old = []
    for (qwink, item) in old + [(qwink, item)] where loading.pass.known.count < mostPosts {
      guard loading.pass.known.insert(item.rowID).inserted else { continue }
      loading.pass.reachedDate = item.listedAt
      if isHidden(qwink) {
        loading.pass.hiddenCount += 1
      } else {
        loading.pass.items.append(shown(item, qwink))
      }
    }
  }

  /// Returns the item as the timeline shows the qwink: covered or not.
  func shown(_ item: CatchUpItem, _ qwink: Qwink) -> CatchUpItem {
    account.disclosure(of: qwink, in: .home).cover == nil ? item : item.covered
  }

  /// Shows the rows read so far.
  private func publish(isEnd: Bool = false) {
    if loading.isRereading, !isEnd, loading.pass.known.count < progress.posts { return }
    loading.isRereading = false
    items = loading.pass.items
    hiddenCount = loading.pass.hiddenCount
    progress.posts = loading.pass.known.count
    progress.reachedDate = loading.pass.reachedDate
    notifyRows()
    notifyState()
  }

  private func finishPass(_ end: End) {
    if state == .loading, !loading.isChecked, let last = loading.pass.anchors.last { return check(last, then: end) }
    loading.pass.old = []
    publish(isEnd: true)
    guard state == .loading || state == .paused else { return }
    // Newer posts may be missing.
    if let error = loading.refreshError { return setState(.failed(error)) }
    setState(.finished(end == .complete && loading.isIncomplete ? .incomplete : end))
  }

  /// Reads all rows again if a page has inserted rows among those already read. Servers list some posts late.
  private func check(_ last: Timeline.Row, then end: End) {
    loading.isChecked = true
    loading.step = .reading
    let run = loading.run
    account.timelines.countRows(above: last, of: .home) { [weak self] count in
      guard let self, loading.run == run else { return }
      loading.step = .none
      if let count, count != loading.pass.rowsRead - 1 { loading.needsReread = true }
      if loading.needsReread { read() } else { finishPass(end) }
    }
  }

  // MARK: Pages

  private func fetch(_ cursor: PageCursor) {
    // The rows of a finished catch-up end where loading ended.
    publish(isEnd: state != .loading)
    guard state == .loading else { return }
    if let error = loading.refreshError { return setState(.failed(error)) }
    guard progress.pages < mostPages, loading.barrenPages < Self.mostBarrenPages else {
      return finishPass(.incomplete)
    }
    loading.followed.insert(cursor)
    loading.step = .fetching
    let run = loading.run
    loading.download = account.timelines.fetchPage(at: cursor, of: .home) { [weak self] error in
      guard let self, loading.run == run else { return }
      loading.download = nil
      loading.step = .none
      if let error {
        loading.followed.remove(cursor)
        if error.isCancelled { stop(.cancelled) } else { setState(.failed(error)) }
      } else {
        progress.pages += 1
        loading.pass.isAfterPage = true
        read()
      }
    }
  }

  /// Cancels the request in progress, if any.
  func endRequest() {
    if let request = loading.end() { account.cancel(request) }
  }

  /// Cancels requests and sets the final state.
  func stop(_ end: End) {
    endRequest()
    loading.pass.old = []
    if !loading.isRereading { publish(isEnd: true) }
    setState(.finished(end))
  }
}
