import QwinkleScreens
import QwinkleStore
import Timekeeping

/// The accounts that the program can show.
@MainActor
protocol SwitchableAccounts: AnyObject {
  /// The full names, in the order in which the accounts were added.
  var names: [String] { get }
  /// Whether an account can be opened without the user's help. False for the embedded server, for a shared timeline
  /// that the user hasn't used yet, and for accounts whose token is printed by a command, which may ask for input.
  func opensByItself(_ name: String) -> Bool
  /// Returns the display name of the account with this full name.
  func words(of name: String) -> String
  /// Stores the domain shown in an account's handle. Pass nil if the domain is the server's host.
  func setDomain(_ domain: String?, of name: String)
  /// Returns the full name of the account that the user called `name`.
  func fullName(of name: String) throws(AppError) -> String
  /// Whether an account has a token command. Such a command may ask for input on the terminal.
  func mayAskOnTerminal(_ name: String) -> Bool
  /// Begins a session of the account with this full name. If the account has a token command, `isOnTerminal` determines
  /// whether the command can use the terminal. Cancelling the task ends only a command that can't use the terminal.
  func session(named name: String, isOnTerminal: Bool) async throws -> AccountSession
  /// Creates the steps for signing in to another account, which open the server's page with `opener`. Returns nil if
  /// accounts can't be added.
  func newSignIn(opener: any URLOpener) -> (any SignInSteps)?
}

extension SwitchableAccounts {
  func words(of name: String) -> String { name }
  func setDomain(_ domain: String?, of name: String) {}
  func mayAskOnTerminal(_ name: String) -> Bool { false }
}

/// The signed-in accounts, the shared timeline and the embedded server.
@MainActor
final class BookAccounts: SwitchableAccounts {
  private let book: AccountBook
  private let paths: Paths
  private let clock: any ProgramClock
  private let ledger: ActivityLedger
  private let wrappers: AccountSession.TransportWrappers

  /// - Parameter wrappers: Wraps the transports of each session.
  init(
    paths: Paths, clock: any ProgramClock, ledger: ActivityLedger, wrappers: AccountSession.TransportWrappers = .init()
  ) {
    book = AccountBook(paths: paths)
    self.paths = paths
    self.clock = clock
    self.ledger = ledger
    self.wrappers = wrappers
  }

  var names: [String] { book.names }

  func words(of name: String) -> String {
    // Names of other accounts contain an at sign.
    let isShared = name == SharedTimeline.name || name.hasPrefix("\(SharedTimeline.name)-") && !name.contains("@")
    return isShared ? "\(SharedTimeline.name) (\(SharedTimeline.accountWords))" : book.words(of: name)
  }

  func setDomain(_ domain: String?, of name: String) {
    guard let account = try? book.file.load()[name], account.domain != domain else { return }
    // Ignore errors: the domain is only displayed, and is stored again after the server's next response.
    _ = try? book.file.change { $0.setDomain(domain, of: name) }
  }

  func opensByItself(_ name: String) -> Bool {
    // The first connection makes an account, so that only the user opens the shared timeline for the first time.
    if let shared = shared(named: name) { return shared.wasUsed(paths) }
    return [.file, .keyring].contains(origin(of: name))
  }

  func mayAskOnTerminal(_ name: String) -> Bool {
    if case .command = origin(of: name) { true } else { false }
  }

  private func origin(of name: String) -> SavedAccount.TokenOrigin? { (try? book.account(named: name))?.tokenOrigin }

  func fullName(of name: String) throws(AppError) -> String {
    if let shared = shared(named: name) { return shared.folder }
    return try book.account(named: name)?.name ?? SessionChoice.local
  }

  /// Returns the shared timeline if `name` is its display name or the name of its folder.
  private func shared(named name: String) -> SharedTimeline? {
    guard name.hasPrefix(SharedTimeline.name), let shared = book.shared else { return nil }
    return [SharedTimeline.name, shared.folder].contains(name) ? shared : nil
  }

  func session(named name: String, isOnTerminal: Bool) async throws -> AccountSession {
    let isShared = shared(named: name) != nil
    guard !isShared, let account = try book.account(named: name) else {
      return try AccountSession.begin(
        SessionChoice(account: isShared ? SharedTimeline.name : name), paths: paths, clock: clock, ledger: ledger,
        wrappers: wrappers)
    }
    return try await AccountSession.begin(
      as: account, in: book, place: isOnTerminal ? .terminal : .background(input: []), clock: clock, ledger: ledger,
      wrappers: wrappers)
  }

  func newSignIn(opener: any URLOpener) -> (any SignInSteps)? {
    ScreenSignIn(desk: AccountManager(paths: paths), opener: opener)
  }
}
