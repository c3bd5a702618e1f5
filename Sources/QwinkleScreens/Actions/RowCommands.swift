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
    Self.command(action, on: screen.selectedQwink, screen.selectedQwinker, context)
      ?? screen.foreignQwink.flatMap { command(action, onForeign: $0) }
  }

  private static func command(
    _ action: Action, on qwink: Qwink?, _ qwinker: Qwinker?, _ context: QwinkCommand.Context
  ) -> (() -> Void)? {
    let account = context.account
    if let qwink, let command = QwinkCommand.named(action), command.isPossible(qwink, account) {
      return checked(action, command.needsAccount, { command.refusal(qwink, account) }, context) {
        command.perform(qwink, context)
      }
    }
    if let qwinker, let command = QwinkerCommand.named(action), command.isPossible(qwinker, account) {
      return checked(action, command.needsAccount, { command.refusal(qwinker, account) }, context) {
        command.perform(qwinker, context)
      }
    }
    return nil
  }

  /// Returns the command of `action` for a qwink of another server. The user's server doesn't know the qwink's ids, so
  /// the closure first finds the server's own copy, unless the command needs no server.
  private func command(_ action: Action, onForeign foreign: Qwink) -> (() -> Void)? {
    let (context, account) = (context, context.account)
    let command = QwinkCommand.named(action)
    if let command, command.worksElsewhere {
      return Self.checked(action, command.needsAccount, { command.refusal(foreign, account) }, context) {
        command.perform(foreign, context)
      }
    }
    guard let needsAccount = command?.needsAccount ?? QwinkerCommand.named(action)?.needsAccount else { return nil }
    return Self.checked(action, needsAccount, { nil }, context) {
      context.navigator.find(foreign, on: screen) { copy in
        if let command = Self.command(action, on: copy, copy.author, context) { return command() }
        if let reason = IgnoredKeyWords.reason(action, keys: action.key) { context.navigator.say(reason, .warning) }
      }
    }
  }

  private static func checked(
    _ action: Action, _ needsAccount: Bool, _ refusal: @escaping @MainActor () -> String?,
    _ context: QwinkCommand.Context, _ perform: @escaping @MainActor () -> Void
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
