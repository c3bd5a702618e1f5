import PaneKit
import QwinkleModel

extension QwinkCommand {
  /// Boosts a qwink, or takes the boost back.
  static let boost = QwinkCommand(.boost) { qwink, context in
    switch qwink.visibility {
    case .public, .unlisted: break
    case .private where context.isMine(qwink): break
    case .private: return context.navigator.say("Only its author can boost what is for followers.", .warning)
    case .direct: return context.navigator.say("A private message cannot be boosted.", .warning)
    }
    toggle(.boost, of: qwink, context)
  }
}
