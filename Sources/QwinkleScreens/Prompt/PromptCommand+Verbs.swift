import PaneKit
import QwinkleAccount
import QwinkleModel

/// Commands that perform an action that also has a key. The keymap has their descriptions.
extension PromptCommand {
  static let verbs: [PromptCommand] = [
    verb("new", .compose), verb("reply", .reply), userVerb("message", .message), verb("boost", .boost),
    verb("favourite", .favourite), verb("bookmark", .bookmark), verb("pin", .pin), verb("edit", .edit),
    verb("delete", .delete), verb("redraft", .redraft), verb("parent", .parent), verb("mute-thread", .muteThread),
    verb("open-link", .openLink), verb("copy-link", .copyLink), verb("view-pictures", .viewPictures),
    verb("reveal", .reveal), verb("author", .author), userVerb("follow", .follow), userVerb("accept", .acceptFollow),
    userVerb("refuse", .refuseFollow), verb("messages", .sectionMessages),
    verb("notifications", .sectionNotifications), verb("refresh", .refresh), verb("undo", .undo),
    verb("now", .sendHeld), verb("sign-in", .signIn),
  ]

  private static func verb(_ name: String, _ action: Action) -> PromptCommand {
    PromptCommand(
      name: name, action: action, ability: action.ability, perform: { _, _ in .perform(action, name) })
  }

  /// Returns a command for the user with a name or, without a name, for the selected user.
  private static func userVerb(_ name: String, _ action: Action) -> PromptCommand {
    PromptCommand(
      name: name, argument: Argument(kind: .qwinker, word: "NAME", isOptional: true), action: action,
      ability: action.ability,
      perform: { situation, text in
        guard !text.isEmpty else { return .perform(action, name) }
        return situation.withOther(text) { qwinker in .act { perform(action, name, on: qwinker, $0) } }
      })
  }

  @MainActor
  private static func perform(
    _ action: Action, _ name: String, on qwinker: Qwinker, _ context: QwinkCommand.Context
  ) {
    guard let command = QwinkerCommand.all.first(where: { $0.action == action }),
      command.isPossible(qwinker, context)
    else {
      return context.navigator.say(IgnoredKeyWords.reason(action, keys: ":\(name)") ?? "", .warning)
    }
    command.perform(qwinker, context)
  }
}
