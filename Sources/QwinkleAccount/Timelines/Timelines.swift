import FoundationEssentials
public import QwinkleModel
import QwinkleService
public import QwinkleStore
import Timekeeping

/// The timelines of one account: fetched, merged and cached. Observers are notified of the exact rows that changed.
@MainActor
public final class Timelines {
  /// The reason for a change.
  public enum Cause: Hashable, Sendable {
    /// The user requested a refresh.
    case userRefresh
    /// The program refreshed by itself, without a request by the user.
    case poll
    /// Older rows were loaded.
    case older
    /// The user posted or edited something.
    case own
    /// Rows were loaded from the cache, or removed from memory.
    case cache
    /// A stream sent an event.
    case stream
  }

  /// Rows per request.
  public static let pageSize = 40
  /// Rows loaded from the cache for the first frame. They fill a screen of usual height; taller screens load more.
  static let firstCachedPageSize = 12
  /// Rows loaded from the cache at a time.
  static let cachedPageSize = 24
  /// Seconds between two prunings of the cache.
  private static let pruneInterval: Double = 3600

  let connection: AccountConnection
  /// The account's cache, or one in memory if the account has none.
  private(set) lazy var cache =
    accountCache ?? TimelineCache(inMemoryWith: connection.ledger, clock: connection.clock)
  private let accountCache: TimelineCache?
  var entries: [TimelineName: Entry] = [:]
  /// Pages requested from the server.
  var downloads: [DownloadIdentifier: PageDownload] = [:]
  /// Qwinks whose content warnings are expanded, in all timelines.
  var revealed: Set<Qwink.ID> = []
  /// New ids of qwinks whose id changed with an edit, by their old ids.
  var newIDs: [Qwink.ID: Qwink.ID] = [:]
  let identity: Identity
  let reactions: ReactionSwitches
  /// Limits of the cache.
  public var cacheLimits = CacheLimits()
  private var prunedAt: Date?
  var limits = WindowLimits()
  /// Incremented whenever the content of a qwink changes.
  var contentRevision = 0
  /// Timelines whose streams are open.
  var streamed: Set<TimelineName> = []
  /// Edits and deletions from streams. Pages requested earlier may not include them, so they are applied to each page.
  var streamedChanges = StreamedChanges()
  /// Timers of refreshes that find the positions of streamed rows.
  var placing: [TimelineName: ProgramTimer] = [:]

  init(_ connection: AccountConnection, identity: Identity, reactions: ReactionSwitches, cache: TimelineCache?) {
    self.connection = connection
    self.identity = identity
    self.reactions = reactions
    accountCache = cache
  }

  /// Returns the known rows of a timeline. The first call loads them from the cache.
  public func timeline(_ name: TimelineName) -> Timeline { entry(name).timeline }

  func isLoaded(_ name: TimelineName) -> Bool { entries[name] != nil }

  /// The fetching state of a timeline.
  public func state(of name: TimelineName) -> FeedState { known(name).state }

  /// Whether the cache has rows below the rows in memory.
  public func hasMoreCached(_ name: TimelineName) -> Bool { entry(name).timeline.hasMoreCached }

  // MARK: Requests

  /// Fetches new rows, or joins a refresh in progress. If the user refreshes during a poll, the refresh's cause becomes
  /// ``Cause/userRefresh``.
  public func refresh(_ name: TimelineName, cause: Cause = .userRefresh) {
    var entry = entry(name)
    if entry.state.isRefreshing {
      if cause == .userRefresh { entries[name]?.refresh.cause = cause }
      return
    }
    entry.state.wasCancelled = false
    entry.refresh.cause = cause
    entry.refresh.phase = .waiting
    entries[name] = entry
    if !entry.state.isLoadingMore { startRefresh(name) }
    tellState(name)
  }

  private func startRefresh(_ name: TimelineName) {
    entries[name]?.refresh.phase = .running
    entries[name]?.refresh.isStreamed = streamed.contains(name)
    load(.timeline(name, limit: Self.pageSize).prioritized(priority(of: name)), of: name, for: .refresh)
  }

  /// Merges the newest page. If the page after it is needed first, fetches that page instead.
  func didLoadNewest(_ page: Page<Qwink>, of name: TimelineName) {
    // Don't prune after the first refresh: the first frame may be waiting to read the cache.
    if entries[name]?.state.refreshedAt != nil { pruneCache() }
    if let cursor = cursorToConfirmEnd(of: page, in: name) {
      load(.timelinePage(name, cursor), of: name, for: .confirmation(of: page))
    } else {
      merge(page, into: name)
    }
  }

  func didRefresh(_ name: TimelineName, isIdentified: Bool) {
    entries[name]?.refresh.phase = .none
    noteRefreshed(name, isFresh: isIdentified)
    fetchGapPage(name)
    tellState(name)
    refreshAgain(name)
    if isIdentified, !identity.isKnown { identity.identify() }
    for name in entries.keys { trim(name) }
  }

