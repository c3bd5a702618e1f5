public import QwinkleModel

extension Account {
  /// Takes back what was done last and can be. Returns what that is, as a sentence, and whether it is still so; nil if
  /// there is nothing.
  public func undo() -> (sentence: String, isSo: @MainActor () -> Bool)? {
    switch undoHistory.popLast() {
    case .reaction(let qwink, let reaction, let isOn):
      reactions.send(reaction, to: qwink, isOn: !isOn)
      return (reaction.sentence(isOn: !isOn), { [weak reactions] in reactions?.has(reaction, qwink) == !isOn })
    case .follow(let qwinker, let isOn):
      follows.send(qwinker, isOn: !isOn)
      // What becomes of it observers hear from the server.
      return (
        FollowOutcome.activity(qwinker, isOn: !isOn), { [weak follows] in follows?.isUnderWay(qwinker.id) ?? false }
      )
    case nil: return nil
    }
  }
}

extension Reaction {
  /// What is so now, as a sentence.
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
