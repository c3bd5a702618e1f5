public import QwinkleModel

extension Account {
  /// Undoes the last act. Returns a sentence that says so, and whether that still holds; nil if there is nothing to
  /// undo.
  public func undo() -> (sentence: String, isSo: @MainActor () -> Bool)? {
    switch undoHistory.popLast() {
    case .reaction(let qwink, let reaction, let isOn):
      reactions.send(reaction, to: qwink, isOn: !isOn)
      return (reaction.sentence(isOn: !isOn), { [weak reactions] in reactions?.has(reaction, qwink) == !isOn })
    case .follow(let qwinker, let isOn):
      follows.send(qwinker, isOn: !isOn)
      // Observers hear how it ends.
      return (
        FollowOutcome.activity(qwinker, isOn: !isOn), { [weak follows] in follows?.isUnderWay(qwinker.id) ?? false }
      )
    case .held(let id):
      switch held.takeBack(id) {
      case .takenBack(let kind): return (kind.takenBack, { true })
      case .tooLate(let kind): return (kind.tooLate, { true })
      case .gone: return undo()
      }
    case .other(let sentence, let undo):
      undo()
      return (sentence, { true })
    case nil: return nil
    }
  }

  /// Has ``undo()`` call `undo` if nothing else is done before, and return `sentence`.
  public func rememberAct(undoneAs sentence: String, by undo: @escaping @MainActor () -> Void) {
    undoHistory.remember(.other(sentence: sentence, undo: undo))
  }
}

extension Reaction {
  /// The result in words.
  public func sentence(isOn: Bool) -> String {
    switch (self, isOn) {
    case (.boost, true): "Boosted"
    case (.boost, false): "Boost removed"
    case (.favourite, true): "Favourited"
    case (.favourite, false): "Favourite removed"
    case (.bookmark, true): "Bookmarked · 5 lists them"
    case (.bookmark, false): "Bookmark removed"
    }
  }
}
