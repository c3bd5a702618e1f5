import Foundation
public import QwinkleModel
import Timekeeping

/// A part of a cached timeline.
public struct KeptWindow: Sendable {
  public var rows: [Timeline.Row] = []
  /// Whether more rows are cached above these.
  public var hasMoreAbove = false
  /// Whether more rows are cached after these.
  public var hasMore = false
  /// Leads to rows older than the last one cached.
  public var older: PageCursor?
  /// Whether these are all rows between those in memory and an end of the list.
  public var isNext = false
  /// A gap between them and those in memory.
  public var passed: PageCursor?
}

extension KeptRows {
  /// Rows that follow those in memory.
  public init(_ window: KeptWindow) {
    self.init(rows: window.rows, hasMore: window.hasMore, older: window.older)
  }
}

extension KeptWindow {
  /// The first rows.
  public init(_ rows: KeptRows) {
    self.init(rows: rows.rows, hasMore: rows.hasMore, older: rows.older)
  }
}

/// What a list in memory has of a cached timeline.
public struct ShownWindow: Sendable {
  public var rows: [Timeline.Row]
  public var hasMoreAbove: Bool
  public var hasMore: Bool

  public init(_ timeline: Timeline) {
    rows = timeline.knownRows
    hasMoreAbove = timeline.hasMoreAbove
    hasMore = timeline.hasMoreKept
  }
}

/// A page, and where it belongs.
public enum PagePlace: Sendable {
  case newest
  /// A gap or the end, by its cursor.
  case at(PageCursor)
  /// A gap that is filled from below.
  case above(PageCursor)
}

/// Reading and changing a timeline of which only a part is in memory. Unless it
/// says "at once" it happens in the background, after what is being written of the timeline, and is entered in the
/// ledger.
extension TimelineCache {
  /// The rows from one of `rows` to another, at once, with `margin` more above and below, and `atLeast` of them in all.
  /// If they are far apart, or some aren't cached, the rows around the first one that is. Nil if none is.
  public func load(_ name: TimelineName, around rows: [Qwink.RowID], margin: Int, atLeast: Int) -> KeptWindow? {
    let window = read { database in
      try KeptTimeline(name: name.key, database: database, now: 0)
        .rows(around: rows, margin: margin, atLeast: atLeast)
    }
    return window ?? nil
  }

  /// Returns the cached qwinks of `rows` after waiting for pending writes; nil if the file can't be read.
  public func load(_ rows: [Qwink.RowID], of name: TimelineName) -> [Qwink]? {
    read(after: [.timeline(name), .content]) { database in
      try KeptTimeline(name: name.key, database: database, now: 0).qwinks(rows)
    }
  }

  /// Fetches rows after `rows`. ``KeptRows/isAdjacent`` is false if these aren't cached any more. `isShort`: a read
  /// that blocks its caller may wait for this one, so that no connection is opened for it.
  public func fetch(
    _ name: TimelineName, after rows: [Timeline.Row], limit: Int, isShort: Bool = false,
    then: @escaping @MainActor @Sendable (KeptRows) -> Void
  ) {
    fetch(name, isShort: isShort, { try $0.rows(after: rows, limit: limit) }, then: { then($0 ?? KeptRows()) })
  }

  /// Fetches the rows after `rows` down to the lowest of `ends`: none if none of these is cached below them, or only
  /// more than `limit` rows down.
  public func fetch(
    _ name: TimelineName, after rows: [Timeline.Row], downTo ends: [Qwink.RowID], limit: Int,
    then: @escaping @MainActor @Sendable (KeptRows) -> Void
  ) {
    fetch(name, { try $0.rows(after: rows, downTo: ends, limit: limit) }, then: { then($0 ?? KeptRows()) })
  }

