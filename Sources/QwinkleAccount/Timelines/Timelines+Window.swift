import FoundationEssentials
public import QwinkleModel
import QwinkleService
import QwinkleStore
import Timekeeping

/// A part of a cached timeline. Only one read of each part is in progress at a time.
enum CachePart: Hashable {
  case above, below, edges
}

/// Number of rows of a timeline that stay in memory.
struct WindowLimits {
  /// Number of rows that stay in memory above the first row in use, and below the last one.
  var margin = 200
  /// Number of rows beyond the margin that are tolerated before trimming starts. Larger than the number of rows added
  /// by one load, so that not every load is followed by trimming.
  var slack = 100

  /// Limits of a timeline that hasn't been visible for a while.
  static let idle = WindowLimits(margin: 24, slack: 24)
}

/// A view that shows a timeline, and the rows it uses.
struct TimelineReader {
  weak var object: AnyObject?
  /// Rows that must stay in memory, with all rows between them.
  var rows: [Qwink.RowID]
  var isOnScreen: Bool
  /// Whether all rows must stay in memory.
  var needsAll: Bool
}

/// A timeline in memory is a window of the cached rows: the rows around its readers' rows. Other rows are loaded from
/// the cache when needed. While there are cached rows above the window, a fetched page is merged into the cache first,
/// since only the cache has all rows; then the window is updated from the cache.
extension Timelines {
  /// Number of rows loaded from the cache above and below a restored position. Small, because the first frame waits for
  /// them.
  private static let placeMargin = 3
  /// Seconds without a visible reader before the window shrinks to ``WindowLimits/idle``.
  private static let idleTime: Double = 300
  /// Maximum number of rows for which the first frame waits.
  private static let firstFrameRows = 60
  /// Maximum number of cached rows to load in order to reach the last row of a fetched page.
  private static let mostRowsToPage = 2000
  /// Maximum number of attempts at one read of the cache. A read is repeated if the timeline changes during the read.
  static let mostReads = 8

  // MARK: Moving

  /// Whether the cache has rows above the rows in memory.
  public func hasMoreAbove(_ name: TimelineName) -> Bool { entry(name).timeline.hasMoreAbove }

  /// The number of rows above the rows in memory, or nil while they are counted.
  public func rowsAbove(_ name: TimelineName) -> Int? { known(name).rowsAbove }

  /// The number of known rows below the rows in memory.
  public func rowsBelow(_ name: TimelineName) -> Int { known(name).rowsBelow }

  /// Loads the cached rows around `rows` unless all of `rows` are in memory. If `rows` are far apart, loads the rows
  /// around the first one. Reads synchronously, because the first frame shows the rows, and therefore reads only a few.
  public func loadCached(_ name: TimelineName, around rows: [Qwink.RowID]) {
    let known = entries[name]?.timeline
    guard rows.contains(where: { known?.index(of: $0) == nil }), !hasSeveralReaders(name),
      let cached = cache?.load(name, around: rows, margin: Self.placeMargin, atLeast: Self.firstCachedPageSize)
    else { return }
    if entries[name] == nil { entries[name] = Entry() }
    show(cached, of: name)
  }

  /// Loads rows above the first one from the cache.
  public func loadNewer(_ name: TimelineName) {
    loadNewer(name) {}
  }

  private func loadNewer(_ name: TimelineName, then: @escaping @MainActor () -> Void) {
    guard entry(name).timeline.hasMoreAbove else { return }
    read(.above, of: name) { cache, timeline, then in
      cache.fetch(name, above: timeline.knownRows, limit: 2 * Self.cachedPageSize, then: then)
    } then: { [weak self] (cached: CachedWindow?) in
      guard let self, entries[name]?.timeline.hasMoreAbove == true else { return }
      // Another process has replaced the cached list, so the rows in memory have no position in it.
      guard let cached else { return showFirst(name) { _, _ in then() } }
      adoptAbove(cached, of: name)
      then()
    } orElse: {
      then()
    }
  }

