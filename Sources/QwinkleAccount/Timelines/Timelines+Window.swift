import FoundationEssentials
public import QwinkleModel
import QwinkleService
import QwinkleStore
import Timekeeping

/// Which rows of the cache are being read.
enum CachePart: Hashable {
  case above, below, edges
}

/// How much of a timeline stays in memory.
struct WindowLimits {
  /// Rows on either side of those that are read.
  var margin = 200
  /// Rows beyond the margin at which they go: more than come at a time.
  var slack = 100

  /// After nobody has read the timeline for a while.
  static let idle = WindowLimits(margin: 24, slack: 24)
}

/// Somebody who shows a timeline.
struct TimelineReader {
  weak var object: AnyObject?
  /// The rows that must stay in memory, with all between them.
  var rows: [Qwink.RowID]
  var isOnScreen: Bool
  /// Whether all rows must stay.
  var needsAll: Bool
}

/// A timeline in memory is a window of the rows in the cache: those around its readers. Rows further away come back
/// from the cache. While there are rows above the window, pages are merged in the cache alone, which has all rows, and
/// the window follows.
extension Timelines {
  /// Rows loaded from the cache above and below a place: few, as the first frame waits for them.
  private static let placeMargin = 3
  /// After this many seconds without a reader only few rows stay.
  private static let idleTime: Double = 300
  /// Rows that the first frame may wait for.
  private static let firstFrameRows = 60
  /// Maximum number of rows to load from the cache down to the last one of a page.
  private static let mostRowsToPage = 2000
  /// Maximum number of reads of the cache for one purpose, while the timeline changes during each of them.
  static let mostReads = 8

  // MARK: Moving

  /// Whether the cache has rows above those in memory.
  public func hasMoreAbove(_ name: TimelineName) -> Bool { entry(name).timeline.hasMoreAbove }

  /// The number of rows above those in memory; nil while they are counted.
  public func rowsAbove(_ name: TimelineName) -> Int? { known(name).rowsAbove }

  /// The number of rows below those in memory that were there before.
  public func rowsBelow(_ name: TimelineName) -> Int { known(name).rowsBelow }

  /// Loads the part of the cache around `rows`, if it has them and memory doesn't; around the first one if they are far
  /// apart. Reads few rows, at once: the first frame shows them.
  public func loadKept(_ name: TimelineName, around rows: [Qwink.RowID]) {
    let known = entries[name]?.timeline
    guard rows.contains(where: { known?.index(of: $0) == nil }), !hasSeveralReaders(name),
      let kept = cache?.load(name, around: rows, margin: Self.placeMargin, atLeast: Self.firstKeptPageSize)
    else { return }
    if entries[name] == nil { entries[name] = Entry() }
    show(kept, of: name)
  }

  /// Loads rows above the first one from the cache.
  public func loadNewer(_ name: TimelineName) {
    loadNewer(name) {}
  }

  private func loadNewer(_ name: TimelineName, then: @escaping @MainActor () -> Void) {
    guard entry(name).timeline.hasMoreAbove else { return }
    read(.above, of: name) { cache, timeline, then in
      cache.fetch(name, above: timeline.knownRows, limit: 2 * Self.keptPageSize, then: then)
    } then: { [weak self] (kept: KeptWindow?) in
      guard let self, entries[name]?.timeline.hasMoreAbove == true else { return }
      // Another program has written another list.
      guard let kept else { return showFirst(name) { _, _ in then() } }
      takeAbove(kept, of: name)
      then()
    } orElse: {
      then()
    }
  }

  private func takeAbove(_ kept: KeptWindow, of name: TimelineName) {
    guard let entry = entries[name] else { return }
    let change = entries[name]?.timeline.prependKept(kept.rows, hasMore: kept.hasMoreAbove) ?? ListChange()
    let came = (entries[name]?.timeline.rows.count ?? 0) - entry.timeline.rows.count
    entries[name]?.rowsAbove = kept.hasMoreAbove ? entry.rowsAbove.map { max(0, $0 - came) } : 0
    tell(change, name, .kept)
  }

  /// Loads the first rows of the cache for a list that nobody shows yet.
  public func open(_ name: TimelineName) {
    guard entry(name).timeline.hasMoreAbove, !entry(name).readers.contains(where: { $0.object != nil }),
      let kept = cache?.load(name, limit: Self.firstKeptPageSize)
    else { return }
    show(KeptWindow(kept), of: name)
  }

