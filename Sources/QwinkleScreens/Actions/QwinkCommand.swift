import PaneKit
import QwinkleAccount
import QwinkleModel

/// A command for the selected qwink, by key or by name, on any screen. Each file in this folder has related commands.
struct QwinkCommand: Sendable {
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
  /// The command's name in the `:` prompt. Nil if it has none there, or if a table of `PromptCommand` has it.
  let prompt: String?
  let needsAccount: Bool
  /// Whether the command sends no id of the qwink to the server, so that it can act on a qwink of another server.
  let worksElsewhere: Bool
  /// Returns whether the command can act on the qwink. If it can't, the key may still act on the row's qwinker.
  let isPossible: @MainActor @Sendable (Qwink, Account) -> Bool
  /// Returns the reason why the command can't act on the qwink, if any. It is shown when the key is pressed, and the
  /// status bar omits the key.
  let refusal: @MainActor @Sendable (Qwink, Account) -> String?
  let perform: @MainActor @Sendable (Qwink, Context) -> Void

  init(
    _ action: Action, prompt: String? = nil, needsAccount: Bool = true, worksElsewhere: Bool = false,
    when isPossible: @escaping @MainActor @Sendable (Qwink, Account) -> Bool = { _, _ in true },
    refusing refusal: @escaping @MainActor @Sendable (Qwink, Account) -> String? = { _, _ in nil },
    perform: @escaping @MainActor @Sendable (Qwink, Context) -> Void
  ) {
    self.action = action
    self.prompt = prompt
    self.needsAccount = needsAccount
    self.worksElsewhere = worksElsewhere
    self.isPossible = isPossible
    self.refusal = refusal
    self.perform = perform
  }

  static let all = writing + reactions + keeping + leading + translating + reporting

  static func named(_ action: Action) -> QwinkCommand? { all.first { $0.action == action } }

  /// Key hints about what the qwink has.
  static let contentHints: [Action] = [.viewPictures, .play, .vote]
  /// Key hints of lists, which have less room than a thread.
  static let listHints: [Action] = [.reply, .boost, .bookmark]
  static let threadHints: [Action] = [.reply] + Reaction.allCases.map(\.action)
}

extension Account {
  /// Returns the `actions` that are possible on `qwink`, to show as key hints.
  func possible(_ actions: [Action], on qwink: Qwink?) -> [Action] {
    guard let qwink else { return [] }
    return actions.filter { action in
      guard let command = QwinkCommand.named(action) else { return false }
      return (isSignedIn || !command.needsAccount) && command.isPossible(qwink, self)
        && command.refusal(qwink, self) == nil
    }
  }
}
