import PaneKit
import QwinkleAccount
import QwinkleModel

/// Reactions. Each key toggles one reaction.
extension QwinkCommand {
  static let reactions = [boost, favourite, bookmark]

  /// Toggles the boost, unless the qwink's visibility forbids it.
  private static let boost = QwinkCommand(.boost) { qwink, context in
    guard qwink.canBeBoosted(by: context.account.identity.me?.id) else {
      return context.navigator.say(ActionWords.cannotBoost(qwink.visibility), .warning)
    }
    toggle(.boost, of: qwink, context)
  }

  /// Toggles the favourite. The server notifies the author of a new favourite.
  private static let favourite = QwinkCommand(.favourite) { qwink, context in toggle(.favourite, of: qwink, context) }

  /// Toggles the bookmark, which only the user can see.
  private static let bookmark = QwinkCommand(.bookmark) { qwink, context in toggle(.bookmark, of: qwink, context) }

  private static func toggle(_ reaction: Reaction, of qwink: Qwink, _ context: Context) {
    let isOn = !qwink.has(reaction)
    let reactions = context.account.reactions
    reactions.react(to: qwink, with: reaction, isOn: isOn)
    context.navigator.say(ActionWords.undoable(ActionWords.reacted(reaction, isOn: isOn)), .new) { [weak reactions] in
      reactions?.has(reaction, qwink) == isOn
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
