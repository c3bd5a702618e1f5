import QwinkleModel

/// An action of the user, with the data to undo it.
enum ReversibleAct {
  case reaction(Qwink, Reaction, isOn: Bool)
  case follow(Qwinker, isOn: Bool)
  /// An action in ``HeldActs``.
  case held(HeldActs.Kind)
  /// An action that waits for the server's answer. `name` begins a sentence: "Voting".
  case pending(String)
  /// An action that can't be undone, by its name.
  case final(String)
  /// Something that the account knows nothing of: `undo` reverses it, `sentence` says so.
  case other(sentence: String, undo: @MainActor () -> Void)

  func isReaction(_ key: ReactionKey, isOn wanted: Bool) -> Bool {
    guard case .reaction(let qwink, let reaction, let isOn) = self else { return false }
    return ReactionKey(id: qwink.originalID, reaction: reaction) == key && isOn == wanted
  }

  /// The act on a qwink that has another id now.
  func replacing(_ id: Qwink.ID, by newer: Qwink) -> ReversibleAct {
    switch self {
    case .reaction(let qwink, let reaction, let isOn):
      qwink.replaced(id, by: newer).map { ReversibleAct.reaction($0, reaction, isOn: isOn) } ?? self
    case .held(let kind): .held(kind.replacingID(id, by: newer.originalID))
    case .follow, .pending, .final, .other: self
    }
  }

  func isFollow(_ id: Qwinker.ID) -> Bool {
    guard case .follow(let qwinker, _) = self else { return false }
    return qwinker.id == id
  }
}
