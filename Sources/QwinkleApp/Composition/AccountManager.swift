import Foundation
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleWire
import Timekeeping

/// Signs the user in and out, and stores and removes their accounts.
@MainActor
struct AccountManager {
  let book: AccountBook
  private let paths: Paths
  private let ledger = ActivityLedger()
  private let transport: @Sendable () -> any Transport

  /// - Parameter transport: creates the transport to an account's server.
  init(paths: Paths, transport: @escaping @Sendable () -> any Transport = { AccountSession.transport() }) {
    self.paths = paths
    self.transport = transport
    book = AccountBook(paths: paths)
  }

  func signIn(at address: ServerAddress) -> SignIn {
    ProcessControl.forbidCoreDumps()
    return SignIn(serverURL: address.url, ledger: ledger, transport: transport)
  }

  // MARK: Signing in

  /// Checks that an account can be stored, so that a failure is reported before the user signs in.
  ///
  /// - Returns: The path to which a corrupt accounts file was moved, or nil if the file was intact.
  func prepare(keepsToken: Bool) throws(StoreError) -> String? {
    if keepsToken { try book.secrets.prepare() }
    let aside = try book.file.setAsideIfDamaged()
    _ = try book.file.load()
    return aside
  }

  /// Returns a message about a corrupt accounts file, which was moved to `aside`.
  func wordsAboutDamage(movedTo aside: String) -> String {
    "\(book.file.path) was damaged. It was moved to \(aside), and a new one was started."
  }

  /// The storage location of an account's token.
  enum Keeping: Equatable {
    /// In the desktop's keyring if it works, otherwise in a file.
    case keyringOrFile
    case file
    /// The token isn't stored: a command prints it.
    case command(String)
  }

  /// Stores an account and its secrets, and revokes the account's previous token, if any. If storing fails, restores
  /// the previous secrets. If the new token was issued to Qwinkle, also asks the server to revoke the new token, which
  /// would otherwise remain valid although nothing uses it.
  ///
  /// - Returns: The account, all accounts, and a warning about problems that didn't prevent signing in, if any.
  func keep(
    _ outcome: SignIn.Outcome, at address: ServerAddress, in keeping: Keeping, signIn: SignIn
  ) async throws(AppError) -> (account: SavedAccount, accounts: SavedAccounts, complaint: String?) {
    let name = self.name(of: outcome.qwinker, at: address)
    let domain = await signIn.domain(for: outcome.token).flatMap { address.domain(named: $0) }
    let former = await formerSecrets(of: name)
    let account: SavedAccount
    let saved: SavedAccounts
    do throws(StoreError) {
      account = SavedAccount(
        name: name, serverURL: address.url, domain: domain, clientID: outcome.app?.clientID,
        tokenOrigin: try await keepSecrets(of: outcome, named: name, in: keeping, former: former.origin))
      saved = try book.file.change { $0.put(account) }
    } catch {
      try? await restore(former, for: name)
      if let app = outcome.app { try? await signIn.revoke(outcome.token, of: app) }
      throw AppError(error)
    }
    let complaints = [
      Self.wordsAboutPlace(former.origin, account),
      await giveBack(former, otherThan: outcome.token, signIn: signIn),
    ].compactMap(\.self)
    return (account, saved, complaints.isEmpty ? nil : complaints.joined(separator: " "))
  }

  /// Whether an account of the server at `address` is stored.
  func hasAccount(at address: ServerAddress) throws(AppError) -> Bool {
    try book.load().accounts.contains { (try? ServerAddress($0.serverURL))?.host == address.host }
  }

  /// Returns the name under which to store a user's account. An account that is already stored retains its name, which
  /// may include the default port because earlier versions stored the port.
  private func name(of qwinker: Qwinker, at address: ServerAddress) -> String {
    let usual = SavedAccount.name(qwinker.userName, at: address.host)
    let accounts = (try? book.load())?.accounts ?? []
    let user = usual.prefix { $0 != "@" }
    return accounts.first { $0.userName == user && (try? ServerAddress($0.serverURL))?.host == address.host }?.name
      ?? usual
  }

