import PaneKit

/// Messages for keys that do nothing.
enum IgnoredKeyWords {
  static let noWarning = "No content warning here"

  /// Returns the message for `keys`, a key sequence without a command, such as `g x`. `help` is the key that lists all
  /// keys.
  static func nothing(_ keys: String, help: String?) -> String {
    "\(keys) does nothing here" + (help.map { " · \($0) lists keys" } ?? "")
  }

  /// Returns the reason why `action` can't be performed now, or nil if a message wouldn't help the user.
  static func reason(_ action: Action, keys: String) -> String? {
    switch action {
    case .acceptFollow, .refuseFollow: "No follow request here"
    case .reveal: noWarning
    case .viewPictures: PictureWords.none
    case .play: PictureWords.nothingToPlay
    case .pauseResource, .cancelResource: ResourceWords.nothingLoads
    case .openLink, .openFirstLink, .copyLink: "No link here"
    case .showHidden: HidingWords.noneHere
    case .sendHeld: PendingWords.nothing
    case .dismissNotification: "No notification here"
    case _ where QwinkerCommand.named(action) != nil: "\(keys) needs a user, and none is selected"
    case _ where QwinkCommand.named(action) != nil: "\(keys) needs a post, and none is selected"
    default: nil
    }
  }
}
