import PaneKit
import QwinkleAccount

/// Switching accounts and signing in.
extension MainViewController {
  func showAccounts() {
    guard let directory = factory.directory else { return say(AccountWords.none, .dim) }
    let sheet = AccountsSheet(
      directory: directory, keymap: keymap,
      choose: { [weak self] account in self?.choose(account) },
      add: { [weak self] in self?.signIn(at: "") })
    present(sheet)
  }

  /// Shows the screen of an account. Returns the reason if the account can't be shown or is already visible.
  func showAccount(_ name: String) -> String? {
    guard let directory = factory.directory else { return AccountWords.none }
    return directory.show(accountNamed: name)
  }

  private func choose(_ chosen: ListedAccount) {
    if chosen.isShown, account.connection.needsSignIn { return signIn() }
    guard let reason = showAccount(chosen.name) else { return }
    say(reason, chosen.isShown ? .dim : .error)
  }

  /// Signs in to this account again, or to another account if this one needs no sign-in.
  func signIn() {
    let connection = account.connection
    signIn(at: connection.isSignedIn && !connection.needsSignIn ? "" : connection.serverURL)
  }

  /// Signs in to an account and shows it. `server` is the initial text of the sheet's address field; may be empty.
  private func signIn(at server: String) {
    guard let steps = factory.directory?.newSignIn() else { return say(AccountWords.none, .dim) }
    let sheet = SignInSheet(steps, keymap: keymap, server: server) { [weak self] account in
      self?.factory.directory?.show(account)
    }
    sheet.navigator = self
    present(sheet)
  }

  /// Refreshes the visible panes, whose requests may have failed before the user signed in again.
  public func didSignInAgain() {
    for stack in shownStacks { stack.pane.front.refresh() }
    updateBars()
  }
}
