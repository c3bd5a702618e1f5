import PaneKit
import QwinkleModel

/// What a key can do about the selected qwinker, on whatever screen: who wrote, did or is what is selected there.
@MainActor
struct QwinkerCommand {
  let action: Action
  /// Whether only somebody with an account can do it.
  let needsAccount: Bool
  /// Whether there is anything to do.
  let isPossible: @MainActor (Qwinker, QwinkCommand.Context) -> Bool
  let perform: @MainActor (Qwinker, QwinkCommand.Context) -> Void

  init(
    _ action: Action, needsAccount: Bool = true,
    when isPossible: @escaping @MainActor (Qwinker, QwinkCommand.Context) -> Bool = { _, _ in true },
    perform: @escaping @MainActor (Qwinker, QwinkCommand.Context) -> Void
  ) {
    self.isPossible = isPossible
    self.action = action
    self.needsAccount = needsAccount
    self.perform = perform
  }

  /// All of them.
  static let all = leading + following + [writePrivately]
}
