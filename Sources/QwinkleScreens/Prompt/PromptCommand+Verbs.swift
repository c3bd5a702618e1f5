import PaneKit
import QwinkleAccount
import QwinkleModel

/// Commands that perform an action that also has a key. The keymap has their descriptions.
extension PromptCommand {
  /// In the order of the help and of completion.
  static let verbs =
    [verb("new", .compose)]
    + QwinkerCommand.all.compactMap { command in command.prompt.map { userVerb($0, command) } }
    + QwinkCommand.all.compactMap { command in command.prompt.map { verb($0, command.action) } }
    + [
      verb("author", .author), verb("messages", .sectionMessages), verb("notifications", .sectionNotifications),
      verb("refresh", .refresh), verb("undo", .undo), verb("now", .sendHeld), verb("sign-in", .signIn),
    ]

  private static func verb(_ name: String, _ action: Action) -> PromptCommand {
    // Drafts and unsent messages can be edited and deleted even if the server supports neither.
    let isAlsoLocal = action == .edit || action == .delete
    return PromptCommand(
      name: name, action: action, ability: isAlsoLocal ? nil : action.ability,
      perform: { _, _ in .perform(action, name) })
  }

  /// Returns a command for the user with a name or, without a name, for the selected user.
  private static func userVerb(_ name: String, _ command: QwinkerCommand) -> PromptCommand {
    let action = command.action
    return PromptCommand(
      name: name, argument: Argument(kind: .qwinker, word: "NAME", isOptional: true), action: action,
      ability: action.ability,
      perform: { situation, text in
        guard !text.isEmpty else { return .perform(action, name) }
        // The requests of named users may not be loaded, so the server decides whether the action is possible.
        return situation.withOther(text) { qwinker in
          .act { command.perform(qwinker, $0) }
        }
      })
  }
}
