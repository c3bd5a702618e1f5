import PaneKit
import QwinkleAccount
import QwinkleModel

extension PromptCommand {
  /// Commands for the hashtags on the user's profile.
  static let featuring = [
    featuring("feature-tag", "show a hashtag on your profile", isOn: true),
    featuring("unfeature-tag", "remove a hashtag from your profile", isOn: false),
  ]

  private static func featuring(_ name: String, _ summary: String, isOn: Bool) -> PromptCommand {
    PromptCommand(
      name: name, argument: Argument(kind: .tag, word: "NAME"), summary: summary, ability: .featuredTags,
      perform: { situation, text in
        let tag = String(text.drop { $0 == "#" })
        guard TimelineName(word: "#\(tag)") != nil else { return .refuse(PromptWords.badTag) }
        return situation.ifSignedIn(.act { PromptActions.featureTag(tag, isOn: isOn, $0) })
      })
  }
}

extension PromptActions {
  static func featureTag(_ name: String, isOn: Bool, _ context: QwinkCommand.Context) {
    if let refusal = context.account.connection.refusal(of: .featuredTags) {
      return context.navigator.say(refusal, .warning)
    }
    context.account.featureTag(name, isOn: isOn) { [weak navigator = context.navigator] isChanged in
      let words = FeaturedTagWords.result(name, isOn: isOn, isChanged: isChanged)
      navigator?.say(isChanged ? ActionWords.undoable(words) : words, isChanged ? .new : .dim)
    }
  }
}

/// Messages about hashtags on the user's profile.
public enum FeaturedTagWords {
  public static func result(_ name: String, isOn: Bool, isChanged: Bool) -> String {
    switch (isOn, isChanged) {
    case (true, true): "#\(name) is on your profile"
    case (true, false): "#\(name) is on your profile already"
    case (false, true): "#\(name) removed from your profile"
    case (false, false): "#\(name) is not on your profile"
    }
  }
}
