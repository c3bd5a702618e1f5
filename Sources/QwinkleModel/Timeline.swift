/// An ordered run of qwinks, newest first, with possible gaps. Order is the server's, by page; a qwink
/// stands in it once.
public struct Timeline: Sendable {
  /// A row of a timeline.
  public enum Row: Hashable, Sendable {
    case qwink(Qwink)
    /// Qwinks may be missing here; the cursor leads to them.
    case gap(PageCursor)

    public var qwink: Qwink? {
      if case .qwink(let qwink) = self { qwink } else { nil }
    }
  }

  /// What a merge did, in indices of the timeline as it is after it. Changed rows were there before.
  public struct Change: Hashable, Sendable {
    /// Rows that went, in indices of the timeline before the merge.
    public var removed: [Int] = []
    /// Rows that came, after removals.
    public var inserted: Range<Int> = 0..<0
    public var changed: [Int] = []

    public init(removed: [Int] = [], inserted: Range<Int> = 0..<0, changed: [Int] = []) {
      self.removed = removed
      self.inserted = inserted
      self.changed = changed
    }

    public var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && changed.isEmpty }
  }

  public private(set) var rows: [Row] = []
  /// The way to what is older than the last row; nil at the end, or where nothing was fetched yet.
  public private(set) var older: PageCursor?
  private var known: Set<Qwink.RowID> = []
  /// Rows that I put on top and no page has brought yet. They say nothing of what stands between them and a page.
  private var own: Set<Qwink.RowID> = []
  /// Ways that pages have led.
  private var followed: Set<PageCursor> = []
  /// Whether a page or kept rows have come.
  private var wasFilled = false

  public init() {}

  public var isEmpty: Bool { rows.isEmpty }

  /// Takes in the first page of the list. New rows go to the top; where the page does not reach down to what is known, a
  /// gap follows it. What stands above the last row that both have, and is not in the page, is gone: deleted, or no longer
  /// marked.
  public mutating func mergeNewest(_ page: Page<Qwink>) -> Change {
    let visible = top(of: page)
    let reachesKnown = visible.contains { known.contains($0.rowID) && !own.contains($0.rowID) }
    let removed = takeOut(supersededBy: page, visible)
    let changed = update(visible)
    var new = newRows(visible)
    if !wasFilled || page.isWhole {
      older = wayOn(from: page)
    } else if !reachesKnown, !page.items.isEmpty, rows.contains(where: { !isOwn($0) }), let cursor = page.older {
      new.append(.gap(cursor))
    }
    wasFilled = true
    rows.insert(contentsOf: new, at: 0)
    return Change(removed: removed, inserted: 0..<new.count, changed: changed.map { $0 + new.count })
  }

  /// Takes in the page that ``older`` led to.
  public mutating func appendOlder(_ page: Page<Qwink>) -> Change {
    let visible = Self.withoutFilteredOut(page.items)
    let changed = update(visible)
    let new = newRows(visible)
    let start = rows.count
    rows.append(contentsOf: new)
    older = wayOn(from: page)
    return Change(inserted: start..<rows.count, changed: changed)
  }

  /// Takes in rows that were kept from an earlier time and stand after those that are here, and the way on from them.
  public mutating func appendKept(_ rows: [Row], older: PageCursor?) -> Change {
    wasFilled = wasFilled || !rows.isEmpty
    let start = self.rows.count
    self.rows += rows.filter { row in row.qwink.map { known.insert($0.rowID).inserted } ?? true }
    self.older = older
    return Change(inserted: start..<self.rows.count)
  }

  /// Takes in the page that a gap's cursor led to. The gap goes, or moves to the end of the page where it still does
  /// not reach what is known.
  public mutating func fillGap(_ cursor: PageCursor, with page: Page<Qwink>) -> Change {
    guard let index = rows.firstIndex(of: .gap(cursor)) else { return Change() }
    let visible = Self.withoutFilteredOut(page.items)
    let reachesKnown = visible.contains { known.contains($0.rowID) }
    let changed = update(visible)
    var new = newRows(visible)
    if !reachesKnown, let next = wayOn(from: page), next != cursor { new.append(.gap(next)) }
    rows.replaceSubrange(index...index, with: new)
    return Change(
      removed: [index], inserted: index..<(index + new.count),
      changed: changed.map { $0 > index ? $0 + new.count - 1 : $0 })
  }

  /// Puts one's own new qwink on top. It may be there already. A timeline of which nothing has come yet stays as it is: the
  /// first page will bring it.
  public mutating func insertOwn(_ qwink: Qwink) -> Change {
    guard wasFilled else { return Change() }
    if known.contains(qwink.rowID) { return Change(changed: update([qwink])) }
    known.insert(qwink.rowID)
    own.insert(qwink.rowID)
    rows.insert(.qwink(qwink), at: 0)
    return Change(inserted: 0..<1)
  }

  /// Shows the newer state of a qwink, in its own row and in those of its boosts.
  public mutating func update(by newer: Qwink) -> Change {
    var changed: [Int] = []
    for index in rows.indices {
      guard let old = rows[index].qwink, let new = old.updated(by: newer), new != old else { continue }
      rows[index] = .qwink(new)
      changed.append(index)
    }
    return Change(changed: changed)
  }

  /// Puts a qwink that has another id now in the place of what it was, also in the rows of its boosts.
  public mutating func replace(_ id: Qwink.ID, by newer: Qwink) -> Change {
    var change = Change()
    for index in rows.indices {
      guard let old = rows[index].qwink, let new = old.replaced(id, by: newer) else { continue }
      known.remove(old.rowID)
      if known.insert(new.rowID).inserted {
        if own.remove(old.rowID) != nil { own.insert(new.rowID) }
        rows[index] = .qwink(new)
        change.changed.append(index - change.removed.count)
      } else {
        // A page has brought it already.
        change.removed.append(index)
      }
    }
    for index in change.removed.reversed() { rows.remove(at: index) }
    return change
  }

  /// Takes out a qwink and its boosts.
  public mutating func remove(_ id: Qwink.ID) -> Change {
    var removed: [Int] = []
    for index in rows.indices {
      guard let qwink = rows[index].qwink, qwink.id == id || qwink.originalID == id else { continue }
      known.remove(qwink.rowID)
      removed.append(index)
    }
    for index in removed.reversed() { rows.remove(at: index) }
    return Change(removed: removed)
  }

  /// Where a row stands.
  public func index(of row: Qwink.RowID) -> Int? {
    guard known.contains(row) else { return nil }
    return rows.firstIndex { $0.qwink?.rowID == row }
  }

  /// Where a page leads; nil where it is empty, or leads back to where one has been: that would go on for ever.
  private mutating func wayOn(from page: Page<Qwink>) -> PageCursor? {
    guard let cursor = page.older, !page.items.isEmpty, followed.insert(cursor).inserted else { return nil }
    return cursor
  }

  private func isOwn(_ row: Row) -> Bool {
    row.qwink.map { own.contains($0.rowID) } ?? false
  }

  /// What of the first page is above or among the rows. What it has below the last row that both have is older than that: where
  /// a way leads on from the rows, it will come with that, and not on top.
  private func top(of page: Page<Qwink>) -> [Qwink] {
    let visible = Self.withoutFilteredOut(page.items)
    let last = visible.lastIndex { known.contains($0.rowID) && !own.contains($0.rowID) }
    guard let last, older != nil, !page.isWhole else { return visible }
    return Array(visible[...last])
  }

  /// Takes out what the first page knows better, of which `visible` is shown. Returns where that was. Three things go: what the
  /// page reaches and does not have; what it has further up; and my own rows among others that are new, as it knows their
  /// order better than I did. The last two come back with the page.
  private mutating func takeOut(supersededBy page: Page<Qwink>, _ visible: [Qwink]) -> [Int] {
    let brought = Set(visible.map(\.rowID))
    let ownBrought = own.intersection(brought)
    own.subtract(brought)
    let hasNew = visible.contains { !known.contains($0.rowID) }
    let lastKnown = visible.last { known.contains($0.rowID) && !ownBrought.contains($0.rowID) }
    let reached = lastKnown.flatMap { index(of: $0.rowID) } ?? -1
    let removed = rows.indices.filter { index in
      guard let row = rows[index].qwink?.rowID else { return page.isWhole }
      if ownBrought.contains(row) { return hasNew }
      if brought.contains(row) { return index > reached }
      // A page that was sent before I wrote does not have it either; and what could not be read may be what is missing.
      return !own.contains(row) && page.isComplete && (page.isWhole || index < reached)
    }
    for index in removed.reversed() {
      if let row = rows.remove(at: index).qwink?.rowID { known.remove(row) }
    }
    return removed
  }

  private static func withoutFilteredOut(_ items: [Qwink]) -> [Qwink] {
    items.filter { !$0.isFilteredOut }
  }

  private mutating func newRows(_ items: [Qwink]) -> [Row] {
    items.filter { known.insert($0.rowID).inserted }.map { .qwink($0) }
  }

  /// Puts newer states in place. Returns the indices of rows that are different now.
  private mutating func update(_ items: [Qwink]) -> [Int] {
    let updates = Dictionary(items.filter { known.contains($0.rowID) }.map { ($0.rowID, $0) }) { first, _ in first }
    guard !updates.isEmpty else { return [] }
    var changed: [Int] = []
    for index in rows.indices {
      guard let old = rows[index].qwink, let new = updates[old.rowID], new != old else { continue }
      rows[index] = .qwink(new)
      changed.append(index)
    }
    return changed
  }
}
