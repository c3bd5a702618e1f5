import QwinkleModel

/// Something that can be undone.
enum ReversibleAct {
  case reaction(Qwink, Reaction, isOn: Bool)
  case follow(Qwinker, isOn: Bool)
  /// Something in ``HeldActs``, by its id.
  case held(Int)
  /// Something that the account knows nothing of: `undo` reverses it, `sentence` says so.
  case other(sentence: String, undo: @MainActor () -> Void)

  func isReaction(_ key: ReactionKey, isOn wanted: Bool) -> Bool {
    guard case .reaction(let qwink, let reaction, let isOn) = self else { return false }
    return ReactionKey(id: qwink.originalID, reaction: reaction) == key && isOn == wanted
  }

  /// The act on a qwink that has another id now.
  func replacing(_ id: Qwink.ID, by newer: Qwink) -> ReversibleAct {
    guard case .reaction(let qwink, let reaction, let isOn) = self, let new = qwink.replaced(id, by: newer) else {
      return self
    }
    return .reaction(new, reaction, isOn: isOn)
  }

  func isFollow(_ id: Qwinker.ID) -> Bool {
    guard case .follow(let qwinker, _) = self else { return false }
    return qwinker.id == id
  }
}
