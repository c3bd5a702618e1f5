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
    /// Rows came from the cache, or went back there.
    case kept
    /// A stream has told.
    case stream
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
    /// Those who show it.
    var readers: [TimelineReader] = []
    /// When the last of them left the screen.
    var leftAt: Date?
    /// Whether a stream tells all that comes.
    var isLive = false
    /// Whether the refresh under way was asked for while its stream was open.
    var isAskedWhileStreamed = false
    /// Whether another refresh follows the one under way.
    var refreshesAgain = false
    /// What a stream has told while a page was under way.
    var held: [StreamEvent] = []
    /// Reads of the cache under way.
    var reading: Set<CachePart> = []
    /// The number of cached rows above those in memory; nil while that is counted.
    var rowsAbove: Int? = 0
    /// The counts of these rows asked for so far. Only the last one holds: they may come in another order.
    var countings = 0
    /// The number of rows below those in memory that were there before.
    var rowsBelow = 0
  }

  /// Rows per request.
  public static let pageSize = 40
  /// Rows loaded from the cache for the first frame: about one screen. A larger screen asks for more.
  static let firstKeptPageSize = 12
  /// Rows loaded from the cache at a time.
  static let keptPageSize = 24
  /// Time between two prunings of the cache, in seconds.
  private static let pruneInterval: Double = 3600

  let connection: AccountConnection
  let cache: TimelineCache?
  var entries: [TimelineName: Entry] = [:]
  /// Qwinks whose content warnings are open, in all timelines.
  var revealed: Set<Qwink.ID> = []
  /// The new ids of qwinks that got another id by an edit.
  var newIDs: [Qwink.ID: Qwink.ID] = [:]
  let identity: Identity
  let reactions: ReactionSwitches
  /// What the cache may keep.
  public var cacheLimits = CacheLimits()
  private var prunedAt: Date?
  var limits = WindowLimits()
  /// Differs after each change of a qwink's content.
  var contentRevision = 0
  /// The timelines whose streams are open.
  var streamed: Set<TimelineName> = []
  /// What streams have told that pages under way may not know yet.
  var streamedChanges = StreamedChanges()
  /// A refresh to find the places of what streams have told.
  var placing: ProgramTimer?

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
  public func state(of name: TimelineName) -> FeedState { known(name).state }

  /// Whether the cache has rows below those in memory.
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
    entries[name]?.isAskedWhileStreamed = streamed.contains(name)
    load(.timeline(name, limit: Self.pageSize).prioritized(priority(of: name))) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let page):
        // Not at the start, when the reader waits for the cache.
        if entries[name]?.state.refreshedAt != nil { pruneCache() }
        confirmEnd(of: page, in: name) { page in
          self.merge(page, into: name) { self.didRefresh(name, isIdentified: true) }
        }
      case .failure(let error):
        entries[name]?.state.note(error, at: connection.clock.now)
        didRefresh(name, isIdentified: false)
      }
    }
  }

  private func didRefresh(_ name: TimelineName, isIdentified: Bool) {
    entries[name]?.state.isRefreshing = false
    noteRefreshed(name, isFresh: isIdentified)
    fetchGapPage(name)
    tellState(name)
    refreshAgain(name)
    if isIdentified, !identity.isKnown { identity.identify() }
    for name in entries.keys { trim(name) }
  }

  /// Loads rows older than the last: from the cache while it has more, then from the server.
  public func loadOlder(_ name: TimelineName) {
    let entry = entry(name)
    guard !entry.state.isLoadingMore else { return }
    if entry.timeline.hasMoreKept { return loadKeptBelow(name) }
    guard let cursor = entry.timeline.older, !entry.state.isRefreshing else { return }
    loadMore(name, at: cursor) { $0.append($1, at: cursor, to: name, done: $2) }
    tellState(name)
  }

  /// Fetches a page of older rows or for a gap, which `merge` takes in; it then calls its last argument.
  func loadMore(
    _ name: TimelineName, at cursor: PageCursor,
    merge: @escaping @MainActor (Timelines, Page<Qwink>, @escaping @MainActor () -> Void) -> Void
  ) {
    entries[name]?.state.isLoadingMore = true
    entries[name]?.state.wasCancelled = false
    load(.timelinePage(name, cursor).prioritized(priority(of: name))) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let page):
        entries[name]?.state.error = nil
        merge(self, page) { self.didLoadMore(name) }
      case .failure(let error):
        entries[name]?.state.noteOlder(error)
        endFilling(name)
        didLoadMore(name)
      }
    }
  }

  private func didLoadMore(_ name: TimelineName) {
    entries[name]?.state.isLoadingMore = false
    takeHeld(name)
    if entries[name]?.filling == nil { entries[name]?.state.gap = nil }
    if entries[name]?.isRefreshWaiting == true { startRefresh(name) } else { fetchGapPage(name) }
    tellState(name)
  }

  /// What is on screen comes first.
  private func priority(of name: TimelineName) -> RequestPriority {
    known(name).readers.contains { $0.object != nil && $0.isOnScreen } ? .onScreen : .usual
  }

  func load(
    _ request: Request<Page<Qwink>>, done: @escaping @MainActor (Result<Page<Qwink>, DownloadError>) -> Void
  ) {
    let settledCount = reactions.settledCount
    connection.ask(request) { [weak self, reactions] result in
      done(
        result.map { page in
          let page = reactions.applied(to: page, since: settledCount)
          guard let self else { return page }
          return self.followNewIDs(in: self.streamedChanges.applied(to: page))
        })
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

  private func merge(_ page: Page<Qwink>, into name: TimelineName, done: @escaping @MainActor () -> Void) {
    _ = entry(name)
    take(page, at: .newest, into: name) { [weak self] change in
      guard let self, var entry = entries[name] else { return done() }
      entry.state.note(nil, at: connection.clock.now)
      entry.state.isComplete = entry.isComplete
      entry.leadsRightAbove = page.newer?.leadsRightAbove ?? entry.leadsRightAbove
      // What failed may be known now.
      entry.gapCounts = entry.gapCounts.filter { $0.value != nil }
      let waiting = entry.waitingOwn
      entry.waitingOwn = []
      entries[name] = entry
      tell(change, name, entry.cause)
      for qwink in waiting { takeInOwn(qwink, in: name) }
      done()
    }
  }

  private func append(
    _ page: Page<Qwink>, at cursor: PageCursor, to name: TimelineName, done: @escaping @MainActor () -> Void
  ) {
    take(page, at: .at(cursor), into: name) { [weak self] change in
      guard let self, let entry = entries[name] else { return done() }
      entries[name]?.state.isComplete = entry.isComplete
      tell(change, name, .older)
      done()
    }
  }

  // MARK: The store

  /// A timeline's entry, which may not be loaded yet: a screen that is about to show another place asks for its words
  /// first, and must not load rows for that.
  func known(_ name: TimelineName) -> Entry { entries[name] ?? Entry() }

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

  mutating func noteComplete() { state.isComplete = isComplete }
}
