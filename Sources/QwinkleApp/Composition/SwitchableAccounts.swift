import QwinkleScreens
import QwinkleStore
import Timekeeping

/// The accounts that a program can show.
@MainActor
protocol SwitchableAccounts: AnyObject {
  /// Their names, in the order in which they were added.
  var names: [String] { get }
  /// Whether an account can be opened before anybody asks for it: it has a server, and asks for no token.
  func opensByItself(_ name: String) -> Bool
  /// The account with this full name, for the user.
  func words(of name: String) -> String
  /// Stores the domain in the handle of the account with this full name; nil if it is the server's host.
  func setDomain(_ domain: String?, of name: String)
  /// The full name of the account that `name` means.
  func fullName(of name: String) throws(AppError) -> String
  /// Whether a command knows the token of an account, which may want to ask on the terminal.
  func mayAskOnTerminal(_ name: String) -> Bool
  /// Begins a session of the account with this full name. Its token command, if it has one, gets the terminal if
  /// `isOnTerminal`. Cancelling the task ends the command.
  func session(named name: String, isOnTerminal: Bool) async throws(AppError) -> AccountSession
  /// Begins to sign in to one more; nil where none can be added. `opener` shows the server's page.
  func newSignIn(opener: any URLOpener) -> (any SignInSteps)?
}

extension SwitchableAccounts {
  func words(of name: String) -> String { name }
  func setDomain(_ domain: String?, of name: String) {}
  func mayAskOnTerminal(_ name: String) -> Bool { false }
}

/// The accounts that somebody has signed in to, and the embedded service.
@MainActor
final class BookAccounts: SwitchableAccounts {
  private let book: AccountBook
  private let paths: Paths
  private let clock: any ProgramClock
  private let ledger: ActivityLedger
  private let way: AccountSession.Way

  /// - Parameter way: wraps the transports of each session.
  init(
    paths: Paths, clock: any ProgramClock, ledger: ActivityLedger, way: AccountSession.Way = .init()
  ) {
    book = AccountBook(paths: paths)
    self.paths = paths
    self.clock = clock
    self.ledger = ledger
    self.way = way
  }

  var names: [String] { book.names }

  func words(of name: String) -> String { book.words(of: name) }

  func setDomain(_ domain: String?, of name: String) {
    guard let account = try? book.file.load()[name], account.domain != domain else { return }
    // It is only shown. The next answer of the server is stored if this one can't be.
    _ = try? book.file.change { $0.setDomain(domain, of: name) }
  }

  func opensByItself(_ name: String) -> Bool { [.file, .keyring].contains(origin(of: name)) }

  func mayAskOnTerminal(_ name: String) -> Bool {
    if case .command = origin(of: name) { true } else { false }
  }

  private func origin(of name: String) -> KeptAccount.TokenOrigin? { (try? book.account(named: name))?.tokenOrigin }

  func fullName(of name: String) throws(AppError) -> String {
    try book.account(named: name)?.name ?? SessionChoice.local
  }

  func session(named name: String, isOnTerminal: Bool) async throws(AppError) -> AccountSession {
    guard let account = try book.account(named: name) else {
      return try AccountSession.begin(
        SessionChoice(account: name), paths: paths, clock: clock, ledger: ledger, way: way)
    }
    return try await AccountSession.begin(
      as: account, in: book, place: isOnTerminal ? .terminal : .background(input: []), clock: clock, ledger: ledger,
      way: way)
  }

  func newSignIn(opener: any URLOpener) -> (any SignInSteps)? {
    ScreenSignIn(desk: AccountDesk(paths: paths), opener: opener)
  }
}
