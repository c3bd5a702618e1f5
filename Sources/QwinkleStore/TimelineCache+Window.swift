import Foundation
import GRDB
public import QwinkleModel
import Timekeeping

/// Consecutive rows of a cached timeline, from any position.
public struct CachedWindow: Sendable {
  public var rows: [Timeline.Row] = []
  /// Whether more rows are cached above these.
  public var hasMoreAbove = false
  /// Whether more rows are cached below these.
  public var hasMore = false
  /// Cursor for fetching rows older than the last cached one.
  public var older: PageCursor?
  /// Whether these are all the cached rows between the rows in memory and an end of the list, so that they can be added
  /// to the rows in memory.
  public var isNext = false
  /// Cursor of the gap nearest to the rows in memory, in the direction of these rows. A gap is a range of rows that
  /// haven't been fetched. Nil if ``isNext`` is true or there is no such gap.
  public var passed: PageCursor?
}

extension CachedRows {
  /// Creates rows from a window that follows the rows in memory.
  public init(_ window: CachedWindow) {
    self.init(rows: window.rows, hasMore: window.hasMore, older: window.older)
  }
}

extension CachedWindow {
  /// Creates a window from the first rows of the timeline.
  public init(_ rows: CachedRows) {
    self.init(rows: rows.rows, hasMore: rows.hasMore, older: rows.older)
  }
}

/// The part of a cached timeline that a list has in memory.
public struct ShownWindow: Sendable {
  public var rows: [Timeline.Row]
  public var hasMoreAbove: Bool
  public var hasMore: Bool
  public var older: PageCursor?
  /// The state after the list's earlier merges.
  public var mergeState: MergeState<Qwink.RowID>

  /// Creates the window of a list in memory.
  public init(_ timeline: Timeline = Timeline()) {
    rows = timeline.knownRows
    hasMoreAbove = timeline.hasMoreAbove
    hasMore = timeline.hasMoreCached
    older = timeline.older
    mergeState = timeline.mergeState
  }
}

/// The result of merging a page into a cached timeline.
public struct MergedPage: Sendable {
  /// The rows that the list shows now. If none of its former rows is cached, these are the first rows of the timeline.
  public var window: CachedWindow
  /// The rows of the page that weren't cached before.
  public var new: [Qwink.RowID] = []
  /// The rows of the page that were already cached below the list's rows.
  public var former: Set<Qwink.RowID> = []
  /// The state for the next merge.
  public var mergeState: MergeState<Qwink.RowID>
}

/// The position of a page in a timeline.
public enum PagePlace: Sendable {
  case newest
  /// In a gap or at the end of the list. Each of them has a cursor, which identifies it.
  case at(PageCursor)
  /// At the lower end of a gap.
  case above(PageCursor)
}

/// Methods that read and change a timeline of which only a part is in memory. They run in the background, after pending
/// writes of the timeline, and the activity ledger lists them as work in progress. Methods that run "at once" block the
/// caller instead.
extension TimelineCache {
  /// Returns at once the cached rows from the topmost to the lowest of `rows`, with `margin` more rows above and below,
  /// and at least `atLeast` rows in all, or fewer if the cached timeline ends before. If `rows` are far apart, returns
  /// only the rows around the first of them that is cached. Returns nil if no row in `rows` is cached.
  public func load(_ name: TimelineName, around rows: [Qwink.RowID], margin: Int, atLeast: Int) -> CachedWindow? {
    let window = read { database in
      try CachedTimeline(name: name.key, database: database, now: 0)
        .rows(around: rows, margin: margin, atLeast: atLeast)
    }
    return window ?? nil
  }

  /// Returns the cached qwinks of `rows` after waiting for pending writes. Nil if the file can't be read.
  public func load(_ rows: [Qwink.RowID], of name: TimelineName) -> [Qwink]? {
    read(after: [.timeline(name), .content]) { database in
      try CachedTimeline(name: name.key, database: database, now: 0).qwinks(rows)
    }
  }

  /// Fetches rows after `rows`. ``CachedRows/isAdjacent`` is false if the last of `rows` isn't cached any more. A short
  /// read (`isShort`) can run on the main connection, where blocking reads may have to wait for it.
  public func fetch(
    _ name: TimelineName, after rows: [Timeline.Row], limit: Int, isShort: Bool = false,
    then: @escaping @MainActor @Sendable (CachedRows) -> Void
  ) {
    fetch(name, isShort: isShort, { try $0.rows(after: rows, limit: limit) }, then: { then($0 ?? CachedRows()) })
  }

  /// Fetches the rows right above `rows`. Calls `then` with nil if no row in `rows` is still cached.
  public func fetch(
    _ name: TimelineName, above rows: [Timeline.Row], limit: Int,
    then: @escaping @MainActor @Sendable (CachedWindow?) -> Void
  ) {
    fetch(name, { try $0.rows(above: rows, limit: limit) }, then: { then($0 ?? nil) })
  }

  /// Reads the first `limit` rows of the timeline. If at most `limit` rows are cached above `rows`, reads all of these
  /// instead. Runs at once if no write of the timeline is pending, otherwise in the background.
  @MainActor
  public func readFirst(
    _ name: TimelineName, above rows: [Timeline.Row], limit: Int,
    then: @escaping @MainActor @Sendable (CachedWindow?) -> Void
  ) {
    readSoon(name, { try $0.firstRows(above: rows, limit: limit) }, then: then)
  }