  /// Fetches the rows right above `rows`; nil if none of these is cached any more.
  public func fetch(
    _ name: TimelineName, above rows: [Timeline.Row], limit: Int,
    then: @escaping @MainActor @Sendable (KeptWindow?) -> Void
  ) {
    fetch(name, { try $0.rows(above: rows, limit: limit) }, then: { then($0 ?? nil) })
  }

  /// Reads the first rows, or all those above `rows` if they are no more than `limit`: at once, unless something is
  /// being written of them.
  @MainActor
  public func readFirst(
    _ name: TimelineName, above rows: [Timeline.Row], limit: Int,
    then: @escaping @MainActor @Sendable (KeptWindow?) -> Void
  ) {
    readSoon(name, { try $0.firstRows(above: rows, limit: limit) }, then: then)
  }

  /// Reads the last rows, or all those after `rows` if they are no more than `limit`: at once, unless something is
  /// being written of them.
  @MainActor
  public func readLast(
    _ name: TimelineName, after rows: [Timeline.Row], limit: Int,
    then: @escaping @MainActor @Sendable (KeptWindow?) -> Void
  ) {
    readSoon(name, { try $0.lastRows(after: rows, limit: limit) }, then: then)
  }

  /// Fetches what is cached now where the rows of `shown` are; nil if none of them is cached any more.
  public func fetch(
    _ name: TimelineName, _ shown: ShownWindow, then: @escaping @MainActor @Sendable (KeptWindow?) -> Void
  ) {
    fetch(name, { try $0.window(shown) }, then: { then($0 ?? nil) })
  }

  /// Finds out whether all `rows` are cached, in their order.
  public func checkHolds(
    _ rows: [Timeline.Row], of name: TimelineName, then: @escaping @MainActor @Sendable (Bool) -> Void
  ) {
    fetch(name, { try $0.holds(rows) }, then: { then($0 ?? false) })
  }

  /// Counts the rows above the first of `rows`; nil if that isn't cached.
  public func count(
    above rows: [Timeline.Row], in name: TimelineName, then: @escaping @MainActor @Sendable (Int?) -> Void
  ) {
    fetch(name, { try $0.count(above: rows) }, then: { then($0 ?? nil) })
  }

  /// Saves a page, and fetches what stands where the rows of `shown` are. `new` are the rows of the page that were not
  /// cached. Nil if it can't be saved.
  public func merge(
    _ page: Page<Qwink>, at place: PagePlace, in name: TimelineName, showing shown: ShownWindow,
    then: @escaping @MainActor @Sendable ((window: KeptWindow?, new: [Qwink.RowID])?) -> Void
  ) {
    let kept = Self.kept(page)
    let now = clock.now.timeIntervalSince1970
    let activity = ledger.begin("save a page")
    write(about: .timeline(name)) { database in
      let timeline = KeptTimeline(name: name.key, database: database, now: now)
      let before = try timeline.positions(of: shown.rows)
      let new = try page.items.map(\.rowID).filter { try timeline.position(of: KeptElement.key(of: $0)) == nil }
      switch place {
      case .newest: try timeline.mergeNewest(kept)
      case .at(let cursor): try timeline.merge(kept, at: cursor)
      case .above(let cursor): try timeline.mergeUpwards(kept, at: cursor)
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
    _ name: TimelineName, _ body: @escaping @Sendable (KeptTimeline) throws -> KeptWindow,
    then: @escaping @MainActor @Sendable (KeptWindow?) -> Void
  ) {
    if isSaving(name) { return fetch(name, body, then: then) }
    then(read { try body(KeptTimeline(name: name.key, database: $0, now: 0)) })
  }

  private func fetch<Value: Sendable>(
    _ name: TimelineName, isShort: Bool = false, _ body: @escaping @Sendable (KeptTimeline) throws -> Value,
    then: @escaping @MainActor @Sendable (Value?) -> Void
  ) {
    fetch("read cached rows", after: [.timeline(name), .content], isShort: isShort) { database in
      try body(KeptTimeline(name: name.key, database: database, now: 0))
    } then: {
      then($0)
    }
  }
}
