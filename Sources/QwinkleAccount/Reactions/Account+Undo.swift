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
    case nil: return nil
    }
  }
}

extension Reaction {
  /// A sentence that states the result.
  public func sentence(isOn: Bool) -> String {
    switch (self, isOn) {
    case (.boost, true): "Boosted."
    case (.boost, false): "No longer boosted."
    case (.favourite, true): "A favourite now."
    case (.favourite, false): "No longer a favourite."
    case (.bookmark, true): "Marked: 5 shows what you keep."
    case (.bookmark, false): "No longer marked."
    }
  }
}
