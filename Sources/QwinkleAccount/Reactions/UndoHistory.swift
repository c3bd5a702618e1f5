import QwinkleModel

/// Acts that can be undone, newest last.
@MainActor
final class UndoHistory {
  private static let maximumCount = 100

  private var acts: [ReversibleAct] = []

  func remember(_ act: ReversibleAct) {
    acts.append(act)
    if acts.count > Self.maximumCount { acts.removeFirst() }
  }

  func popLast() -> ReversibleAct? { acts.popLast() }

  /// Forgets the newest act that matches, as it failed.
  func forget(where isIt: (ReversibleAct) -> Bool) {
    if let index = acts.lastIndex(where: isIt) { acts.remove(at: index) }
  }

  /// A qwink has another id now.
  func replace(_ id: Qwink.ID, by qwink: Qwink) { acts = acts.map { $0.replacing(id, by: qwink) } }
}
