/// How a list became another, in the form in which lists are told of it: items went, then others came in one place.
public struct ListChange: Hashable, Sendable {
  /// Items that went, in indices of the old list. One that moved went and came.
  public var removed: [Int] = []
  /// Items that came, in indices of the new list.
  public var inserted: Range<Int> = 0..<0
  /// Items that stayed and are different now, in indices of the new list.
  public var changed: [Int] = []

  public init() {}

  public var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && changed.isEmpty }

  /// What `old` and `new` differ in. Where a few items moved up or came on top, only these count as removed and
  /// inserted. Each id stands in a list once.
  public init<Item: Identifiable & Equatable>(from old: [Item], to new: [Item]) {
    let common = zip(old, new).prefix { $0.id == $1.id }.count
    var places: [Item.ID: Int] = [:]
    for index in common..<old.count { places[old[index].id] = index }
    // From the end up, as far as the new list has what the old one had, in its order.
    var start = new.count
    var lowest = old.count
    while start > common, let place = places[new[start - 1].id], place < lowest {
      lowest = place
      start -= 1
    }
    inserted = common..<start
    let kept = Set(new[start...].map(\.id))
    removed = (common..<old.count).filter { !kept.contains(old[$0].id) }
    changed =
      (0..<common).filter { old[$0] != new[$0] }
      + (start..<new.count).filter { index in
        places[new[index].id].map { old[$0] != new[index] } ?? false
      }
  }
}