  /// Stores the secrets in the location chosen by `keeping`, and removes the account's earlier secrets from the other
  /// locations. Returns the location.
  private func keepSecrets(
    of outcome: SignIn.Outcome, named name: String, in keeping: Keeping, former: SavedAccount.TokenOrigin?
  ) async throws(StoreError) -> SavedAccount.TokenOrigin {
    if case .command(let command) = keeping {
      try await book.removeSecrets(of: name, in: former ?? .file)
      return .command(command)
    }
    if keeping == .keyringOrFile, await keepInKeyring(outcome, named: name) {
      try book.secrets.remove(for: name)
      return .keyring
    }
    if former == .keyring { await book.keyring.remove(for: name) }
    if outcome.app == nil { try book.secrets.remove(for: name) }
    if let app = outcome.app { try book.secrets.keep(app.clientSecret, as: .clientSecret, for: name) }
    try book.secrets.keep(outcome.token, as: .token, for: name)
    return .file
  }

  private func keepInKeyring(_ outcome: SignIn.Outcome, named name: String) async -> Bool {
    guard await book.keyring.keep(outcome.token, as: .token, for: name) else { return false }
    guard let app = outcome.app else { return true }
    return await book.keyring.keep(app.clientSecret, as: .clientSecret, for: name)
  }

  /// Returns a sentence about the token's new location if a command printed the token until now, and the token is now
  /// stored. Otherwise returns nil.
  private static func wordsAboutPlace(_ former: SavedAccount.TokenOrigin?, _ account: SavedAccount) -> String? {
    guard case .command(let command) = former, account.tokenOrigin != former else { return nil }
    switch account.tokenOrigin {
    case .command: return nil
    case .keyring: return "The token is in the keyring now; the command “\(command)” is no longer used."
    case .file: return "The token is in a file now; the command “\(command)” is no longer used."
    }
  }

  // MARK: Signing out

  /// Revokes the token of `account` on its server.
  ///
  /// - Returns: Whether the server has revoked the token. If the token was not issued to Qwinkle or isn't stored on
  ///   this machine, returns false without sending a request.
  func revoke(_ account: SavedAccount) async throws -> Bool {
    guard let token = try await book.secret(.token, of: account.name, in: account.tokenOrigin),
      let secret = try await book.secret(.clientSecret, of: account.name, in: account.tokenOrigin),
      let clientID = account.clientID
    else { return false }
    let signIn = signIn(at: try ServerAddress(typed: account.serverURL))
    try await signIn.revoke(token, of: .init(clientID: clientID, clientSecret: secret))
    return true
  }

  /// Removes an account and its secrets, cache and saved screen, and returns the remaining accounts. Unsent drafts are
  /// not removed. If the secrets can't be removed, throws an error and keeps the account.
  func forget(_ account: SavedAccount) async throws(StoreError) -> SavedAccounts {
    guard try await book.removeSecrets(of: account.name, in: account.tokenOrigin) else {
      throw .unusable(path: "the keyring", reason: "it still has the token; unlock it and try again")
    }
    let saved = try book.file.change { $0.remove(account.name) }
    try? FileManager.default.removeItem(atPath: "\(paths.cache)/\(account.name)")
    RestorationFile(directory: paths.state, account: account.name).forget()
    return saved
  }

  /// Returns a sentence about the unsent drafts of `account`, which remain when the account is removed. Returns nil if
  /// the account has no drafts.
  func draftWords(of account: SavedAccount) -> String? {
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
    var origin: SavedAccount.TokenOrigin?
  }

  private func formerSecrets(of name: String) async -> FormerSecrets {
    let account = (try? book.file.load())?[name]
    let origin = account?.tokenOrigin ?? .file
    return FormerSecrets(
      token: try? await book.secret(.token, of: name, in: origin),
      clientSecret: try? await book.secret(.clientSecret, of: name, in: origin), clientID: account?.clientID,
      origin: account?.tokenOrigin)
  }

  private func restore(_ former: FormerSecrets, for name: String) async throws(StoreError) {
    try await book.removeSecrets(of: name, in: .keyring)
    let secrets: [(SecretFiles.Kind, Secret?)] = [(.clientSecret, former.clientSecret), (.token, former.token)]
    for case (let kind, let secret?) in secrets {
      if former.origin == .keyring {
        _ = await book.keyring.keep(secret, as: kind, for: name)
      } else {
        try book.secrets.keep(secret, as: kind, for: name)
      }
    }
  }

  /// Revokes the account's previous token, which the new token has replaced. Returns a warning if that fails.
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
