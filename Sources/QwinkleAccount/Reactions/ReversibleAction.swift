import QwinkleModel

/// An action of the user, with the data needed to undo the action if that is possible.
enum ReversibleAction {
  case reaction(Qwink, Reaction, isOn: Bool)
  /// A follow, an unfollow, or a change of the options of a follow. `before` has the options to restore, or is nil if
  /// the user didn't follow the qwinker.
  case follow(Qwinker, isOn: Bool, before: FollowOptions?)
  /// A pending action in ``PendingActions``.
  case held(PendingActions.Kind)
  /// An action in progress. The string names the action and begins a sentence: "Voting".
  case pending(String)
  /// An action that can't be undone. The string names the action.
  case final(String)
  /// Any other action. `undo` reverses it; `sentence` describes the result.
  case other(sentence: String, undo: @MainActor () -> Void)

  func isReaction(_ key: ReactionKey, isOn wanted: Bool) -> Bool {
    guard case .reaction(let qwink, let reaction, let isOn) = self else { return false }
    return ReactionKey(id: qwink.originalID, reaction: reaction) == key && isOn == wanted
  }

  /// Returns the action with qwink `id` replaced by `newer`, the same qwink under a new id.
  func replacing(_ id: Qwink.ID, by newer: Qwink) -> ReversibleAction {
    switch self {
    case .reaction(let qwink, let reaction, let isOn):
      qwink.replaced(id, by: newer).map { ReversibleAction.reaction($0, reaction, isOn: isOn) } ?? self
    case .held(let kind): .held(kind.replacingID(id, by: newer.originalID))
    case .follow, .pending, .final, .other: self
    }
  }

  func isFollow(_ id: Qwinker.ID) -> Bool {
    guard case .follow(let qwinker, _, _) = self else { return false }
    return qwinker.id == id
  }
}
