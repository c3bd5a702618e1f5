import PaneKit
import QwinkleAccount
import QwinkleModel
import Timekeeping

/// A key's command for the selected qwink, on any screen. Each file of this folder holds similar commands.
@MainActor
struct QwinkCommand {
  /// What a command can use.
  @MainActor
  struct Context {
    let account: Account
    let links: LinkActions
    let settings: ReaderSettings
    /// Presents the commands' sheets.
    unowned let navigator: any Navigator & ViewController
  }

  let action: Action
  /// Whether it requires an account.
  let needsAccount: Bool
  /// Whether it is about the qwink, and not about whom a row with it names.
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

  /// All of them.
  static let all = reactions + keeping + writing + leading + reporting
}

extension Account {
  /// What can be done to what `qwink` has and others don't, for hints: pictures, and a poll to vote in.
  func possible(on qwink: Qwink?) -> [Action] {
    guard let qwink else { return [] }
    let canVote = isSignedIn && qwink.poll.map { ActionWords.cannotVote(in: $0, at: clock.now) == nil } ?? false
    return (qwink.attachments.isEmpty ? [] : [.viewPictures]) + (canVote ? [.vote] : [])
  }

  /// The `actions` that can be done to `qwink`, for hints.
  func possible(_ actions: [Action], on qwink: Qwink?) -> [Action] {
    guard isSignedIn, let qwink else { return [] }
    return actions.filter { $0 != .boost || qwink.canBeBoosted(by: identity.me?.id) }
  }
}
