import FoundationEssentials
public import QwinkleModel
import QwinkleService
public import QwinkleStore
import Timekeeping

/// The timelines of one account: fetched, merged and cached. Observers hear exactly which rows changed.
@MainActor
public final class Timelines {
  /// Why a timeline changed.
  public enum Cause: Hashable, Sendable {
    /// The user refreshed.
    case userRefresh
    /// A timer refreshed.
    case poll
    /// Older rows came.
    case older
    /// I wrote something.
    case own
  }

  /// One timeline and its state.
  struct Entry {
    var timeline = Timeline()
    var state = FeedState()
    /// The cause of the refresh under way.
    var cause = Cause.userRefresh
    /// My posts that wait for the first page.
    var waitingOwn: [Qwink] = []
    /// Whether a refresh waits for a page under way: pages are merged in the order in which the server made them.
    var isRefreshWaiting = false
    /// Whether the gap that the next refresh leaves is filled.
    var catchesUp = false
    /// The gap being filled.
    var filling: GapFilling?
    /// How much is missing at gaps; nil while that is asked for, or if it failed.
    var gapCounts: [PageCursor: MissingCount?] = [:]
    /// Whether the server's pages lead right above an item.
    var leadsRightAbove = false
  }

  /// Rows per request.
  public static let pageSize = 40
  /// Rows loaded from the cache for the first frame: about one screen. A larger screen asks for more.
  private static let firstKeptPageSize = 12
  /// Rows loaded from the cache at a time: few enough to answer a key at once.
  private static let keptPageSize = 24
  /// Time between two prunings of the cache, in seconds.
  private static let pruneInterval: Double = 3600
  /// Maximum number of rows to load from the cache to reach a place.
  private static let maximumKeptRows = 2000

  let connection: AccountConnection
  let cache: TimelineCache?
  var entries: [TimelineName: Entry] = [:]
  /// Qwinks whose content warnings are open, in all timelines.
  var revealed: Set<Qwink.ID> = []
  let identity: Identity
  private let reactions: ReactionSwitches
  /// What the cache may keep.
  public var cacheLimits = CacheLimits()
  private var prunedAt: Date?

  init(_ connection: AccountConnection, identity: Identity, reactions: ReactionSwitches, cache: TimelineCache?) {
    self.connection = connection
    self.identity = identity
    self.reactions = reactions
    self.cache = cache
  }

  /// A timeline as far as it is known. The first call loads it from the cache.
  public func timeline(_ name: TimelineName) -> Timeline { entry(name).timeline }

  /// Whether a timeline was loaded.
  func isLoaded(_ name: TimelineName) -> Bool { entries[name] != nil }

  /// The fetching state of a timeline.
  public func state(of name: TimelineName) -> FeedState { entry(name).state }

  /// Whether the cache has rows of a timeline that aren't loaded.
  public func hasMoreKept(_ name: TimelineName) -> Bool { entry(name).timeline.hasMoreKept }

  // MARK: Asking

  /// Fetches news. A refresh under way is shared; a key during a poll makes it the user's.
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
      case .success(let page):
        // Not at the start, when the reader waits for the cache.
        if entries[name]?.state.refreshedAt != nil { pruneCache() }
        merge(page, into: name)
      case .failure(let error): entries[name]?.state.note(error, at: connection.clock.now)
      }
      entries[name]?.state.isRefreshing = false
      fetchGapPage(name)
      tellState(name)
      if !identity.isKnown, case .success = result { identity.identify() }
    }
  }

  /// Loads rows older than the last: from the cache while it has more, then from the server.
  public func loadOlder(_ name: TimelineName) {
    var entry = entry(name)
    guard !entry.state.isLoadingMore else { return }
    if entry.timeline.hasMoreKept {
      let count = entry.timeline.rows.count
      appendKept(name)
      entry = self.entry(name)
      // The cache may have been pruned meanwhile.
      if entry.timeline.rows.count > count || entry.timeline.hasMoreKept { return }
    }
    guard let cursor = entry.timeline.older, !entry.state.isRefreshing else { return }
    loadMore(name, at: cursor) { $0.append($1, to: name) }
    tellState(name)
  }

  /// Fetches a page of older rows or for a gap, which `merge` takes in.
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

  func load(
    _ request: Request<Page<Qwink>>, done: @escaping @MainActor (Result<Page<Qwink>, DownloadError>) -> Void
  ) {
    let settledCount = reactions.settledCount
    connection.ask(request) { [reactions] result in
      done(result.map { reactions.applied(to: $0, since: settledCount) })
    }
  }

  /// Drops refreshes and gap pages that wait for a download.
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
    // What failed may be known now.
    entry.gapCounts = entry.gapCounts.filter { $0.value != nil }
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

  /// A timeline's entry. The first call loads it from the cache.
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

  /// Loads cached rows down to `row`, if it is there and not too far down.
  public func loadKept(_ name: TimelineName, downTo row: Qwink.RowID) {
    let timeline = entry(name).timeline
    guard timeline.hasMoreKept, timeline.index(of: row) == nil,
      let missing = cache?.count(after: timeline.knownRows, downTo: row, in: name), missing <= Self.maximumKeptRows
    else { return }
    appendKept(name, limit: missing + Self.firstKeptPageSize)
  }

  /// Loads cached rows down to a page's last one, so that they don't look new, and go if the page lacks them.
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
      // Another program has cached another list: what follows here is unknown.
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

  /// Deletes what the cache keeps beyond its limits, once in a while.
  private func pruneCache() {
    let now = connection.clock.now
    guard let cache, prunedAt.map({ now.timeIntervalSince($0) >= Self.pruneInterval }) ?? true else { return }
    prunedAt = now
    let lowest = entries.compactMapValues { $0.timeline.knownRows.last { $0.qwink != nil }?.qwink?.rowID }
    let limit = Self.pageSize
    cache.prune(to: cacheLimits, sparing: lowest) { id, name in
      PageCursor.older(than: id, in: name, limit: limit)
    }
  }

  // MARK: Telling

  func tell(_ change: ListChange, _ name: TimelineName, _ cause: Cause) {
    guard !change.isEmpty else { return }
    connection.observers.forEach { $0.timelines(self, didChange: change, in: name, cause: cause) }
  }

  func tellState(_ name: TimelineName) {
    connection.observers.forEach { $0.timelines(self, didChangeStateOf: name) }
  }
}

extension Timelines: AccountObserver {
  /// Refreshes the timelines that are offline: the server answers again.
  public func connectionDidWrite(_ connection: AccountConnection) {
    for (name, entry) in entries where entry.state.offlineSince != nil { refresh(name, cause: .poll) }
  }
}

extension Timelines.Entry {
  /// Whether nothing older is left to load.
  var isComplete: Bool { state.refreshedAt != nil && timeline.older == nil && !timeline.hasMoreKept }
}
