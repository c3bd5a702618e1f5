import PaneKit
import QwinkleModel

/// A command for the qwinker of the selected row, on any screen. The qwinker is the row's author, actor or subject.
@MainActor
struct QwinkerCommand {
  let action: Action
  let needsAccount: Bool
  /// Returns whether the command can do anything for the qwinker.
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

  static let all = leading + following + keepingAway + [message, report]
}
