import PaneKit
import QwinkleAccount
import QwinkleModel

/// Following a qwinker and answering follow requests, on any screen.
extension QwinkerCommand {
  static let following = [follow, followOptions, acceptRequest, refuseRequest]

  private static let follow = QwinkerCommand(
    .follow, prompt: "follow",
    refusing: { qwinker, account in account.isMe(qwinker) ? ActionWords.cannotFollowYourself : nil }
  ) { qwinker, context in
    let follows = context.account.follows
    follows.toggleFollow(qwinker) { [weak navigator = context.navigator, weak follows] isOn in
      // Say only that the request is being sent. The result is shown when the server responds.
      navigator?.say(FollowOutcome.activity(qwinker, isOn: isOn), .dim) { [weak follows] in
        follows?.isInProgress(qwinker.id) ?? false
      }
    }
  }

  /// Opens the options of a follow. Saving them also follows the qwinker, if the user doesn't.
  private static let followOptions = QwinkerCommand(
    .followOptions, prompt: "follow-options",
    refusing: { qwinker, account in account.isMe(qwinker) ? ActionWords.cannotFollowYourself : nil }
  ) { qwinker, context in
    let (follows, keymap) = (context.account.follows, context.links.keymap)
    follows.findRelationship(to: qwinker) { [weak follows, weak navigator = context.navigator] relationship in
      guard let follows, let navigator else { return }
      let sheet = FollowOptionsSheet(qwinker, relationship: relationship, follows: follows, keymap: keymap)
      sheet.navigator = navigator
      navigator.present(sheet)
    }
  }

  private static let acceptRequest = QwinkerCommand(.acceptFollow, prompt: "accept", when: isAsking) {
    qwinker, context in
    answer(qwinker, accepts: true, context)
  }

  /// Refuses a follow request. Requires confirmation, because the other qwinker would have to send a new request.
  private static let refuseRequest = QwinkerCommand(.refuseFollow, prompt: "refuse", when: isAsking) {
    qwinker, context in
    context.navigator.ask(ActionWords.refuseQuestion(qwinker), again: nil) {
      answer(qwinker, accepts: false, context)
    }
  }

  @MainActor
  private static func isAsking(_ qwinker: Qwinker, _ account: Account) -> Bool {
    if account.follows.hasRequest(from: qwinker.id) { return true }
    return account.notifications.hasRequest(from: qwinker.id) && account.follows.requestAnswer(to: qwinker.id) == nil
  }

  @MainActor
  private static func answer(_ qwinker: Qwinker, accepts: Bool, _ context: QwinkCommand.Context) {
    let follows = context.account.follows
    follows.answerRequest(of: qwinker, accepts: accepts)
    context.navigator.say(ActionWords.answering(qwinker, accepts: accepts), .dim) { [weak follows] in
      follows?.isAnsweringRequest(of: qwinker.id) ?? false
    }
  }
}