  private func adoptAbove(_ cached: CachedWindow, of name: TimelineName) {
    guard let entry = entries[name] else { return }
    let change = entries[name]?.timeline.prependCached(cached.rows, hasMore: cached.hasMoreAbove) ?? ListChange()
    let came = (entries[name]?.timeline.rows.count ?? 0) - entry.timeline.rows.count
    entries[name]?.rowsAbove = cached.hasMoreAbove ? entry.rowsAbove.map { max(0, $0 - came) } : 0
    tell(change, name, .cache)
  }

  /// Loads the first cached rows of a timeline that isn't shown yet.
  public func open(_ name: TimelineName) {
    guard entry(name).timeline.hasMoreAbove, !entry(name).readers.contains(where: { $0.object != nil }),
      let cached = cache?.load(name, limit: Self.firstCachedPageSize)
    else { return }
    show(CachedWindow(cached), of: name)
  }

  /// Shows the first cached rows unless they are in memory. Then calls `then` with two values: whether the rows in
  /// memory were replaced, and the cursor of a gap between the replaced and the new rows, if any.
  public func showFirst(_ name: TimelineName, then: @escaping @MainActor (_ isElsewhere: Bool, PageCursor?) -> Void) {
    guard entry(name).timeline.hasMoreAbove else { return then(false, nil) }
    // Don't replace rows that another reader shows.
    if hasSeveralReaders(name) { return loadNewer(name) { [weak self] in self?.showFirst(name, then: then) } }
    read(nil, of: name) { cache, timeline, then in
      cache.readFirst(name, above: timeline.knownRows, limit: Self.cachedPageSize, then: then)
    } then: { [weak self] (cached: CachedWindow?) in
      guard let self, let cached else { return then(false, nil) }
      if cached.isNext {
        adoptAbove(cached, of: name)
      } else {
        let entry = entry(name)
        let count = (entry.rowsAbove ?? 0) + entry.timeline.rows.count + entry.rowsBelow
        show(cached, of: name)
        entries[name]?.rowsBelow = cached.hasMore ? max(0, count - cached.rows.count) : 0
      }
      then(!cached.isNext, cached.passed)
    } orElse: {
      then(false, nil)
    }
  }

  /// Shows the last cached rows unless they are in memory. Calls `then` with the same values as ``showFirst(_:then:)``.
  public func showLast(_ name: TimelineName, then: @escaping @MainActor (_ isElsewhere: Bool, PageCursor?) -> Void) {
    guard entry(name).timeline.hasMoreCached, !hasSeveralReaders(name) else { return then(false, nil) }
    read(nil, of: name) { cache, timeline, then in
      cache.readLast(name, after: timeline.knownRows, limit: Self.cachedPageSize, then: then)
    } then: { [weak self] (cached: CachedWindow?) in
      guard let self, let cached else { return then(false, nil) }
      if cached.isNext {
        append(CachedRows(cached), to: name)
      } else {
        show(cached, of: name)
      }
      then(!cached.isNext, cached.passed)
    } orElse: {
      then(false, nil)
    }
  }

  func hasSeveralReaders(_ name: TimelineName) -> Bool {
    entries[name]?.readers.count { $0.object != nil } ?? 0 > 1
  }

  /// Replaces the rows in memory with rows from another part of the cache.
  private func show(_ cached: CachedWindow, of name: TimelineName) {
    let change =
      entries[name]?.timeline.setCached(
        cached.rows, hasMoreAbove: cached.hasMoreAbove, older: cached.older, hasMore: cached.hasMore) ?? ListChange()
    entries[name]?.rowsAbove = cached.hasMoreAbove ? nil : 0
    entries[name]?.rowsBelow = 0
    entries[name]?.noteComplete()
    tell(change, name, .cache)
    countAbove(name)
  }

