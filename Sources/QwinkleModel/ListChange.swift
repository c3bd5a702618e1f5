/// The difference between two states of a list. List views apply the removals first, then the insertions.
public struct ListChange: Hashable, Sendable {
  /// Indices of removed items in the old list. A moved item is both removed and inserted.
  public var removed: [Int] = []
  /// Index ranges of inserted items in the new list, in ascending order and never adjacent.
  public var inserted: [Range<Int>] = []
  /// Indices in the new list of items that weren't moved but changed in content.
  public var changed: [Int] = []
  /// Indices in the new list of inserted items that aren't new to the user: they moved, or they were listed at some
  /// time before the old list.
  public var returned: Set<Int> = []

  public init(
    removed: [Int] = [], inserted: [Range<Int>] = [], changed: [Int] = [], returned: Set<Int> = []
  ) {
    self.removed = removed
    self.inserted = inserted
    self.changed = changed
    self.returned = returned
  }

  public var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && changed.isEmpty }

  /// The indices of inserted items that were never listed before.
  public var new: [Int] { inserted.flatMap { $0 }.filter { !returned.contains($0) } }

  /// Returns the same change of the lists in reverse order, which had `oldCount` and have `newCount` items.
  public func reversed(from oldCount: Int, to newCount: Int) -> ListChange {
    ListChange(
      removed: removed.reversed().map { oldCount - 1 - $0 },
      inserted: inserted.reversed().map { (newCount - $0.upperBound)..<(newCount - $0.lowerBound) },
      changed: changed.reversed().map { newCount - 1 - $0 }, returned: Set(returned.map { newCount - 1 - $0 }))
  }

  /// Computes the smallest difference between `old` and `new`. Ids must be unique in each list.
  public init<Item: Identifiable & Equatable>(from old: [Item], to new: [Item]) {
    self.init(from: old.map(\.id), to: new.map(\.id), isChanged: { old[$0] != new[$1] })
  }

  /// Computes the smallest difference between lists with these keys, which must be unique in each list.
  ///
  /// - Parameters:
  ///   - isChanged: Returns whether an item that wasn't moved changed in content. Called with its old and its new
  ///     index.
  ///   - wasHere: Returns whether an inserted key that isn't in the old list was listed earlier.
  public init<Key: Hashable>(
    from old: [Key], to new: [Key], isChanged: (Int, Int) -> Bool, wasHere: (Key) -> Bool = { _ in false }
  ) {
    let start = zip(old, new).prefix { $0 == $1 }.count
    let most = min(old.count, new.count) - start
    let tail = zip(old.reversed(), new.reversed()).prefix(most).prefix { $0 == $1 }.count
    let oldRange = start..<(old.count - tail)
    let newRange = start..<(new.count - tail)
    changed = (0..<start).filter { isChanged($0, $0) }
    defer { changed += (newRange.upperBound..<new.count).filter { isChanged($0 + old.count - new.count, $0) } }
    if oldRange.isEmpty, newRange.isEmpty { return }

    var places: [Key: Int] = [:]
    for index in oldRange { places[old[index]] = index }
    let common = newRange.compactMap { index in places[new[index]].map { (old: $0, new: index) } }
    let stayed = LongestRun.indices(of: common.map(\.old)).map { common[$0] }
    let stayedOld = Set(stayed.map(\.old))
    let stayedNew = Set(stayed.map(\.new))
    removed = oldRange.filter { !stayedOld.contains($0) }
    for index in newRange where !stayedNew.contains(index) {
      if let last = inserted.last, last.upperBound == index {
        inserted[inserted.count - 1] = last.lowerBound..<(index + 1)
      } else {
        inserted.append(index..<(index + 1))
      }
      if places[new[index]] != nil || wasHere(new[index]) { returned.insert(index) }
    }
    changed += stayed.filter { isChanged($0.old, $0.new) }.map(\.new)
  }
}
