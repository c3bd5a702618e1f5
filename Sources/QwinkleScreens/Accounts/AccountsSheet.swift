import PaneKit
import Terminal

/// A list of accounts to choose from.
@MainActor
final class AccountsSheet: ChoiceSheet<ListedAccount> {
  private weak var directory: (any AccountDirectory)?

  /// Creates a sheet that calls `choose` or `add` after it has closed.
  init(
    directory: any AccountDirectory, keymap: Keymap, choose: @escaping @MainActor (ListedAccount) -> Void,
    add: @escaping @MainActor () -> Void
  ) {
    self.directory = directory
    super.init(
      title: AccountWords.title, directory.accounts, verb: AccountWords.choose, context: .accounts,
      actions: [.back, .addAccount], keymap: keymap, choose: choose)
    on(.addAccount) { [weak self] in
      self?.dismiss()
      add()
    }
    directory.didChange.add(self) { $0.reload() }
    // Select the first account that isn't shown. With two accounts, Enter then switches to the other account.
    list.select(choices.firstIndex { !$0.isShown } ?? choices.indices.first)
  }

  private func reload() {
    guard let directory else { return }
    let former = choices
    choices = directory.accounts
    guard choices != former else { return }
    guard choices.count == former.count else {
      list.reloadData()
      return view.invalidateIntrinsicSize()
    }
    list.reloadItems(at: Array(choices.indices))
  }
}

extension ListedAccount: NumberedChoice {
  /// Draws the account's name, unread count and state.
  func draw(in canvas: Canvas, from start: Int) {
    var column = start
    func write(_ text: String, _ role: StyleRole) {
      guard !text.isEmpty, column + 1 < canvas.size.columns else { return }
      column += canvas.write(text, row: 0, column: column, role: role, columns: canvas.size.columns - column - 1) + 2
    }
    write(words, isShown ? .strong : .text)
    if unreadCount > 0 { write(AccountWords.unread(unreadCount), .new) }
    if isShown { write(AccountWords.shown, .dim) }
    if let problem { write(problem, .warning) }
  }
}
