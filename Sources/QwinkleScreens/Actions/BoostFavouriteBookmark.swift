import PaneKit
import QwinkleAccount
import QwinkleModel

/// Reactions: each key toggles one.
extension QwinkCommand {
  static let reactions = [boost, favourite, bookmark]

  /// Boosts a qwink, unless its audience is restricted.
  private static let boost = QwinkCommand(.boost) { qwink, context in
    guard qwink.canBeBoosted(by: context.account.identity.me?.id) else {
      return context.navigator.say(ActionWords.cannotBoost(qwink.visibility), .warning)
    }
    toggle(.boost, of: qwink, context)
  }

  /// Favourites a qwink; its author is notified.
  private static let favourite = QwinkCommand(.favourite) { qwink, context in toggle(.favourite, of: qwink, context) }

  /// Bookmarks a qwink; nobody else sees that.
  private static let bookmark = QwinkCommand(.bookmark) { qwink, context in toggle(.bookmark, of: qwink, context) }

  private static func toggle(_ reaction: Reaction, of qwink: Qwink, _ context: Context) {
    let isOn = !qwink.has(reaction)
    let reactions = context.account.reactions
    reactions.react(to: qwink, with: reaction, isOn: isOn)
    context.navigator.say(ActionWords.undoable(reaction.sentence(isOn: isOn)), .new) { [weak reactions] in
      reactions?.has(reaction, qwink) == isOn
    }
  }
}

extension Qwink {
  /// Whether `me` may boost it: nobody may boost a direct message, and only the author a followers-only qwink.
  func canBeBoosted(by me: Qwinker.ID?) -> Bool {
    switch visibility {
    case .public, .unlisted: true
    case .private: author.id == me
    case .direct: false
    }
  }
}
