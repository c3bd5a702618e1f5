public import QwinkleModel
import QwinkleService
import QwinkleStore

/// A part of a cached timeline. Only one read of each part is in progress at a time.
enum CachePart: Hashable {
  case above, below, edges
}

/// Only a part of a timeline's cached rows is in memory: the window, which contains the rows that views show and the
/// rows near them. Other rows are loaded from the cache when needed. A fetched page is merged into the cache first;
/// then the window is updated from the cache.
extension Timelines {
  /// Number of rows loaded from the cache above and below a restored position. Small, because the first frame waits for
  /// them.
  private static let placeMargin = 3
  /// Maximum number of rows for which the first frame waits.
  private static let firstFrameRows = 60
  /// Maximum number of attempts at one read of the cache (see ``read(_:of:by:then:orElse:attempt:)``).
  static let mostReads = 8

  // MARK: Moving

  /// Whether the cache has rows above the rows in memory.
  public func hasMoreAbove(_ name: TimelineName) -> Bool { entry(name).timeline.hasMoreAbove }

  /// The number of rows above the rows in memory, or nil while they are counted.
  public func rowsAbove(_ name: TimelineName) -> Int? { known(name).window.rowsAbove }

  /// The number of cached rows below the rows in memory, as far as known. The cache may have more.
  public func rowsBelow(_ name: TimelineName) -> Int { known(name).window.rowsBelow }

  /// Loads the cached rows around `rows`, unless all of `rows` are in memory or several views show the timeline. If
  /// `rows` are far apart, loads the rows around the first one that is cached. Reads synchronously, but only a few
  /// rows, because the first frame waits for them. If `isOldestFirst` is true, the first frame also needs rows above
  /// `rows`.
  public func loadCached(_ name: TimelineName, around rows: [Qwink.RowID], isOldestFirst: Bool = false) {
    let margin = isOldestFirst ? Self.firstCachedPageSize : Self.placeMargin
    let known = entries[name]?.timeline
    guard rows.contains(where: { known?.index(of: $0) == nil }), !hasSeveralReaders(name),
      let cached = cache.load(name, around: rows, margin: margin, atLeast: Self.firstCachedPageSize)
    else { return }
    if entries[name] == nil { entries[name] = Entry() }
    show(cached, of: name)
  }

  /// Whether the row of a read mark is in memory.
  public func isInMemory(_ mark: ReadMark, of name: TimelineName) -> Bool {
    entries[name]?.timeline.rows.hasRow(of: mark) ?? false
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
      guard let cached else { return hasSeveralReaders(name) ? then() : showFirst(name) { _, _ in then() } }
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
    entries[name]?.window.rowsAbove = cached.hasMoreAbove ? entry.window.rowsAbove.map { max(0, $0 - came) } : 0
    tell(change, name, .cache)
  }

  /// Loads the first cached rows of a timeline that isn't shown yet.
  public func open(_ name: TimelineName) {
    guard entry(name).timeline.hasMoreAbove, !entry(name).window.readers.contains(where: { $0.object != nil }) else {
      return
    }
    show(CachedWindow(cache.load(name, limit: Self.firstCachedPageSize)), of: name)
  }

  /// Shows the first cached rows unless they are in memory. Then calls `then` with two values: whether the rows in
  /// memory were replaced, and the cursor of a gap between the replaced and the new rows, if any.
  public func showFirst(_ name: TimelineName, then: @escaping @MainActor (_ isElsewhere: Bool, PageCursor?) -> Void) {
    guard entry(name).timeline.hasMoreAbove else { return then(false, nil) }
    // Don't replace rows that another reader shows.
    if hasSeveralReaders(name) { return loadNewer(name) { [weak self] in self?.showFirst(name, then: then) } }
    showEnd(name, isFirst: true, then: then)
  }

  /// Shows the last cached rows unless they are in memory. Calls `then` with the same values as ``showFirst(_:then:)``.
  public func showLast(_ name: TimelineName, then: @escaping @MainActor (_ isElsewhere: Bool, PageCursor?) -> Void) {
    guard entry(name).timeline.hasMoreCached, !hasSeveralReaders(name) else { return then(false, nil) }
    showEnd(name, isFirst: false, then: then)
  }