  /// Loads rows below the last one from the cache. Does so synchronously if only a few rows are in memory, because the
  /// first frame may be waiting for them.
  func loadCachedBelow(_ name: TimelineName) {
    guard let cache, let entry = entries[name] else { return }
    if entry.timeline.rows.count < Self.firstFrameRows, entry.reading.isEmpty, !cache.isSaving(name) {
      let cached = cache.load(name, after: entry.timeline.knownRows, limit: Self.cachedPageSize)
      return adoptBelow(cached, of: name)
    }
    read(.below, of: name) { cache, timeline, then in
      cache.fetch(name, after: timeline.knownRows, limit: Self.cachedPageSize, then: then)
    } then: { [weak self] cached in
      self?.adoptBelow(cached, of: name)
    }
  }

  private func adoptBelow(_ cached: CachedRows, of name: TimelineName) {
    guard let entry = entries[name], entry.timeline.hasMoreCached else { return }
    append(cached, to: name)
    // If no row was added, the cache may have been pruned in the meantime. Ask the server instead.
    guard let timeline = entries[name]?.timeline, timeline.rows.count == entry.timeline.rows.count else { return }
    if !timeline.hasMoreCached { loadOlder(name) }
  }

  private func append(_ cached: CachedRows, to name: TimelineName) {
    guard let entry = entries[name] else { return }
    var rows = cached.rows
    if !cached.isAdjacent, let last = entry.timeline.knownRows.last(where: { $0.qwink != nil })?.qwink {
      // Another process has replaced the cached list, so the rows below the last known row are unknown.
      if let cursor = PageCursor.older(than: last.id, in: name, limit: Self.pageSize) {
        rows.insert(.gap(cursor), at: 0)
      } else {
        rows = []
      }
    }
    let change =
      entries[name]?.timeline.appendCached(rows, older: cached.older, hasMore: cached.hasMore && !rows.isEmpty)
      ?? ListChange()
    guard let after = entries[name] else { return }
    entries[name]?.rowsBelow = max(0, entry.rowsBelow - (after.timeline.rows.count - entry.timeline.rows.count))
    entries[name]?.state.isComplete = after.isComplete
    tell(change, name, .cache)
  }

  // MARK: Pages

  /// Merges a page into memory and the cache, then calls `then` with the change in memory.
  func take(
    _ page: Page<Qwink>, at place: PagePlace, into name: TimelineName,
    then: @escaping @MainActor (ListChange) -> Void
  ) {
    restoreCached(downTo: page, of: name) { [weak self] in
      guard let self else { return }
      guard let cache, entries[name]?.timeline.hasMoreAbove == true else {
        let change = mergeInMemory(page, at: place, into: name)
        switch place {
        case .newest: cache?.mergeNewest(page, in: name)
        case .at(let cursor): cache?.merge(page, at: cursor, in: name)
        case .above(let cursor): cache?.mergeUpwards(page, at: cursor, in: name)
        }
        return then(change)
      }
      mergeInCache(cache, page, at: place, into: name, then: then)
    }
  }

  private func mergeInMemory(_ page: Page<Qwink>, at place: PagePlace, into name: TimelineName) -> ListChange {
    guard var timeline = entries[name]?.timeline else { return ListChange() }
    let change =
      switch place {
      case .newest: timeline.mergeNewest(page)
      case .at(let cursor) where timeline.knownRows.contains(.gap(cursor)): timeline.fillGap(cursor, with: page)
      case .at(let cursor): timeline.older == cursor ? timeline.appendOlder(page) : ListChange()
      case .above(let cursor): timeline.fillGapUpwards(cursor, with: page)
      }
    entries[name]?.timeline = timeline
    return change
  }

