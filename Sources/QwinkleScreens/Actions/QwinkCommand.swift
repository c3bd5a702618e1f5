import PaneKit
import QwinkleAccount
import QwinkleModel

/// What a key can do to the selected qwink, on whatever screen it stands. The commands that are alike share a
/// file of this folder.
@MainActor
struct QwinkCommand {
  /// What a command may use.
  @MainActor
  struct Context {
    let account: Account
    let links: LinkActions
    /// Whose window sheets stand in.
    unowned let navigator: any Navigator & ViewController
  }

  let action: Action
  /// Whether only somebody with an account can do it.
  let needsAccount: Bool
  let perform: @MainActor (Qwink, Context) -> Void

  init(_ action: Action, needsAccount: Bool = true, perform: @escaping @MainActor (Qwink, Context) -> Void) {
    self.action = action
    self.needsAccount = needsAccount
    self.perform = perform
  }

  /// All of them.
  static let all = reactions + writing + leading
}

extension Account {
  /// Those of `actions`, which are done to a qwink, that can be done to this one: for hints.
  func possible(_ actions: [Action], on qwink: Qwink?) -> [Action] {
    guard isSignedIn, let qwink else { return [] }
    return actions.filter { $0 != .boost || qwink.canBeBoosted(by: identity.me?.id) }
  }
}