  private func showEnd(_ name: TimelineName, isFirst: Bool, then: @escaping @MainActor (Bool, PageCursor?) -> Void) {
    read(nil, of: name) { cache, timeline, then in
      let read = isFirst ? cache.readFirst : cache.readLast
      read(name, timeline.knownRows, Self.cachedPageSize, then)
    } then: { [weak self] (cached: CachedWindow?) in
      guard let self, let cached else { return then(false, nil) }
      if !cached.isNext {
        let entry = entry(name)
        let count = (entry.window.rowsAbove ?? 0) + entry.timeline.rows.count + entry.window.rowsBelow
        show(cached, of: name)
        entries[name]?.window.rowsBelow = cached.hasMore ? max(0, count - cached.rows.count) : 0
      } else if isFirst {
        adoptAbove(cached, of: name)
      } else {
        append(CachedRows(cached), to: name)
      }
      then(!cached.isNext, cached.passed)
    } orElse: {
      then(false, nil)
    }
  }

  func hasSeveralReaders(_ name: TimelineName) -> Bool {
    entries[name]?.window.readers.count { $0.object != nil } ?? 0 > 1
  }

  /// Replaces the rows in memory with rows from another part of the cache.
  private func show(_ cached: CachedWindow, of name: TimelineName) {
    let change =
      entries[name]?.timeline.setCached(
        cached.rows, hasMoreAbove: cached.hasMoreAbove, older: cached.older, hasMore: cached.hasMore) ?? ListChange()
    entries[name]?.window.rowsAbove = cached.hasMoreAbove ? nil : 0
    entries[name]?.window.rowsBelow = 0
    entries[name]?.noteComplete()
    tell(change, name, .cache)
    countAbove(name)
  }

