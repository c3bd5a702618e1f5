import QwinkleModel

/// The user's actions, newest last. Every action has an entry, even if it can't be undone. `u` always applies to the
/// last action, and never undoes an older one instead.
@MainActor
final class UndoHistory {
  /// Identifies an entry of the history.
  typealias ID = Int

  private struct Entry {
    let id: ID
    var act: ReversibleAction
  }

  private static let maximumCount = 100

  private var entries: [Entry] = []
  private var lastID = 0
  /// The entry of the action that ``end(_:as:_:)`` is completing. If set, ``remember(_:)`` updates this entry instead
  /// of adding another.
  private var current: ID?
  private var isUndoing = false

  var last: ReversibleAction? { entries.last?.act }

  /// Adds an action, or updates the action being performed. Returns its entry, or nil during an undo, which isn't
  /// recorded.
  @discardableResult
  func remember(_ act: ReversibleAction) -> ID? {
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

  /// Adds an action in progress. Returns the handler of its result, which must be called once. A success makes the
  /// action final, unless `completion` makes it reversible. A failure removes the action, unless `mayBeDone` returns
  /// true.
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

  /// Updates a completed action and runs `body`, which may make it reversible.
  func end(_ id: ID?, as act: ReversibleAction, _ body: () -> Void) {
    guard let id else { return body() }
    update(id, act)
    let before = current
    current = id
    body()
    current = before
  }

  /// Removes the newest action and runs `body`, which reverses it.
  func undo(_ body: () -> Void) {
    entries.removeLast()
    isUndoing = true
    body()
    isUndoing = false
  }

  /// Runs `body` without recording its actions. An undo sends its further requests this way.
  func withoutRecording(_ body: () -> Void) {
    let before = isUndoing
    isUndoing = true
    body()
    isUndoing = before
  }

  /// Removes the newest matching action, because it failed.
  func forget(where isIt: (ReversibleAction) -> Bool) {
    if let index = entries.lastIndex(where: { isIt($0.act) }) { entries.remove(at: index) }
  }

  /// Updates the id of a qwink in all actions.
  func replace(_ id: Qwink.ID, by qwink: Qwink) {
    for index in entries.indices { entries[index].act = entries[index].act.replacing(id, by: qwink) }
  }

  private func update(_ id: ID, _ act: ReversibleAction) {
    if let index = entries.firstIndex(where: { $0.id == id }) { entries[index].act = act }
  }
}