  /// Loads rows older than the last one: from the cache while it has more, then from the server.
  public func loadOlder(_ name: TimelineName) {
    let entry = entry(name)
    guard !entry.state.isLoadingMore else { return }
    if entry.timeline.hasMoreCached { return loadCachedBelow(name) }
    guard let cursor = entry.timeline.older, !entry.state.isRefreshing else { return }
    loadMore(name, at: cursor, for: .older(cursor))
    tellState(name)
  }

  /// Fetches the page at `cursor`, which belongs to a gap or the end of the list.
  func loadMore(_ name: TimelineName, at cursor: PageCursor, for purpose: PageDownload.Purpose) {
    entries[name]?.state.isLoadingMore = true
    entries[name]?.state.wasCancelled = false
    load(.timelinePage(name, cursor).prioritized(priority(of: name)), of: name, for: purpose)
  }

  func didLoadMore(_ name: TimelineName) {
    entries[name]?.state.isLoadingMore = false
    mergePending(name)
    if entries[name]?.gaps.filling == nil { entries[name]?.state.gap = nil }
    if entries[name]?.refresh.phase == .waiting { startRefresh(name) } else { fetchGapPage(name) }
    tellState(name)
  }

  /// Visible timelines are loaded first.
  private func priority(of name: TimelineName) -> RequestPriority {
    known(name).window.readers.contains { $0.object != nil && $0.isOnScreen } ? .onScreen : .usual
  }

  /// Cancels refreshes that are waiting for another page, and stops filling gaps.
  func dropWaiting() {
    for name in entries.keys {
      entries[name]?.gaps.filling = nil
      guard entries[name]?.refresh.phase == .waiting else { continue }
      entries[name]?.refresh.phase = .none
      entries[name]?.state.wasCancelled = true
    }
  }

  // MARK: Merging

  /// Merges the newest page, which ends a refresh.
  func merge(_ page: Page<Qwink>, into name: TimelineName) {
    _ = entry(name)
    take(page, at: .newest, into: name) { [weak self] change in
      guard let self, var entry = entries[name] else { return }
      entry.state.note(nil, at: connection.clock.now)
      entry.state.isComplete = entry.isComplete
      entry.gaps.leadsRightAbove = page.newer?.leadsRightAbove ?? entry.gaps.leadsRightAbove
      // Discard failed counts, so that they are attempted again.
      entry.gaps.counts = entry.gaps.counts.filter { $0.value != nil }
      let waiting = entry.waitingOwn
      entry.waitingOwn = []
      entries[name] = entry
      tell(change, name, entry.refresh.cause)
      for qwink in waiting { insertOwn(qwink, in: name) }
      didRefresh(name, isIdentified: true)
    }
  }

  /// Merges a page at the end of the list.
  func append(_ page: Page<Qwink>, at cursor: PageCursor, to name: TimelineName) {
    take(page, at: .at(cursor), into: name) { [weak self] change in
      guard let self, let entry = entries[name] else { return }
      entries[name]?.state.isComplete = entry.isComplete
      tell(change, name, .older)
      didLoadMore(name)
    }
  }

  // MARK: The store

  /// Returns a timeline's entry without loading rows from the cache, or an empty entry. A screen reads the timeline's
  /// state before it restores its position. If the first rows were loaded at that time, the work would be wasted.
  func known(_ name: TimelineName) -> Entry { entries[name] ?? Entry() }

  /// Returns a timeline's entry. The first call loads it from the cache.
  func entry(_ name: TimelineName) -> Entry {
    if let entry = entries[name] { return entry }
    var entry = Entry()
    let cached = cache.load(name, limit: Self.firstCachedPageSize)
    _ = entry.timeline.appendCached(cached.rows, older: cached.older, hasMore: cached.hasMore)
    entries[name] = entry
    return entry
  }

  /// Prunes the cache to its limits, at most once per ``pruneInterval``.
  private func pruneCache() {
    let now = connection.clock.now
    guard prunedAt.map({ now.timeIntervalSince($0) >= Self.pruneInterval }) ?? true else { return }
    prunedAt = now
    let lowest = entries.compactMapValues { $0.timeline.knownRows.last { $0.qwink != nil }?.qwink?.rowID }
    let limit = Self.pageSize
    cache.prune(to: cacheLimits, sparing: lowest) { id, name in
      PageCursor.older(than: id, in: name, limit: limit)
    }
  }

  // MARK: Notifying

  func tell(_ change: ListChange, _ name: TimelineName, _ cause: Cause) {
    guard !change.isEmpty else { return }
    connection.observers.forEach { $0.timelines(self, didChange: change, in: name, cause: cause) }
  }

  func tellState(_ name: TimelineName) {
    connection.observers.forEach { $0.timelines(self, didChangeStateOf: name) }
  }
}

extension Timelines: AccountObserver {
  /// Refreshes timelines that are offline, since a successful write shows that the server is reachable again.
  public func connectionDidWrite(_ connection: AccountConnection) {
    for (name, entry) in entries where entry.state.offlineSince != nil { refresh(name, cause: .poll) }
  }
}
