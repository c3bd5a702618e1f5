import PaneKit
import QwinkleAccount
import QwinkleModel

/// Reactions. Each key toggles one reaction.
extension QwinkCommand {
  static let reactions = Reaction.allCases.map { reaction in
    QwinkCommand(reaction.action, prompt: reaction.noun, refusing: { refusal(of: reaction, to: $0, $1) }) {
      toggle(reaction, of: $0, $1)
    }
  }

  @MainActor
  private static func refusal(of reaction: Reaction, to qwink: Qwink, _ account: Account) -> String? {
    guard reaction == .boost, !qwink.canBeBoosted(by: account.identity.me?.id) else { return nil }
    return ActionWords.cannotBoost(qwink.visibility)
  }

  @MainActor
  private static func toggle(_ reaction: Reaction, of qwink: Qwink, _ context: Context) {
    let isOn = !qwink.has(reaction)
    let reactions = context.account.reactions
    reactions.react(to: qwink, with: reaction, isOn: isOn)
    context.navigator.say(ActionWords.undoable(ActionWords.reacted(reaction, isOn: isOn)), .new) { [weak reactions] in
      reactions?.has(reaction, qwink) == isOn
    }
  }
}

extension Reaction {
  /// The action that adds or removes the reaction.
  var action: Action {
    switch self {
    case .boost: .boost
    case .favourite: .favourite
    case .bookmark: .bookmark
    }
  }
}

extension Qwink {
  /// Returns whether `me` is allowed to boost the qwink. Direct messages can't be boosted, and followers-only qwinks
  /// can be boosted only by their author.
  func canBeBoosted(by me: Qwinker.ID?) -> Bool {
    switch visibility {
    case .public, .unlisted: true
    case .private: author.id == me
    case .direct: false
    }
  }
}