  /// Loads rows below the last one from the cache. Does so synchronously if only a few rows are in memory, because the
  /// first frame may be waiting for them.
  func loadCachedBelow(_ name: TimelineName) {
    guard let entry = entries[name] else { return }
    if entry.timeline.rows.count < Self.firstFrameRows, entry.window.reading.isEmpty, !cache.isSaving(name) {
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
      // Another process has replaced the cached list, so the rows below the last known row are unknown. Insert a gap
      // there. If the gap can't have a cursor, add nothing.
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
    entries[name]?.window.rowsBelow = max(
      0, entry.window.rowsBelow - (after.timeline.rows.count - entry.timeline.rows.count))
    entries[name]?.state.isComplete = after.isComplete
    tell(change, name, .cache)
  }

  // MARK: Pages

  /// Merges a page into the cache, updates the rows in memory, and passes their change to `then`. Pages of a timeline
  /// are merged one after the other.
  func take(
    _ page: Page<Qwink>, at place: PagePlace, into name: TimelineName,
    then: @escaping @MainActor (ListChange) -> Void
  ) {
    guard let entry = entries[name] else { return then(ListChange()) }
    guard !entry.merges.isMerging else {
      entries[name]?.merges.waiting.append { [weak self] in self?.take(page, at: place, into: name, then: then) }
      return
    }
    entries[name]?.merges.isMerging = true
    merge(page, at: place, into: name, entry.timeline) { [weak self] change in
      self?.entries[name]?.merges.isMerging = false
      then(change)
      guard let self, entries[name]?.merges.isMerging == false else { return }
      if let next = entries[name]?.merges.takeNext() { next() }
    }
  }

  private func merge(
    _ page: Page<Qwink>, at place: PagePlace, into name: TimelineName, _ timeline: Timeline,
    then: @escaping @MainActor (ListChange) -> Void
  ) {
    let contentRevision = contentRevision
    cache.merge(page, at: place, in: name, showing: ShownWindow(timeline)) { [weak self] merged in
      guard let self else { return }
      entries[name]?.merges.count += 1
      guard let merged else { return then(ListChange()) }
      if case .newest = place, entries[name]?.timeline.hasMoreAbove == true, !merged.new.isEmpty {
        connection.observers.forEach { $0.timelines(self, didKeepNew: merged.new, in: name) }
      }
      if entries[name]?.timeline.revision == timeline.revision, self.contentRevision == contentRevision {
        return then(follow(merged.window, after: merged, page.items, newer: page.items, from: timeline, of: name))
      }
      // Rows of the page that were loaded since the page arrived may have been read before the merge.
      let loaded = Set(page.items.map(\.rowID).filter { timeline[$0] == nil })
      read(nil, of: name) { cache, now, then in
        cache.fetch(name, ShownWindow(now), rereading: loaded, then: then)
      } then: { [weak self] window in
        guard let self else { return }
        guard let window else { return then(ListChange()) }
        let reread = window.rows.compactMap(\.qwink).filter { loaded.contains($0.rowID) }
        // Ignore the page's version of rows that have changed since the page arrived.
        let newer = page.items.filter { item in
          let now = entries[name]?.timeline[item.rowID]
          return now != nil && now == timeline[item.rowID]
        }
        then(follow(window, after: merged, page.items, newer: newer + reread, from: timeline, of: name))
      } orElse: {
        // The timeline changed during every attempt. The rows are cached, so they will appear with the next page.
        then(ListChange())
      }
    }
  }

  /// Sets the rows in memory to rows read after a merge. `timeline` is the list before the merge, `items` are the items
  /// of the page, and `newer` the items that replace rows in memory. Returns the change.
  private func follow(
    _ window: CachedWindow, after merged: MergedPage, _ items: [Qwink], newer: [Qwink], from timeline: Timeline,
    of name: TimelineName
  ) -> ListChange {
    guard let entry = entries[name] else { return ListChange() }
    var state = merged.mergeState
    // Retain the user's posts that were inserted during the merge.
    let brought = Set(items.map(\.rowID))
    for (row, count) in entry.timeline.mergeState.own
    where timeline.mergeState.own[row] == nil && !brought.contains(row) { state.own[row] = count }
    let change =
      entries[name]?.timeline.setCached(
        window.rows, hasMoreAbove: window.hasMoreAbove, older: window.older, hasMore: window.hasMore, newer: newer,
        former: merged.former) ?? ListChange()
    entries[name]?.timeline.mergeState = state
    noteRowsBelow(name, since: entry, except: merged.new)
    countAbove(name)
    return change
  }

  /// Updates the number of rows below the rows in memory after rows were loaded below them. Ignores rows in `new`: they
  /// weren't cached before, so they weren't counted.
  private func noteRowsBelow(_ name: TimelineName, since former: Entry, except new: [Qwink.RowID]) {
    guard let timeline = entries[name]?.timeline, timeline.hasMoreCached else {
      entries[name]?.window.rowsBelow = 0
      return
    }
    let ids = Set(former.timeline.knownRows.map(\.id))
    let loaded = timeline.knownRows.reversed().prefix { !ids.contains($0.id) }
    let new = Set(new)
    let count = loaded.count { row in row.qwink.map { !new.contains($0.rowID) } ?? true }
    entries[name]?.window.rowsBelow = max(0, former.window.rowsBelow - count)
  }

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
    guard let timeline = entries[name]?.timeline else { return }
    entries[name]?.window.countings += 1
    let number = entries[name]?.window.countings
    guard timeline.hasMoreAbove else {
      entries[name]?.window.rowsAbove = 0
      return
    }
    count(cache, timeline) { [weak self] result in
      // Ignore the result if a later count has begun.
      guard let self, entries[name]?.window.countings == number, let now = entries[name]?.timeline, now.hasMoreAbove
      else {
        return
      }
      guard now.knownRows.first?.id == timeline.knownRows.first?.id else {
        if attempt < Self.mostReads { countAbove(name, by: count, attempt: attempt + 1) }
        return
      }
      if let result { entries[name]?.window.rowsAbove = result }
      connection.observers.forEach { $0.timelines(self, didCountRowsIn: name) }
    }
  }

  /// Calls `then` with the value from `fetch`. Fetches again if the timeline or the cache changes during the fetch, and
  /// calls `orElse` if that happens each time. Does nothing if a read of the same `part` is in progress.
  func read<Value: Sendable>(
    _ part: CachePart?, of name: TimelineName,
    by fetch: @escaping @MainActor (TimelineCache, Timeline, @escaping @MainActor @Sendable (Value) -> Void) -> Void,
    then: @escaping @MainActor (Value) -> Void, orElse: @escaping @MainActor () -> Void = {}, attempt: Int = 1
  ) {
    guard let entry = entries[name] else { return }
    if let part {
      guard !entry.window.reading.contains(part) else { return }
      entries[name]?.window.reading.insert(part)
    }
    let contentRevision = contentRevision
    fetch(cache, entry.timeline) { [weak self] value in
      guard let self else { return }
      if let part { entries[name]?.window.reading.remove(part) }
      guard let now = entries[name], now.timeline.revision == entry.timeline.revision,
        now.merges.count == entry.merges.count, self.contentRevision == contentRevision
      else {
        guard attempt < Self.mostReads else { return orElse() }
        return read(part, of: name, by: fetch, then: then, orElse: orElse, attempt: attempt + 1)
      }
      then(value)
    }
  }
}