  /// Loads the first rows of the cache, unless they are in memory; then calls `then`, with whether others than those
  /// in memory are shown now, and a gap between them.
  public func showFirst(_ name: TimelineName, then: @escaping @MainActor (_ isElsewhere: Bool, PageCursor?) -> Void) {
    guard entry(name).timeline.hasMoreAbove else { return then(false, nil) }
    // What another reader shows stays.
    if hasSeveralReaders(name) { return loadNewer(name) { [weak self] in self?.showFirst(name, then: then) } }
    read(nil, of: name) { cache, timeline, then in
      cache.readFirst(name, above: timeline.knownRows, limit: Self.keptPageSize, then: then)
    } then: { [weak self] (kept: KeptWindow?) in
      guard let self, let kept else { return then(false, nil) }
      if kept.isNext {
        takeAbove(kept, of: name)
      } else {
        let entry = entry(name)
        let count = (entry.rowsAbove ?? 0) + entry.timeline.rows.count + entry.rowsBelow
        show(kept, of: name)
        entries[name]?.rowsBelow = kept.hasMore ? max(0, count - kept.rows.count) : 0
      }
      then(!kept.isNext, kept.passed)
    } orElse: {
      then(false, nil)
    }
  }

  /// Loads the last rows of the cache, unless they are in memory; then calls `then`, as ``showFirst(_:then:)`` does.
  public func showLast(_ name: TimelineName, then: @escaping @MainActor (_ isElsewhere: Bool, PageCursor?) -> Void) {
    guard entry(name).timeline.hasMoreKept, !hasSeveralReaders(name) else { return then(false, nil) }
    read(nil, of: name) { cache, timeline, then in
      cache.readLast(name, after: timeline.knownRows, limit: Self.keptPageSize, then: then)
    } then: { [weak self] (kept: KeptWindow?) in
      guard let self, let kept else { return then(false, nil) }
      if kept.isNext {
        append(KeptRows(kept), to: name)
      } else {
        show(kept, of: name)
      }
      then(!kept.isNext, kept.passed)
    } orElse: {
      then(false, nil)
    }
  }

  func hasSeveralReaders(_ name: TimelineName) -> Bool {
    entries[name]?.readers.count { $0.object != nil } ?? 0 > 1
  }

  /// Shows another part of the cache.
  private func show(_ kept: KeptWindow, of name: TimelineName) {
    let change =
      entries[name]?.timeline.setKept(
        kept.rows, hasMoreAbove: kept.hasMoreAbove, older: kept.older, hasMore: kept.hasMore) ?? ListChange()
    entries[name]?.rowsAbove = kept.hasMoreAbove ? nil : 0
    entries[name]?.rowsBelow = 0
    entries[name]?.noteComplete()
    tell(change, name, .kept)
    countAbove(name)
  }

  /// Loads rows below the last one from the cache: at once where the first frame waits for them.
  func loadKeptBelow(_ name: TimelineName) {
    guard let cache, let entry = entries[name] else { return }
    if entry.timeline.rows.count < Self.firstFrameRows, entry.reading.isEmpty, !cache.isSaving(name) {
      let kept = cache.load(name, after: entry.timeline.knownRows, limit: Self.keptPageSize)
      return takeBelow(kept, of: name)
    }
    read(.below, of: name) { cache, timeline, then in
      cache.fetch(name, after: timeline.knownRows, limit: Self.keptPageSize, then: then)
    } then: { [weak self] kept in
      self?.takeBelow(kept, of: name)
    }
  }

  private func takeBelow(_ kept: KeptRows, of name: TimelineName) {
    guard let entry = entries[name], entry.timeline.hasMoreKept else { return }
    append(kept, to: name)
    // The cache may have been pruned meanwhile.
    guard let timeline = entries[name]?.timeline, timeline.rows.count == entry.timeline.rows.count else { return }
    if !timeline.hasMoreKept { loadOlder(name) }
  }