  /// Reads the last `limit` rows of the timeline. If at most `limit` rows are cached after `rows`, reads all of these
  /// instead. Runs at once if no write of the timeline is pending, otherwise in the background.
  @MainActor
  public func readLast(
    _ name: TimelineName, after rows: [Timeline.Row], limit: Int,
    then: @escaping @MainActor @Sendable (CachedWindow?) -> Void
  ) {
    readSoon(name, { try $0.lastRows(after: rows, limit: limit) }, then: then)
  }

  /// Fetches the rows that the list `shown` has after a change to the file. Calls `then` with nil if the file can't be
  /// read.
  ///
  /// - Parameter outdated: Rows whose content is read even if `shown` has them. Other rows of `shown` keep their
  ///   content.
  public func fetch(
    _ name: TimelineName, _ shown: ShownWindow, rereading outdated: Set<Qwink.RowID>,
    then: @escaping @MainActor @Sendable (CachedWindow?) -> Void
  ) {
    fetch(name, { try $0.window(shown, rereading: outdated) }, then: then)
  }

  /// Checks whether all `rows` are cached in the same order.
  public func checkHolds(
    _ rows: [Timeline.Row], of name: TimelineName, then: @escaping @MainActor @Sendable (Bool) -> Void
  ) {
    fetch(name, { try $0.holds(rows) }, then: { then($0 ?? false) })
  }

  /// Counts the rows above the first of `rows`. Nil if that row isn't cached.
  public func count(
    above rows: [Timeline.Row], in name: TimelineName, then: @escaping @MainActor @Sendable (Int?) -> Void
  ) {
    fetch(name, { try $0.count(above: rows) }, then: { then($0 ?? nil) })
  }

  /// Saves a page. Then calls `then` with the rows that the list `shown` has now. If saving fails, merges the page into
  /// the rows of `shown` alone, or calls `then` with nil if the page belongs above these rows.
  public func merge(
    _ page: Page<Qwink>, at place: PagePlace, in name: TimelineName, showing shown: ShownWindow = ShownWindow(),
    then: @escaping @MainActor @Sendable (MergedPage?) -> Void = { _ in }
  ) {
    let stored = Self.cached(page)
    let now = clock.now.timeIntervalSince1970
    let activity = ledger.begin("save a page")
    let merge: @Sendable (Database) throws -> MergedPage = { database in
      try CachedTimeline(name: name.key, database: database, now: now)
        .merge(page, stored, at: place, showing: shown)
    }
    write(about: .timeline(name), merge) { saved in
      let merged = saved ?? Self.merge(at: place, in: name, showing: shown, by: merge)
      Task { @MainActor in
        then(merged)
        activity.end()
      }
    }
  }

  /// Merges a page into a copy of the rows of `shown`.
  private static func merge(
    at place: PagePlace, in name: TimelineName, showing shown: ShownWindow,
    by merge: (Database) throws -> MergedPage
  ) -> MergedPage? {
    if case .newest = place, shown.hasMoreAbove { return nil }
    return try? CacheDatabase.openInMemory().write { database in
      try CachedTimeline(name: name.key, database: database, now: 0).copy(shown)
      return try merge(database)
    }
  }

  /// Reads a few rows at once, so that the next drawn frame shows them. If a write of the timeline is pending, reads
  /// them in the background.
  @MainActor
  private func readSoon(
    _ name: TimelineName, _ body: @escaping @Sendable (CachedTimeline) throws -> CachedWindow,
    then: @escaping @MainActor @Sendable (CachedWindow?) -> Void
  ) {
    if isSaving(name) { return fetch(name, body, then: then) }
    then(read { try body(CachedTimeline(name: name.key, database: $0, now: 0)) })
  }

  private func fetch<Value: Sendable>(
    _ name: TimelineName, isShort: Bool = false, _ body: @escaping @Sendable (CachedTimeline) throws -> Value,
    then: @escaping @MainActor @Sendable (Value?) -> Void
  ) {
    fetch("read cached rows", after: [.timeline(name), .content], isShort: isShort) { database in
      try body(CachedTimeline(name: name.key, database: database, now: 0))
    } then: {
      then($0)
    }
  }
}

extension CachedTimeline {
  /// Merges a page. `stored` is the same page in the form in which the file stores it. Returns the rows that the list
  /// `shown` has now.
  fileprivate func merge(
    _ page: Page<Qwink>, _ stored: Page<CachedElement>, at place: PagePlace, showing shown: ShownWindow
  ) throws -> MergedPage {
    let before = try positions(of: shown.rows)
    let bottom = before.compactMap(\.self).min() ?? Int.max
    var (new, former): ([Qwink.RowID], Set<Qwink.RowID>) = ([], [])
    for item in page.items {
      guard let position = try position(of: CachedElement.key(of: item.rowID)) else {
        new.append(item.rowID)
        continue
      }
      if position < bottom { former.insert(item.rowID) }
    }
    var state = shown.mergeState.map(CachedElement.key(of:))
    try merge(stored, at: place, &state)
    return MergedPage(
      window: try window(shown, before: before, over: page.items),
      new: new, former: former, mergeState: state.map(CachedElement.row(ofKey:)))
  }
}
