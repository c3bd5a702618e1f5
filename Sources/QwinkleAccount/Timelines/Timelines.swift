public import QwinkleModel
import QwinkleService
import QwinkleStore
import Timekeeping

/// The timelines of one account: fetched, merged into what is known, and kept. Observers hear exactly which rows
/// changed.
@MainActor
public final class Timelines {
  /// Why a timeline changed.
  public enum Cause: Hashable, Sendable {
    /// Somebody asked for what is new.
    case userRefresh
    /// The clock did.
    case poll
    /// Older rows were asked for.
    case older
    /// I wrote something.
    case own
  }

  /// What is known of one timeline.
  struct Entry {
    var timeline = Timeline()
    var state = FeedState()
    /// Why the refresh under way was started.
    var cause = Cause.userRefresh
    /// What I wrote before anything of the timeline had come.
    var waitingOwn: [Qwink] = []
    /// Whether a refresh waits for a page that is under way: answers are merged in the order in which they were made.
    var isRefreshWaiting = false
    /// The gap that is being filled.
    var filling: GapFilling?
    /// Whether pages of its server lead right above an item.
    var leadsRightAbove = false
  }

  /// Rows that one request asks for.
  public static let pageSize = 40
  /// Rows that are taken from the store for the first frame: about as many as most screens show. A larger one asks for
  /// more.
  private static let firstKeptPageSize = 12
  /// Rows that are taken from the store at a time, later: few enough that the key that wants them is answered at once.
  private static let keptPageSize = 24
  /// Rows that are taken from the store to find a place in them.
  private static let maximumKeptRows = 2000

  let connection: AccountConnection
  let cache: TimelineCache?
  var entries: [TimelineName: Entry] = [:]
  /// The qwinks whose warnings have been opened, wherever they stand.
  var revealed: Set<Qwink.ID> = []
  let identity: Identity
  private let reactions: ReactionSwitches

  init(_ connection: AccountConnection, identity: Identity, reactions: ReactionSwitches, cache: TimelineCache?) {
    self.connection = connection
    self.identity = identity
    self.reactions = reactions
    self.cache = cache
  }

  /// A timeline as far as it is known. The first time it is asked for, it comes from the store.
  public func timeline(_ name: TimelineName) -> Timeline { entry(name).timeline }

  /// What is going on with a timeline.
  public func state(of name: TimelineName) -> FeedState { entry(name).state }

  /// Whether more rows of a timeline are kept than have been taken from the store.
  public func hasMoreKept(_ name: TimelineName) -> Bool { entry(name).timeline.hasMoreKept }

  // MARK: Asking

  /// Fetches what is new. One refresh under way is enough, but a key that asks during a poll makes it the user's.
  public func refresh(_ name: TimelineName, cause: Cause = .userRefresh) {
    var entry = entry(name)
    if entry.state.isRefreshing {
      if cause == .userRefresh { entries[name]?.cause = cause }
      return
    }
    entry.state.isRefreshing = true
    entry.state.wasCancelled = false
    entry.cause = cause
    entry.isRefreshWaiting = entry.state.isLoadingMore
    entries[name] = entry
    if !entry.isRefreshWaiting { startRefresh(name) }
    tellState(name)
  }

