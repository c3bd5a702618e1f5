import QwinkleModel

/// The user's actions, newest last. Each has one entry, also if it can't be undone: `u` belongs to the last action, and
/// never reverses an older one in its place.
@MainActor
final class UndoHistory {
  /// An entry of the history.
  typealias ID = Int

  private struct Entry {
    let id: ID
    var act: ReversibleAct
  }

  private static let maximumCount = 100

  private var entries: [Entry] = []
  private var lastID = 0
  /// The entry of the action that is being performed: what it adds replaces this entry.
  private var current: ID?
  private var isUndoing = false

  /// The newest action.
  var last: ReversibleAct? { entries.last?.act }

  /// Adds an action, or updates the one that is being performed. Returns its entry; nil while an undo runs, which adds
  /// none.
  @discardableResult
  func remember(_ act: ReversibleAct) -> ID? {
    guard !isUndoing else { return nil }
    if let current {
      update(current, act)
      return current
    }
    lastID += 1
    entries.append(Entry(id: lastID, act: act))
    if entries.count > Self.maximumCount { entries.removeFirst() }
    return lastID
  }

  /// Adds an action that is in progress. Returns the handler of its result, to be called once. A success makes the
  /// action final, unless `completion` makes it reversible. A failure removes the action, unless it `mayBeDone` all the
  /// same.
  func begin<Answer, Failure: Error>(
    _ name: String, mayBeDone: @escaping @MainActor (Failure) -> Bool = { _ in false },
    _ completion: @escaping @MainActor (Result<Answer, Failure>) -> Void
  ) -> @MainActor (Result<Answer, Failure>) -> Void {
    let act = remember(.pending(name))
    return { [self] result in
      if case .failure(let error) = result, !mayBeDone(error) {
        entries.removeAll { $0.id == act }
        return completion(result)
      }
      end(act, as: .final(name)) { completion(result) }
    }
  }

  /// Updates an action that was done just now and runs the rest of it, which may make it reversible.
  func end(_ id: ID?, as act: ReversibleAct, _ body: () -> Void) {
    guard let id else { return body() }
    update(id, act)
    let before = current
    current = id
    body()
    current = before
  }

  /// Runs `body`, which reverses the newest action, and removes that.
  func undo(_ body: () -> Void) {
    entries.removeLast()
    isUndoing = true
    body()
    isUndoing = false
  }

  /// Removes the newest action that matches, as it failed.
  func forget(where isIt: (ReversibleAct) -> Bool) {
    if let index = entries.lastIndex(where: { isIt($0.act) }) { entries.remove(at: index) }
  }

  /// A qwink has another id now.
  func replace(_ id: Qwink.ID, by qwink: Qwink) {
    for index in entries.indices { entries[index].act = entries[index].act.replacing(id, by: qwink) }
  }

  private func update(_ id: ID, _ act: ReversibleAct) {
    if let index = entries.firstIndex(where: { $0.id == id }) { entries[index].act = act }
  }
}
