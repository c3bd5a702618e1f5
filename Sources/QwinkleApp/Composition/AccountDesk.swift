import Foundation
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleWire
import Timekeeping

/// Signs accounts in and out, and stores the results.
@MainActor
struct AccountDesk {
  let book: AccountBook
  private let paths: Paths
  private let ledger = ActivityLedger()

  init(paths: Paths) {
    self.paths = paths
    book = AccountBook(paths: paths)
  }

  func signIn(at address: ServerAddress) -> SignIn {
    ProcessControl.forbidCoreDumps()
    return SignIn(serverURL: address.url, ledger: ledger, transport: AccountSession.transport)
  }

  // MARK: Signing in

  /// Checks that the account can be stored, before the user is asked anything.
  ///
  /// - Returns: where a damaged accounts file was set aside; nil if it was intact.
  func prepare(keepsToken: Bool) throws(AppError) -> String? {
    do throws(StoreError) {
      if keepsToken { try book.secrets.prepare() }
      let aside = try book.file.setAsideIfDamaged()
      _ = try book.file.load()
      return aside
    } catch {
      throw AppError(error)
    }
  }

  /// Stores an account. If that fails, asks the server to revoke the token, which would otherwise stay valid unused.
  ///
  /// - Returns: the account, all accounts, and a complaint about a problem that doesn't affect it.
  func keep(
    _ outcome: SignIn.Outcome, at address: ServerAddress, tokenFrom origin: KeptAccount.TokenOrigin, signIn: SignIn
  ) async throws(AppError) -> (account: KeptAccount, accounts: KeptAccounts, complaint: String?) {
    let account = KeptAccount(
      name: KeptAccount.name(outcome.qwinker.userName, at: address.host), serverURL: address.url,
      clientID: outcome.app?.clientID, tokenOrigin: origin)
    let former = formerSecrets(of: account.name)
    let kept: KeptAccounts
    do throws(StoreError) {
      try keepSecrets(of: outcome, for: account)
      kept = try book.file.change { $0.put(account) }
    } catch {
      try? restore(former, for: account.name)
      if let app = outcome.app { try? await signIn.revoke(outcome.token, of: app) }
      throw AppError(error)
    }
    return (account, kept, await giveBack(former, otherThan: outcome.token, signIn: signIn))
  }

  private func keepSecrets(of outcome: SignIn.Outcome, for account: KeptAccount) throws(StoreError) {
    if outcome.app == nil || account.tokenOrigin != .file { try book.secrets.remove(for: account.name) }
    guard account.tokenOrigin == .file else { return }
    if let app = outcome.app { try book.secrets.keep(app.clientSecret, as: .clientSecret, for: account.name) }
    try book.secrets.keep(outcome.token, as: .token, for: account.name)
  }

  // MARK: Signing out

  /// Asks the server of `account` to revoke its token.
  ///
  /// - Returns: whether it did; false if the token was not issued to this program or is missing here.
  func revoke(_ account: KeptAccount) async throws -> Bool {
    guard account.tokenOrigin == .file, let token = try book.secrets.load(.token, for: account.name),
      let secret = try book.secrets.load(.clientSecret, for: account.name), let clientID = account.clientID
    else { return false }
    let signIn = signIn(at: try ServerAddress(account.serverURL))
    try await signIn.revoke(token, of: .init(clientID: clientID, clientSecret: secret))
    return true
  }

  /// Forgets an account: its tokens, its cache and the saved state of its screen. Unsent drafts stay.
  func forget(_ account: KeptAccount) throws(AppError) -> KeptAccounts {
    do throws(StoreError) {
      try book.secrets.remove(for: account.name)
      let kept = try book.file.change { $0.remove(account.name) }
      try? FileManager.default.removeItem(atPath: "\(paths.cache)/\(account.name)")
      RestorationFile(directory: paths.state, account: account.name).forget()
      return kept
    } catch {
      throw AppError(error)
    }
  }

  /// A sentence about the drafts of `account`, sent without confirmation or not at all, that stay when it is forgotten;
  /// nil if there are none.
  func draftWords(of account: KeptAccount) -> String? {
    let folder = "\(paths.data)/\(account.name)"
    let count =
      ((try? OutgoingStore.entries(in: folder).count) ?? 0) + ((try? OutgoingStore.messages(in: folder).count) ?? 0)
    switch count {
    case 0: return nil
    case 1: return "1 draft stays in \(folder). Sign in again to restore it."
    default: return "\(count) drafts stay in \(folder). Sign in again to restore them."
    }
  }

  // MARK: Signing in again

  private struct FormerSecrets {
    var token: Secret?
    var clientSecret: Secret?
    var clientID: String?
  }

  private func formerSecrets(of name: String) -> FormerSecrets {
    FormerSecrets(
      token: try? book.secrets.load(.token, for: name), clientSecret: try? book.secrets.load(.clientSecret, for: name),
      clientID: (try? book.file.load())?[name]?.clientID)
  }

  private func restore(_ former: FormerSecrets, for name: String) throws(StoreError) {
    try book.secrets.remove(for: name)
    if let secret = former.clientSecret { try book.secrets.keep(secret, as: .clientSecret, for: name) }
    if let token = former.token { try book.secrets.keep(token, as: .token, for: name) }
  }

  /// Revokes a token that a new one has replaced. Returns a complaint if that fails.
  private func giveBack(_ former: FormerSecrets, otherThan token: Secret, signIn: SignIn) async -> String? {
    guard let formerToken = former.token, formerToken != token, let secret = former.clientSecret,
      let clientID = former.clientID
    else { return nil }
    do throws(SignInError) {
      try await signIn.revoke(formerToken, of: .init(clientID: clientID, clientSecret: secret))
      return nil
    } catch {
      return "The previous token was not revoked. \(error.sentence)"
    }
  }
}
