import PaneKit
import QwinkleAccount
import QwinkleModel

/// Reactions: each key does one, and takes it back if it is done.
extension QwinkCommand {
  static let reactions = [boost, favourite, bookmark]

  /// Boosts a qwink, if it may be shown to others.
  private static let boost = QwinkCommand(.boost) { qwink, context in
    guard qwink.canBeBoosted(by: context.account.identity.me?.id) else {
      return context.navigator.say(
        qwink.visibility == .direct
          ? "A private message cannot be boosted." : "Only its author can boost what is for followers.", .warning)
    }
    toggle(.boost, of: qwink, context)
  }

  /// Makes a qwink a favourite, which tells its author.
  private static let favourite = QwinkCommand(.favourite) { qwink, context in toggle(.favourite, of: qwink, context) }

  /// Keeps a qwink for later, which nobody else sees.
  private static let bookmark = QwinkCommand(.bookmark) { qwink, context in toggle(.bookmark, of: qwink, context) }

  private static func toggle(_ reaction: Reaction, of qwink: Qwink, _ context: Context) {
    let isOn = !qwink.has(reaction)
    let reactions = context.account.reactions
    reactions.react(to: qwink, with: reaction, isOn: isOn)
    context.navigator.say("\(reaction.sentence(isOn: isOn)) u takes it back.", .new) { [weak reactions] in
      reactions?.has(reaction, qwink) == isOn
    }
  }
}

extension Qwink {
  /// Whether `me` can show it to others: what is private nobody can, what is for followers its author alone.
  func canBeBoosted(by me: Qwinker.ID?) -> Bool {
    switch visibility {
    case .public, .unlisted: true
    case .private: author.id == me
    case .direct: false
    }
  }
}
