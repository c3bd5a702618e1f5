import PaneKit
import QwinkleAccount
import QwinkleModel

/// Like ``QwinkCommand``, but for the qwinker of the selected row: the row's author, actor or subject.
struct QwinkerCommand: Sendable {
  let action: Action
  /// The command's name in the `:` prompt, where its argument can name another qwinker. Nil if it has none there, or if
  /// a table of `PromptCommand` has it.
  let prompt: String?
  let needsAccount: Bool
  /// Returns whether the command can do anything for the qwinker.
  let isPossible: @MainActor @Sendable (Qwinker, Account) -> Bool
  /// Returns the reason why the command can't act on the qwinker, if any.
  let refusal: @MainActor @Sendable (Qwinker, Account) -> String?
  let perform: @MainActor @Sendable (Qwinker, QwinkCommand.Context) -> Void

  init(
    _ action: Action, prompt: String? = nil, needsAccount: Bool = true,
    when isPossible: @escaping @MainActor @Sendable (Qwinker, Account) -> Bool = { _, _ in true },
    refusing refusal: @escaping @MainActor @Sendable (Qwinker, Account) -> String? = { _, _ in nil },
    perform: @escaping @MainActor @Sendable (Qwinker, QwinkCommand.Context) -> Void
  ) {
    self.action = action
    self.prompt = prompt
    self.needsAccount = needsAccount
    self.isPossible = isPossible
    self.refusal = refusal
    self.perform = perform
  }

  static let all = leading + [message] + following + keepingAway + [report]

  static func named(_ action: Action) -> QwinkerCommand? { all.first { $0.action == action } }
}

extension Action {
  /// Whether the action is about the selected row.
  var isAboutRow: Bool { QwinkCommand.named(self) != nil || QwinkerCommand.named(self) != nil }
}
