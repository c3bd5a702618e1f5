/// How a list became another, in the form in which lists are told of it: items went, then others came.
public struct ListChange: Hashable, Sendable {
  /// Items that went, in indices of the old list. One that moved went and came.
  public var removed: [Int] = []
  /// Items that came, in indices of the new list, from the first to the last; no two ranges touch.
  public var inserted: [Range<Int>] = []
  /// Items that stayed and are different now, in indices of the new list.
  public var changed: [Int] = []
  /// Those that came and are not new: they have moved, or were here before. In indices of the new list.
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

  /// How many items came.
  public var insertedCount: Int { inserted.reduce(0) { $0 + $1.count } }

  /// Whether an item of the new list came.
  public func isInserted(_ index: Int) -> Bool { inserted.contains { $0.contains(index) } }

  /// The indices of what came and was never here before.
  public var new: [Int] { inserted.flatMap { $0 }.filter { !returned.contains($0) } }

  /// What `old` and `new` differ in. As few items as can be count as removed and inserted. Each id stands in a list
  /// once.
  public init<Item: Identifiable & Equatable>(from old: [Item], to new: [Item]) {
    self.init(from: old.map(\.id), to: new.map(\.id), isChanged: { old[$0] != new[$1] })
  }

  /// What lists with these keys differ in; each key stands in a list once. `isChanged` is asked with the old and the
  /// new index of what stayed, `wasHere` of keys that came and are not in the old list.
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
