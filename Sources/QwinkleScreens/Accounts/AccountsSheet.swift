import PaneKit
import Terminal

/// A list of accounts. The user selects an account, or types its number.
@MainActor
final class AccountsSheet: ViewController {
  private static let maximumRows = 12

  private weak var directory: (any AccountDirectory)?
  private let choose: @MainActor (ListedAccount) -> Void
  private let rule = RuleView()
  private let list = ListView()
  private let hints = BarView()
  private var accounts: [ListedAccount]

  /// Creates a sheet that calls `choose` or `add` after it has closed.
  init(
    directory: any AccountDirectory, keymap: Keymap, choose: @escaping @MainActor (ListedAccount) -> Void,
    add: @escaping @MainActor () -> Void
  ) {
    self.directory = directory
    self.choose = choose
    accounts = directory.accounts
    super.init()
    title = AccountWords.title
    keyContext = .accounts
    for subview in [rule, list, hints] { view.addSubview(subview) }
    rule.title = [TextRun(AccountWords.title, .strong)]
    let last = min(9, accounts.count)
    hints.leading =
      [
        BarView.Item(
          [TextRun(last > 1 ? "1…\(last)" : "1", .key), TextRun(" \(AccountWords.choose)", .dim)], priority: 30)
      ] + StatusWords.hints(KeysInForce(keymap: keymap, contexts: [.accounts]), actions: [.back, .addAccount])
    preferredFirstResponder = list
    list.keyContext = .list
    list.dataSource = self
    list.performListActions()
    on(.open) { [weak self] in self?.choose(at: self?.list.selectedIndex) }
    on(.addAccount) { [weak self] in
      self?.dismiss()
      add()
    }
    on(.back) { [weak self] in self?.dismiss() }
    directory.didChange.add(self) { $0.reload() }
    list.reloadData()
    // Select the first account that isn't shown. With two accounts, Enter then switches to the other account.
    list.select(accounts.firstIndex { !$0.isShown } ?? accounts.indices.first)
  }

  override func preferredSheetRows(in size: Size) -> Int { min(max(1, accounts.count), Self.maximumRows) + 2 }

  override func keyDown(_ key: Key) -> Bool {
    guard let digit = key.typedCharacter?.wholeNumberValue, digit > 0 else { return false }
    choose(at: digit - 1)
    return true
  }

  override func layout(in size: Size) -> Layout? { .rows([.intrinsic: rule, .fill: list, .fixed(1): hints]) }

  private func choose(at index: Int?) {
    guard let index, accounts.indices.contains(index) else { return }
    dismiss()
    choose(accounts[index])
  }

  private func reload() {
    guard let directory else { return }
    let former = accounts
    accounts = directory.accounts
    guard accounts != former else { return }
    guard accounts.count == former.count else {
      list.reloadData()
      return view.invalidateIntrinsicSize()
    }
    list.reloadItems(at: Array(accounts.indices))
  }
}

extension AccountsSheet: ListViewDataSource {
  func numberOfItems(in listView: ListView) -> Int { accounts.count }

  func listView(_ listView: ListView, cellForItemAt index: Int) -> any ListCell {
    AccountCell(number: index + 1, account: accounts[index])
  }
}

/// A row of the sheet: the account's number, name, unread count and state.
@MainActor
private struct AccountCell: ListCell {
  let number: Int
  let account: ListedAccount

  func rows(forColumns columns: Int) -> Int { 1 }

  func draw(in canvas: Canvas, selection: ListSelection) {
    if selection != .none { canvas.write("▌", row: 0, column: 0, role: .selection) }
    if number < 10 { canvas.write("\(number)", row: 0, column: 2, role: .key) }
    var column = 5
    func write(_ text: String, _ role: StyleRole) {
      guard !text.isEmpty, column + 1 < canvas.size.columns else { return }
      column += canvas.write(text, row: 0, column: column, role: role, columns: canvas.size.columns - column - 1) + 2
    }
    write(account.words, account.isShown ? .strong : .text)
    if account.unreadCount > 0 { write(AccountWords.unread(account.unreadCount), .new) }
    if account.isShown { write(AccountWords.shown, .dim) }
    if let problem = account.problem { write(problem, .warning) }
  }
}
