import PaneKit
import QwinkleAccount
import QwinkleModel
import Timekeeping

/// A key command for the selected qwink, on any screen. Each file in this folder contains related commands.
@MainActor
struct QwinkCommand {
  /// The environment of a command.
  @MainActor
  struct Context {
    let account: Account
    let links: LinkActions
    let settings: ReaderSettings
    /// Presents the commands' sheets.
    unowned let navigator: any Navigator & ViewController
  }

  let action: Action
  /// Whether the command requires an account.
  let needsAccount: Bool
  /// Returns whether the command can act on the qwink. If it can't, the key may still act on the row's qwinker.
  let isPossible: @MainActor (Qwink, Context) -> Bool
  let perform: @MainActor (Qwink, Context) -> Void

  init(
    _ action: Action, needsAccount: Bool = true,
    when isPossible: @escaping @MainActor (Qwink, Context) -> Bool = { _, _ in true },
    perform: @escaping @MainActor (Qwink, Context) -> Void
  ) {
    self.isPossible = isPossible
    self.action = action
    self.needsAccount = needsAccount
    self.perform = perform
  }

  static let all = reactions + keeping + writing + leading + reporting
}

extension Account {
  /// Returns actions to show as key hints for `qwink`: viewing pictures and voting in a poll, if they are possible.
  func possible(on qwink: Qwink?) -> [Action] {
    guard let qwink else { return [] }
    let canVote = isSignedIn && qwink.poll.map { ActionWords.cannotVote(in: $0, at: clock.now) == nil } ?? false
    return (qwink.attachments.isEmpty ? [] : [.viewPictures]) + (canVote ? [.vote] : [])
  }

  /// Returns the `actions` that are possible on `qwink`, to show as key hints.
  func possible(_ actions: [Action], on qwink: Qwink?) -> [Action] {
    guard isSignedIn, let qwink else { return [] }
    return actions.filter { $0 != .boost || qwink.canBeBoosted(by: identity.me?.id) }
  }
}