  private func mergeInCache(
    _ cache: TimelineCache, _ page: Page<Qwink>, at place: PagePlace, into name: TimelineName,
    then: @escaping @MainActor (ListChange) -> Void
  ) {
    guard let states = entries[name]?.timeline.update(page.items), let timeline = entries[name]?.timeline else {
      return then(ListChange())
    }
    tell(states, name, .cache)
    let contentRevision = contentRevision
    cache.merge(page, at: place, in: name, showing: ShownWindow(timeline)) { [weak self] result in
      guard let self else { return }
      // The page couldn't be cached. Merge it in memory, so that its rows in this window are shown.
      guard let result else { return then(mergeInMemory(page, at: place, into: name)) }
      if case .newest = place, !result.new.isEmpty {
        connection.observers.forEach { $0.timelines(self, didKeepNew: result.new, in: name) }
      }
      if entries[name]?.timeline.revision == timeline.revision, self.contentRevision == contentRevision {
        return follow(result.window, of: name, then: then)
      }
      read(nil, of: name) { cache, timeline, then in
        cache.fetch(name, ShownWindow(timeline), then: then)
      } then: { [weak self] in
        self?.follow($0, of: name, then: then)
      } orElse: {
        // The timeline changed during every attempt. The rows are cached, so they will appear with the next page.
        then(ListChange())
      }
    }
  }

  /// Sets the window to the rows read from the cache after a merge, or shows the first rows if the cached list was
  /// replaced.
  private func follow(
    _ cached: CachedWindow?, of name: TimelineName, then: @escaping @MainActor (ListChange) -> Void
  ) {
    guard let cached else { return showFirst(name) { _, _ in then(ListChange()) } }
    let change =
      entries[name]?.timeline.setCached(
        cached.rows, hasMoreAbove: cached.hasMoreAbove, older: cached.older, hasMore: cached.hasMore, areNew: true)
      ?? ListChange()
    countAbove(name)
    then(change)
  }

  /// Loads cached rows down to the last row of a page before the page is merged, then calls `then`. Without this, rows
  /// of the page that are already cached would look new, and cached rows that are missing from the page would not be
  /// removed.
  private func restoreCached(downTo page: Page<Qwink>, of name: TimelineName, then: @escaping @MainActor () -> Void) {
    guard let timeline = entries[name]?.timeline, timeline.hasMoreCached, !timeline.hasMoreAbove else { return then() }
    let unknown = page.items.reversed().prefix { timeline.index(of: $0.rowID) == nil }.map(\.rowID)
    guard cache != nil, !unknown.isEmpty else { return then() }
    read(nil, of: name) { cache, timeline, then in
      cache.fetch(name, after: timeline.knownRows, downTo: unknown, limit: Self.mostRowsToPage, then: then)
    } then: { [weak self] cached in
      guard let self else { return }
      if !cached.rows.isEmpty, let timeline = entries[name]?.timeline, timeline.hasMoreCached, !timeline.hasMoreAbove {
        append(cached, to: name)
      }
      then()
    } orElse: {
      then()
    }
  }

  // MARK: Trimming

  /// Records the rows that a reader shows or has selected. They stay in memory, with the rows around them.
  public func note(
    _ reader: AnyObject, reads rows: [Qwink.RowID], isOnScreen: Bool, needsAll: Bool, in name: TimelineName
  ) {
    guard var entry = entries[name] else { return }
    entry.readers.removeAll { $0.object == nil || $0.object === reader }
    entry.readers.append(TimelineReader(object: reader, rows: rows, isOnScreen: isOnScreen, needsAll: needsAll))
    entries[name] = entry
    trim(name)
  }

  /// Removes rows that are far from all readers' rows from memory, if the rows are cached.
  func trim(_ name: TimelineName) {
    guard entries[name]?.reading.contains(.edges) == false, spare(name) != nil else { return }
    read(.edges, of: name) { cache, timeline, then in
      cache.checkHolds(timeline.knownRows, of: name, then: then)
    } then: { [weak self] isHeld in
      guard let self, isHeld, let spare = spare(name), let entry = entries[name] else { return }
      let change = entries[name]?.timeline.trim(above: spare.above, below: spare.below) ?? ListChange()
      if spare.above > 0 { entries[name]?.rowsAbove = entry.rowsAbove.map { $0 + spare.above } }
      entries[name]?.rowsBelow += spare.below
      entries[name]?.noteComplete()
      tell(change, name, .cache)
    }
  }