  private func append(_ kept: KeptRows, to name: TimelineName) {
    guard let entry = entries[name] else { return }
    var rows = kept.rows
    if !kept.isAdjacent, let last = entry.timeline.knownRows.last(where: { $0.qwink != nil })?.qwink {
      // Another program has cached another list: what follows here is unknown.
      if let cursor = PageCursor.older(than: last.id, in: name, limit: Self.pageSize) {
        rows.insert(.gap(cursor), at: 0)
      } else {
        rows = []
      }
    }
    let change =
      entries[name]?.timeline.appendKept(rows, older: kept.older, hasMore: kept.hasMore && !rows.isEmpty)
      ?? ListChange()
    guard let after = entries[name] else { return }
    entries[name]?.rowsBelow = max(0, entry.rowsBelow - (after.timeline.rows.count - entry.timeline.rows.count))
    entries[name]?.state.isComplete = after.isComplete
    tell(change, name, .kept)
  }

  // MARK: Pages

  /// Merges a page into memory and cache, then calls `then` with what changed in memory.
  func take(
    _ page: Page<Qwink>, at place: PagePlace, into name: TimelineName,
    then: @escaping @MainActor (ListChange) -> Void
  ) {
    takeUpKept(downTo: page, of: name) { [weak self] in
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
    tell(states, name, .kept)
    let contentRevision = contentRevision
    cache.merge(page, at: place, in: name, showing: ShownWindow(timeline)) { [weak self] result in
      guard let self else { return }
      // What can't be kept is shown, as far as it belongs here.
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
        // The rows are in the cache. The next page shows them.
        then(ListChange())
      }
    }
  }

  /// Shows what the cache has now where the window is.
  private func follow(
    _ kept: KeptWindow?, of name: TimelineName, then: @escaping @MainActor (ListChange) -> Void
  ) {
    guard let kept else { return showFirst(name) { _, _ in then(ListChange()) } }
    let change =
      entries[name]?.timeline.setKept(
        kept.rows, hasMoreAbove: kept.hasMoreAbove, older: kept.older, hasMore: kept.hasMore, areNew: true)
      ?? ListChange()
    countAbove(name)
    then(change)
  }

  /// Loads cached rows down to a page's last one, so that they don't look new, and go if the page lacks them; then
  /// calls `then`.
  private func takeUpKept(downTo page: Page<Qwink>, of name: TimelineName, then: @escaping @MainActor () -> Void) {
    guard let timeline = entries[name]?.timeline, timeline.hasMoreKept, !timeline.hasMoreAbove else { return then() }
    let unknown = page.items.reversed().prefix { timeline.index(of: $0.rowID) == nil }.map(\.rowID)
    guard cache != nil, !unknown.isEmpty else { return then() }
    read(nil, of: name) { cache, timeline, then in
      cache.fetch(name, after: timeline.knownRows, downTo: unknown, limit: Self.mostRowsToPage, then: then)
    } then: { [weak self] kept in
      guard let self else { return }
      if !kept.rows.isEmpty, let timeline = entries[name]?.timeline, timeline.hasMoreKept, !timeline.hasMoreAbove {
        append(kept, to: name)
      }
      then()
    } orElse: {
      then()
    }
  }

  // MARK: Trimming

  /// Notes which rows somebody shows or has selected: these stay in memory, with those around them.
  public func note(
    _ reader: AnyObject, reads rows: [Qwink.RowID], isOnScreen: Bool, needsAll: Bool, in name: TimelineName
  ) {
    guard var entry = entries[name] else { return }
    entry.readers.removeAll { $0.object == nil || $0.object === reader }
    entry.readers.append(TimelineReader(object: reader, rows: rows, isOnScreen: isOnScreen, needsAll: needsAll))
    entries[name] = entry
    trim(name)
  }

  /// Forgets rows that are far from all readers, if the cache has them.
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
      tell(change, name, .kept)
    }
  }

  /// How many rows at the ends of a timeline may be forgotten; nil if too few for the effort.
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

  /// Counts the rows above the rows in memory. Counts again if the first row has changed during the count.
  func countAbove(_ name: TimelineName) {
    countAbove(name) { cache, timeline, then in cache.count(above: timeline.knownRows, in: name, then: then) }
  }

  /// The same with `count`, at most ``mostReads`` times.
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
      // A later count has begun.
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

  /// Calls `then` with the value from `fetch`. Fetches again if the timeline has changed during the fetch, and calls
  /// `orElse` if it changes each time. One read of a `part` runs at a time.
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
