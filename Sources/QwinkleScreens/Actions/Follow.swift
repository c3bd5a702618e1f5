import PaneKit
import QwinkleModel

extension QwinkerCommand {
  /// Follows somebody, or no longer.
  static let follow = QwinkerCommand(.follow) { qwinker, context in
    guard context.feed.me?.id != qwinker.id else { return context.navigator.say("That is you.", .warning) }
    context.feed.toggleFollow(qwinker) { [weak navigator = context.navigator] isOn in
      let words =
        !isOn
        ? "No longer following @\(qwinker.handle)."
        : qwinker.isLocked ? "Asked @\(qwinker.handle) to be followed." : "Following @\(qwinker.handle)."
      navigator?.say("\(words) u takes it back.", .new)
    }
  }
}