  /// Returns the number of rows that can be removed at each end, or nil if there are too few to be worthwhile.
  private func spare(_ name: TimelineName) -> (above: Int, below: Int)? {
    guard cache != nil, var entry = entries[name], entry.timeline.knownRows.count > WindowLimits.idle.margin,
      !entry.state.isLoadingMore, entry.filling == nil, entry.waitingOwn.isEmpty
    else { return nil }
    entry.readers.removeAll { $0.object == nil }
    if entry.readers.contains(where: \.isOnScreen) { entry.leftAt = nil } else { entry.leftAt = entry.leftAt ?? now }
    entries[name] = entry
    let isIdle = entry.leftAt.map { now.timeIntervalSince($0) >= Self.idleTime } ?? false
    let (margin, slack) = isIdle ? (WindowLimits.idle.margin, WindowLimits.idle.slack) : (limits.margin, limits.slack)
    let known = entry.timeline.knownRows
    guard known.count > margin + slack, !entry.readers.contains(where: \.needsAll) else { return nil }
    let read = Set(entry.readers.flatMap(\.rows))
    let indices = known.indices.filter { known[$0].qwink.map { read.contains($0.rowID) } ?? false }
    let above = entry.timeline.hasOwn ? 0 : (indices.first ?? 0) - margin
    let below = known.count - 1 - (indices.last ?? 0) - margin
    guard above > slack || below > slack else { return nil }
    return (above > slack ? above : 0, below > slack ? below : 0)
  }

  private var now: Date { connection.clock.now }

  // MARK: The cache

  /// Counts the cached rows above the rows in memory. Counts again if the first row changes during the count.
  func countAbove(_ name: TimelineName) {
    countAbove(name) { cache, timeline, then in cache.count(above: timeline.knownRows, in: name, then: then) }
  }

  /// Counts the rows above with `count`. Retries if the first row changes, up to ``mostReads`` attempts.
  func countAbove(
    _ name: TimelineName,
    by count: @escaping @MainActor (TimelineCache, Timeline, @escaping @MainActor @Sendable (Int?) -> Void) -> Void,
    attempt: Int = 1
  ) {
    guard let cache, let timeline = entries[name]?.timeline else { return }
    entries[name]?.countings += 1
    let number = entries[name]?.countings
    guard timeline.hasMoreAbove else {
      entries[name]?.rowsAbove = 0
      return
    }
    count(cache, timeline) { [weak self] result in
      // Ignore the result if a later count has begun.
      guard let self, entries[name]?.countings == number, let now = entries[name]?.timeline, now.hasMoreAbove else {
        return
      }
      guard now.knownRows.first?.id == timeline.knownRows.first?.id else {
        if attempt < Self.mostReads { countAbove(name, by: count, attempt: attempt + 1) }
        return
      }
      if let result { entries[name]?.rowsAbove = result }
      connection.observers.forEach { $0.timelines(self, didCountRowsIn: name) }
    }
  }

  /// Calls `then` with the value from `fetch`. Fetches again if the timeline changes during the fetch, and calls
  /// `orElse` if it changes each time. Only one read of a `part` runs at a time.
  func read<Value: Sendable>(
    _ part: CachePart?, of name: TimelineName,
    by fetch: @escaping @MainActor (TimelineCache, Timeline, @escaping @MainActor @Sendable (Value) -> Void) -> Void,
    then: @escaping @MainActor (Value) -> Void, orElse: @escaping @MainActor () -> Void = {}, attempt: Int = 1
  ) {
    guard let cache, let entry = entries[name] else { return }
    if let part {
      guard !entry.reading.contains(part) else { return }
      entries[name]?.reading.insert(part)
    }
    let (revision, contentRevision) = (entry.timeline.revision, contentRevision)
    fetch(cache, entry.timeline) { [weak self] value in
      guard let self else { return }
      if let part { entries[name]?.reading.remove(part) }
      guard entries[name]?.timeline.revision == revision, self.contentRevision == contentRevision else {
        guard attempt < Self.mostReads else { return orElse() }
        return read(part, of: name, by: fetch, then: then, orElse: orElse, attempt: attempt + 1)
      }
      then(value)
    }
  }
}
