import PaneKit
import QwinkleAccount
import QwinkleModel

extension PromptCommand {
  /// Commands that create and change filters.
  static let filterActs: [PromptCommand] = [
    PromptCommand(
      name: "mute-tag", argument: Argument(kind: .tag, word: "NAME [for TIME]", isOptional: true),
      summary: "mute a hashtag or this timeline's, or unmute it; for 8h or 7d", ability: .filters,
      perform: { situation, text in situation.muteTag(text) }),
    PromptCommand(
      name: "filter-post", argument: Argument(kind: .words, word: "FILTER", isOptional: true),
      summary: "add the selected post to a filter; without a name, to “\(ContentFilter.hiddenPostsTitle)”",
      ability: .filters,
      perform: { situation, text in
        guard let qwink = situation.selectedQwink else { return .refuse(PromptWords.noQwink) }
        return situation.ifSignedIn(.act { PromptActions.filter(qwink, by: text.isEmpty ? nil : text, $0) })
      }),
    PromptCommand(
      name: "filter-matches", argument: Argument(kind: .words, word: "FILTER"),
      summary: "the cached posts that match one of your filters", ability: .filters,
      perform: { situation, text in situation.ifSignedIn(.act { PromptActions.showMatches(of: text, $0) }) }),
  ]
}

extension PromptSituation {
  fileprivate static let muteTagUsage = PromptWords.usage(":mute-tag NAME for TIME", "such as garden for 7d")

  fileprivate func muteTag(_ text: String) -> PromptOutcome {
    var words = text.split(separator: " ").map(String.init)
    var seconds: Int?
    if let index = words.firstIndex(of: "for") {
      guard index == words.count - 2, let typed = PromptActions.seconds(words[index + 1]) else {
        return .refuse(Self.muteTagUsage)
      }
      seconds = typed
      words.removeLast(2)
    }
    guard let word = words.first else { return ifSignedIn(.choose(.muteTag(seconds: seconds))) }
    let name = word.hasPrefix("#") ? String(word.dropFirst()) : word
    guard words.count == 1, TimelineName(word: "#\(name)") != nil else { return .refuse(PromptWords.badTag) }
    return ifSignedIn(
      .act { context in
        PromptActions.muteTag(
          name, isOn: seconds == nil ? nil : true, seconds: seconds, context.account, context.navigator)
      })
  }
}