  private func startRefresh(_ name: TimelineName) {
    entries[name]?.isRefreshWaiting = false
    load(.timeline(name, limit: Self.pageSize)) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let page): merge(page, into: name)
      case .failure(let error): entries[name]?.state.note(error, at: connection.clock.now)
      }
      entries[name]?.state.isRefreshing = false
      fetchGapPage(name)
      tellState(name)
      if !identity.isKnown, case .success = result { identity.identify() }
    }
  }

  /// Fetches what is older than the last row: from the store while it has more, then from the server.
  public func loadOlder(_ name: TimelineName) {
    let entry = entry(name)
    guard !entry.state.isLoadingMore else { return }
    if entry.timeline.hasMoreKept { return appendKept(name) }
    guard let cursor = entry.timeline.older, !entry.state.isRefreshing else { return }
    loadMore(name, at: cursor) { $0.append($1, to: name) }
    tellState(name)
  }

  /// Fetches a page of older rows, or of those of a gap, which `merge` takes in.
  func loadMore(
    _ name: TimelineName, at cursor: PageCursor, merge: @escaping @MainActor (Timelines, Page<Qwink>) -> Void
  ) {
    entries[name]?.state.isLoadingMore = true
    entries[name]?.state.wasCancelled = false
    load(.timelinePage(name, cursor)) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let page):
        entries[name]?.state.error = nil
        merge(self, page)
      case .failure(let error):
        entries[name]?.state.noteOlder(error)
        endFilling(name)
      }
      entries[name]?.state.isLoadingMore = false
      if entries[name]?.filling == nil { entries[name]?.state.gap = nil }
      if entries[name]?.isRefreshWaiting == true { startRefresh(name) } else { fetchGapPage(name) }
      tellState(name)
    }
  }

  private func load(
    _ request: Request<Page<Qwink>>, done: @escaping @MainActor (Result<Page<Qwink>, DownloadError>) -> Void
  ) {
    let settledCount = reactions.settledCount
    connection.ask(request) { [reactions] result in
      done(result.map { reactions.applied(to: $0, since: settledCount) })
    }
  }

  /// Drops what waits for a download under way.
  func dropWaiting() {
    for name in entries.keys {
      entries[name]?.filling = nil
      guard entries[name]?.isRefreshWaiting == true else { continue }
      entries[name]?.isRefreshWaiting = false
      entries[name]?.state.isRefreshing = false
      entries[name]?.state.wasCancelled = true
    }
  }

  // MARK: Merging

  private func merge(_ page: Page<Qwink>, into name: TimelineName) {
    takeUpKept(downTo: page, of: name)
    var entry = entry(name)
    let change = entry.timeline.mergeNewest(page)
    entry.state.note(nil, at: connection.clock.now)
    entry.state.isComplete = entry.isComplete
    entry.leadsRightAbove = page.newer?.leadsRightAbove ?? entry.leadsRightAbove
    let waiting = entry.waitingOwn
    entry.waitingOwn = []
    entries[name] = entry
    cache?.mergeNewest(page, in: name)
    tell(change, name, entry.cause)
    for qwink in waiting { takeInOwn(qwink, in: name) }
  }

  private func append(_ page: Page<Qwink>, to name: TimelineName) {
    var entry = entry(name)
    guard let cursor = entry.timeline.older else { return }
    let change = entry.timeline.appendOlder(page)
    entry.state.isComplete = entry.isComplete
    entries[name] = entry
    cache?.merge(page, at: cursor, in: name)
    tell(change, name, .older)
  }

  // MARK: The store

  /// What is known of a timeline, from the store the first time.
  func entry(_ name: TimelineName) -> Entry {
    if let entry = entries[name] { return entry }
    var entry = Entry()
    if let cache {
      let kept = cache.load(name, limit: Self.firstKeptPageSize)
      _ = entry.timeline.appendKept(kept.rows, older: kept.older, hasMore: kept.hasMore)
    }
    entries[name] = entry
    return entry
  }

  /// Takes rows from the store down to `row`, if it is kept and not too far down.
  public func loadKept(_ name: TimelineName, downTo row: Qwink.RowID) {
    let timeline = entry(name).timeline
    guard timeline.hasMoreKept, timeline.index(of: row) == nil,
      let missing = cache?.count(after: timeline.knownRows, downTo: row, in: name), missing <= Self.maximumKeptRows
    else { return }
    appendKept(name, limit: missing + Self.firstKeptPageSize)
  }

  /// Takes from the store what is kept down to where a page ends: it must not look new, and goes if the newest page
  /// does not have it any more.
  func takeUpKept(downTo page: Page<Qwink>, of name: TimelineName) {
    for qwink in page.items.reversed() where entry(name).timeline.hasMoreKept {
      loadKept(name, downTo: qwink.rowID)
      if entry(name).timeline.index(of: qwink.rowID) != nil { return }
    }
  }

  private func appendKept(_ name: TimelineName, limit: Int = keptPageSize) {
    var entry = entry(name)
    guard let cache else { return }
    let known = entry.timeline.knownRows
    let kept = cache.load(name, after: known, limit: limit)
    var rows = kept.rows
    if !kept.isAdjacent, let last = known.last(where: { $0.qwink != nil })?.qwink {
      // Another program has kept another list: nobody has said what follows here.
      if let cursor = PageCursor.older(than: last.id, in: name, limit: Self.pageSize) {
        rows.insert(.gap(cursor), at: 0)
      } else {
        rows = []
      }
    }
    let change = entry.timeline.appendKept(rows, older: kept.older, hasMore: kept.hasMore && !rows.isEmpty)
    entry.state.isComplete = entry.isComplete
    entries[name] = entry
    tell(change, name, .older)
  }

  // MARK: Telling

  func tell(_ change: Timeline.Change, _ name: TimelineName, _ cause: Cause) {
    guard !change.isEmpty else { return }
    connection.observers.forEach { $0.timelines(self, didChange: change, in: name, cause: cause) }
  }

  func tellState(_ name: TimelineName) {
    connection.observers.forEach { $0.timelines(self, didChangeStateOf: name) }
  }
}

extension Timelines: AccountObserver {
  /// What could not be fetched because the server did not answer is fetched again: it does now.
  public func connectionDidWrite(_ connection: AccountConnection) {
    for (name, entry) in entries where entry.state.offlineSince != nil { refresh(name, cause: .poll) }
  }
}

extension Timelines.Entry {
  /// Whether it is known that nothing is older.
  var isComplete: Bool { state.refreshedAt != nil && timeline.older == nil && !timeline.hasMoreKept }
}
