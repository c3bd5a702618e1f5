import PaneKit
import QwinkleAccount
import QwinkleModel

extension QwinkerCommand {
  /// Follows somebody, or no longer.
  static let follow = QwinkerCommand(.follow) { qwinker, context in
    guard context.feed.me?.id != qwinker.id else { return context.navigator.say("That is you.", .warning) }
    context.feed.toggleFollow(qwinker) { [weak navigator = context.navigator, weak feed = context.feed] isOn in
      // What became of it is said when the server has answered.
      navigator?.say(FollowOutcome.activity(qwinker, isOn: isOn), .dim) { [weak feed] in
        feed?.isFollowUnderWay(qwinker.id) ?? false
      }
    }
  }
}
