import FoundationEssentials
public import QwinkleModel
import QwinkleStore
import Timekeeping

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

/// Removing rows from memory that no view needs.
extension Timelines {
  /// Seconds without a visible reader before the window shrinks to ``WindowLimits/idle``.
  private static let idleTime: Double = 300

  /// Records the rows that a reader shows or has selected. They stay in memory, with the rows around them.
  public func note(
    _ reader: AnyObject, reads rows: [Qwink.RowID], isOnScreen: Bool, needsAll: Bool, in name: TimelineName
  ) {
    guard var entry = entries[name] else { return }
    entry.window.readers.removeAll { $0.object == nil || $0.object === reader }
    entry.window.readers.append(TimelineReader(object: reader, rows: rows, isOnScreen: isOnScreen, needsAll: needsAll))
    entries[name] = entry
    trim(name)
  }

  /// Removes rows that are far from all readers' rows from memory, if the rows are cached.
  func trim(_ name: TimelineName) {
    guard entries[name]?.window.reading.contains(.edges) == false, spare(name) != nil else { return }
    read(.edges, of: name) { cache, timeline, then in
      cache.checkHolds(timeline.knownRows, of: name, then: then)
    } then: { [weak self] isHeld in
      guard let self, isHeld, let spare = spare(name), let entry = entries[name] else { return }
      let change = entries[name]?.timeline.trim(above: spare.above, below: spare.below) ?? ListChange()
      if spare.above > 0 { entries[name]?.window.rowsAbove = entry.window.rowsAbove.map { $0 + spare.above } }
      entries[name]?.window.rowsBelow += spare.below
      entries[name]?.noteComplete()
      tell(change, name, .cache)
    }
  }

  /// Returns the number of rows that can be removed at each end, or nil if there are too few to be worthwhile or no row
  /// can be removed now.
  private func spare(_ name: TimelineName) -> (above: Int, below: Int)? {
    guard var entry = entries[name], entry.timeline.knownRows.count > WindowLimits.idle.margin,
      !entry.state.isLoadingMore, entry.gaps.filling == nil, entry.waitingOwn.isEmpty
    else { return nil }
    entry.window.readers.removeAll { $0.object == nil }
    if entry.window.readers.contains(where: \.isOnScreen) {
      entry.window.leftAt = nil
    } else {
      entry.window.leftAt = entry.window.leftAt ?? now
    }
    entries[name] = entry
    let isIdle = entry.window.leftAt.map { now.timeIntervalSince($0) >= Self.idleTime } ?? false
    let (margin, slack) = isIdle ? (WindowLimits.idle.margin, WindowLimits.idle.slack) : (limits.margin, limits.slack)
    let known = entry.timeline.knownRows
    guard known.count > margin + slack, !entry.window.readers.contains(where: \.needsAll) else { return nil }
    let read = Set(entry.window.readers.flatMap(\.rows))
    let indices = known.indices.filter { known[$0].qwink.map { read.contains($0.rowID) } ?? false }
    let above = entry.timeline.hasOwn ? 0 : (indices.first ?? 0) - margin
    let below = known.count - 1 - (indices.last ?? 0) - margin
    guard above > slack || below > slack else { return nil }
    return (above > slack ? above : 0, below > slack ? below : 0)
  }

  private var now: Date { connection.clock.now }
}
