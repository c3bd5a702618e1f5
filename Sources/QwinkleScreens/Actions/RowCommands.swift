import PaneKit
import QwinkleAccount
import QwinkleModel

/// The commands for the selected row of a screen.
@MainActor
struct RowCommands {
  let screen: any Screen
  let context: QwinkCommand.Context

  static let actions = QwinkCommand.all.map(\.action) + QwinkerCommand.all.map(\.action)

  /// Returns the command of `action` for the selected qwink, or else for the selected qwinker, if any. If the command
  /// is refused, the closure only shows the reason.
  func command(_ action: Action) -> (() -> Void)? {
    let account = context.account
    if let qwink = screen.selectedQwink, let command = QwinkCommand.named(action), command.isPossible(qwink, account) {
      return checked(action, command.needsAccount, { command.refusal(qwink, account) }) {
        command.perform(qwink, context)
      }
    }
    if let qwinker = screen.selectedQwinker, let command = QwinkerCommand.named(action),
      command.isPossible(qwinker, account)
    {
      return checked(action, command.needsAccount, { command.refusal(qwinker, account) }) {
        command.perform(qwinker, context)
      }
    }
    return nil
  }

  private func checked(
    _ action: Action, _ needsAccount: Bool, _ refusal: @escaping @MainActor () -> String?,
    _ perform: @escaping @MainActor () -> Void
  ) -> () -> Void {
    {
      let account = context.account
      let reason =
        needsAccount && !account.isSignedIn
        ? MainWords.thisNeedsAccount : action.ability.flatMap(account.connection.refusal) ?? refusal()
      if let reason { context.navigator.say(reason, .warning) } else { perform() }
    }
  }
}
