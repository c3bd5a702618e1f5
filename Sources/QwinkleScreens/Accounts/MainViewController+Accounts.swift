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

  /// Opens the sign-in sheet. Its address field contains this account's server if the account is signed out or must
  /// sign in again. Otherwise the field is empty, for another account.
  func signIn() {
    let connection = account.connection
    signIn(at: connection.isSignedIn && !connection.needsSignIn ? "" : connection.serverURL)
  }

  /// Opens the sign-in sheet, which shows the account once the user has signed in. `server` is the initial text of the
  /// sheet's address field and may be empty.
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
    for stack in router.shownStacks { stack.pane.front.refresh() }
    setNeedsBars()
  }
}
