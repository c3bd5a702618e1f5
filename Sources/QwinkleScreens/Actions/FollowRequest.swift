import PaneKit
import QwinkleAccount
import QwinkleModel

/// Answering somebody who asks to follow me, where that is told of: in notifications, and on their page.
extension QwinkerCommand {
  /// Lets them.
  static let acceptRequest = QwinkerCommand(.acceptFollow, when: isAsking) { qwinker, context in
    answer(qwinker, accepts: true, context)
  }

  /// Does not let them, after a question: they would have to ask again.
  static let refuseRequest = QwinkerCommand(.refuseFollow, when: isAsking) { qwinker, context in
    context.navigator.ask("Refuse the follow request of @\(qwinker.handle)?", again: nil) {
      answer(qwinker, accepts: false, context)
    }
  }

  @MainActor
  private static func isAsking(_ qwinker: Qwinker, _ context: QwinkCommand.Context) -> Bool {
    if context.feed.relationship(to: qwinker.id)?.isAskingToFollow == true { return true }
    return context.notifications.hasRequest(from: qwinker.id) && context.feed.requestAnswer(to: qwinker.id) == nil
  }

  @MainActor
  private static func answer(_ qwinker: Qwinker, accepts: Bool, _ context: QwinkCommand.Context) {
    let feed = context.feed
    feed.answerRequest(of: qwinker, accepts: accepts)
    context.navigator.say("\(accepts ? "Accepting" : "Refusing") @\(qwinker.handle)…", .dim) { [weak feed] in
      feed?.isAnsweringRequest(of: qwinker.id) ?? false
    }
  }
}
