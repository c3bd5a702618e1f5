import Foundation
public import QwinkleModel
import Timekeeping

/// A part of a cached timeline.
public struct CachedWindow: Sendable {
  public var rows: [Timeline.Row] = []
  /// Whether more rows are cached above these.
  public var hasMoreAbove = false
  /// Whether more rows are cached below these.
  public var hasMore = false
  /// Cursor to rows older than the last cached one.
  public var older: PageCursor?
  /// Whether these are all the rows between the rows in memory and an end of the list.
  public var isNext = false
  /// Cursor of a gap between these rows and the rows in memory.
  public var passed: PageCursor?
}

extension CachedRows {
  /// Creates rows that follow the rows in memory.
  public init(_ window: CachedWindow) {
    self.init(rows: window.rows, hasMore: window.hasMore, older: window.older)
  }
}

extension CachedWindow {
  /// Creates a window at the top of the timeline.
  public init(_ rows: CachedRows) {
    self.init(rows: rows.rows, hasMore: rows.hasMore, older: rows.older)
  }
}

/// The part of a cached timeline that a list has in memory.
public struct ShownWindow: Sendable {
  public var rows: [Timeline.Row]
  public var hasMoreAbove: Bool
  public var hasMore: Bool

  public init(_ timeline: Timeline) {
    rows = timeline.knownRows
    hasMoreAbove = timeline.hasMoreAbove
    hasMore = timeline.hasMoreCached
  }
}

/// The position of a page in a timeline.
public enum PagePlace: Sendable {
  case newest
  /// A gap or the end of the list, by its cursor.
  case at(PageCursor)
  /// A gap that is filled from below.
  case above(PageCursor)
}

/// Reading and changing a timeline that is only partly in memory. Methods run in the background, after pending writes
/// of the timeline, and are recorded in the ledger. Methods that run "at once" block the caller instead.
extension TimelineCache {
  /// Returns at once the rows between the outermost of `rows`, with `margin` more on both sides, and at least `atLeast`
  /// in all. If `rows` are far apart or partly uncached, returns the rows around the first cached one. Nil if no row in
  /// `rows` is cached.
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

  /// Fetches rows after `rows`. ``CachedRows/isAdjacent`` is false if `rows` aren't cached any more. If `isShort` is
  /// true, a blocking read may wait for this one, so no extra connection is opened.
  public func fetch(
    _ name: TimelineName, after rows: [Timeline.Row], limit: Int, isShort: Bool = false,
    then: @escaping @MainActor @Sendable (CachedRows) -> Void
  ) {
    fetch(name, isShort: isShort, { try $0.rows(after: rows, limit: limit) }, then: { then($0 ?? CachedRows()) })
  }

  /// Fetches the rows after `rows` down to the lowest of `ends` that is among the next `limit` rows. The result is
  /// empty if none is.
  public func fetch(
    _ name: TimelineName, after rows: [Timeline.Row], downTo ends: [Qwink.RowID], limit: Int,
    then: @escaping @MainActor @Sendable (CachedRows) -> Void
  ) {
    fetch(name, { try $0.rows(after: rows, downTo: ends, limit: limit) }, then: { then($0 ?? CachedRows()) })
  }

  /// Fetches the rows right above `rows`. Nil if no row in `rows` is still cached.
  public func fetch(
    _ name: TimelineName, above rows: [Timeline.Row], limit: Int,
    then: @escaping @MainActor @Sendable (CachedWindow?) -> Void
  ) {
    fetch(name, { try $0.rows(above: rows, limit: limit) }, then: { then($0 ?? nil) })
  }

  /// Reads the first rows of the timeline, or all rows above `rows` if there are at most `limit`. Runs at once unless a
  /// write of the timeline is pending.
  @MainActor
  public func readFirst(
    _ name: TimelineName, above rows: [Timeline.Row], limit: Int,
    then: @escaping @MainActor @Sendable (CachedWindow?) -> Void
  ) {
    readSoon(name, { try $0.firstRows(above: rows, limit: limit) }, then: then)
  }

  /// Reads the last rows of the timeline, or all rows after `rows` if there are at most `limit`. Runs at once unless a
  /// write of the timeline is pending.
  @MainActor
  public func readLast(
    _ name: TimelineName, after rows: [Timeline.Row], limit: Int,
    then: @escaping @MainActor @Sendable (CachedWindow?) -> Void
  ) {
    readSoon(name, { try $0.lastRows(after: rows, limit: limit) }, then: then)
  }

  /// Fetches the rows now cached in place of `shown`. Nil if no row in `shown` is still cached.
  public func fetch(
    _ name: TimelineName, _ shown: ShownWindow, then: @escaping @MainActor @Sendable (CachedWindow?) -> Void
  ) {
    fetch(name, { try $0.window(shown) }, then: { then($0 ?? nil) })
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

  /// Saves a page, and fetches the rows now cached in place of `shown`. `new` contains the rows of the page that
  /// weren't cached before. Reports nil if saving fails.
  public func merge(
    _ page: Page<Qwink>, at place: PagePlace, in name: TimelineName, showing shown: ShownWindow,
    then: @escaping @MainActor @Sendable ((window: CachedWindow?, new: [Qwink.RowID])?) -> Void
  ) {
    let stored = Self.cached(page)
    let now = clock.now.timeIntervalSince1970
    let activity = ledger.begin("save a page")
    write(about: .timeline(name)) { database in
      let timeline = CachedTimeline(name: name.key, database: database, now: now)
      let before = try timeline.positions(of: shown.rows)
      let new = try page.items.map(\.rowID).filter { try timeline.position(of: CachedElement.key(of: $0)) == nil }
      switch place {
      case .newest: try timeline.mergeNewest(stored)
      case .at(let cursor): try timeline.merge(stored, at: cursor)
      case .above(let cursor): try timeline.mergeUpwards(stored, at: cursor)
      }
      return (window: try timeline.window(shown, before: before), new: new)
    } then: { result in
      Task { @MainActor in
        then(result)
        activity.end()
      }
    }
  }

  /// Reads a few rows for the next frame.
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
