import PaneKit
import QwinkleAccount
import QwinkleModel

extension QwinkCommand {
  /// Boosts a qwink, or takes the boost back.
  static let boost = QwinkCommand(.boost) { qwink, context in
    guard qwink.canBeBoosted(by: context.feed.me?.id) else {
      return context.navigator.say(
        qwink.visibility == .direct
          ? "A private message cannot be boosted." : "Only its author can boost what is for followers.", .warning)
    }
    toggle(.boost, of: qwink, context)
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
