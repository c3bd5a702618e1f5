import QwinkleModel

/// Messages about failed actions. Each string is the beginning of a sentence.
enum FailureWords {
  static let deleting = "Deleting"
  static let dismissing = "Dismissing"
  static let clearing = "Clearing notifications"

  static func following(isOn: Bool) -> String { isOn ? "Following" : "Unfollowing" }

  static func muting(isOn: Bool) -> String { isOn ? "Muting" : "Unmuting" }

  static func removing(_ picture: OwnProfile.Picture) -> String { "Removing your \(picture.rawValue)" }

  static func replacing(_ picture: OwnProfile.Picture) -> String { "Replacing your \(picture.rawValue)" }

  static func featuring(_ name: String, isOn: Bool) -> String {
    "\(isOn ? "Featuring" : "Removing") #\(name)"
  }

  static func featured(_ name: String, isOn: Bool) -> String {
    isOn ? "#\(name) shown on your profile" : "#\(name) removed from your profile"
  }

  static func answering(accepts: Bool) -> String { accepts ? "Accepting" : "Refusing" }

  static func answeringNotifications(accepts: Bool) -> String {
    accepts ? "Accepting the notifications of" : "Dismissing the notifications of"
  }

  static func reacting(_ reaction: Reaction, isOn: Bool) -> String {
    isOn ? reaction.activity : "Removing the \(reaction.noun)"
  }

  static func failed(_ what: String) -> String { "\(what) failed." }
}
