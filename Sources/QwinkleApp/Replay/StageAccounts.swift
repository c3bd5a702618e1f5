import QwinkleAccount
import QwinkleReplay
import QwinkleScreens
import QwinkleServer
import QwinkleService
import Timekeeping

/// The accounts of a tape: the owner's, and others on the same embedded service.
@MainActor
final class StageAccounts: SwitchableAccounts {
  private let others: [String]
  private let service: Service
  private let fetchesAhead: Bool
  private let ledger: ActivityLedger
  private let wrappers: AccountSession.TransportWrappers
  private let token: @MainActor (String) throws -> String
  private let passes = SignInPasses()

  /// - Parameters:
  ///   - token: Returns the token of an account on the service.
  ///   - wrappers: Wraps the transports of each session.
  init(
    _ others: [String], on service: Service, fetchesAhead: Bool = false, ledger: ActivityLedger,
    token: @escaping @MainActor (String) throws -> String, wrappers: AccountSession.TransportWrappers
  ) {
    self.others = others
    self.token = token
    self.service = service
    self.fetchesAhead = fetchesAhead
    self.ledger = ledger
    self.wrappers = wrappers
  }

  var names: [String] { others.map(Self.fullName) + [SessionChoice.local] }

  func opensByItself(_ name: String) -> Bool { others.contains { Self.fullName($0) == name } }

  func fullName(of name: String) throws(AppError) -> String {
    guard let name = names.first(where: { $0 == name || $0.prefix { $0 != "@" } == name }) else {
      throw .failed("No account “\(name)”. Known: \(names.joined(separator: ", ")).")
    }
    return name
  }

  func session(named name: String, isOnTerminal: Bool) throws -> AccountSession {
    guard let other = others.first(where: { Self.fullName($0) == name }) else {
      throw AppError.failed("The owner's account is open from the start.")
    }
    let pass = passes.pass(for: try token(other))
    return AccountSession(
      accountFolder: name, words: name, isSignedIn: true,
      downloads: DownloadService(
        configuration: .init(serverURL: AccountConnection.embeddedURL, token: pass), ledger: ledger,
        transport: { [service, wrappers, passes] in
          wrappers.requests(passes.checked(service.transport()))
        }),
      media: AccountSession.media(server: AccountConnection.embeddedURL, wrappers: wrappers) { [service, wrappers] in
        wrappers.requests(service.transport())
      },
      service: nil, opensHome: true, fetchesAhead: fetchesAhead)
  }

  /// Creates a sign-in that accepts only the tape's accounts, because a tape never connects to another server.
  func newSignIn(opener: any URLOpener) -> (any SignInSteps)? { StageSignIn(self) }

  /// Revokes the token with which the program is signed in as `name`.
  func revoke(_ name: String) throws {
    passes.revoke(try token(name))
  }

  fileprivate func signIn(as name: String) -> SignedInAccount? {
    others.contains(name) ? SignedInAccount(name: Self.fullName(name)) : nil
  }

  private static func fullName(_ name: String) -> String { "\(name)@local" }
}

/// A tape's sign-in. The code is the account's name.
@MainActor
private final class StageSignIn: SignInSteps {
  private let accounts: StageAccounts

  init(_ accounts: StageAccounts) {
    self.accounts = accounts
  }

  func begin(at server: String) async throws(SignInTrouble) -> SignInPage {
    guard server == AccountConnection.embeddedURL else {
      throw SignInTrouble("A tape can sign in only at http://local.")
    }
    return SignInPage(address: "\(server)/oauth/authorize", isOpen: false)
  }

  func redirected() async -> String? { nil }

  func finish(code: String) async throws(SignInTrouble) -> SignedInAccount {
    guard let account = accounts.signIn(as: code) else {
      throw SignInTrouble("The code is the name of an account.", isAboutCode: true)
    }
    return account
  }

  func end() {}
}
