import PaneKit
import QwinkleAccount
import QwinkleModel

extension QwinkCommand {
  /// Deletes one's own qwink, after a question: it cannot be taken back.
  static let delete = QwinkCommand(.delete) { qwink, context in
    guard context.isMine(qwink) else { return context.navigator.say("Only your own qwinks can be deleted.", .warning) }
    let answers = qwink.repliesCount == 0 ? "" : " Its answers stay."
    context.navigator.ask("Delete this qwink for good?\(answers)", again: nil) { [weak feed = context.feed] in
      feed?.delete(qwink)
    }
  }
}
