import QwinkleModel
import QwinkleStore

/// The signed-in accounts and their tokens.
struct AccountBook {
  let file: AccountsFile
  let secrets: SecretFiles
  let keyring = Keyring()
  private let paths: Paths

  init(paths: Paths) {
    self.paths = paths
    file = AccountsFile(directory: paths.data)
    secrets = SecretFiles(directory: paths.data)
  }

  /// The accounts' names and `local`; only `local` if the accounts cannot be read.
  var names: [String] { ((try? load())?.accounts.map(\.name) ?? []) + [SessionChoice.local] }

  /// The same for the user, with the accounts' domains. `--as` takes them, too.
  var shownNames: [String] {
    let kept = try? load()
    return (kept?.accounts.map { kept?.words(of: $0.name) ?? $0.name } ?? []) + [SessionChoice.local]
  }

  /// The account called `name`, for the user.
  func words(of name: String) -> String { (try? load())?.words(of: name) ?? name }

  /// The account called `name`, or the default one if `name` is nil. Returns nil for the embedded service.
  func account(named name: String?) throws(AppError) -> KeptAccount? {
    if name == SessionChoice.local { return nil }
    let kept = try load()
    guard let name else { return kept.defaultAccount }
    return try Self.find(name, in: kept)
  }

  /// The account that `name` means: its full name, `anna@tilde.example`, with the server's host or its domain, or the
  /// part before the @ if only one has it. A host alone doesn't count: it could mean a different account one day.
  static func find(_ name: String, in kept: KeptAccounts) throws(AppError) -> KeptAccount {
    let typed = String(name.lowercased().trimmingPrefix("@"))
    let wanted = [typed, Handle.reading(typed) ?? typed]
    let found =
      [
        kept.accounts.filter { wanted.contains($0.name.lowercased()) },
        kept.accounts.filter { wanted.contains($0.words.lowercased()) },
        kept.accounts.filter { $0.userName.lowercased() == typed },
      ].first { !$0.isEmpty } ?? []
    if found.count == 1 { return found[0] }
    if found.isEmpty {
      let known = kept.accounts.map { kept.words(of: $0.name) } + [SessionChoice.local]
      throw .failed(
        "No account “\(name)”. Known: \(known.joined(separator: ", ")). To add one: qwinkle login URL")
    }
    throw .failed("“\(name)” is ambiguous. Use \(found.map { kept.words(of: $0.name) }.joined(separator: " or ")).")
  }

  /// The token of `account`, from its file or its command, which may ask on the terminal.
  func token(of account: KeptAccount) throws(AppError) -> Secret {
    switch origin(of: account) {
    case .command(let command): try TokenSource.token(fromCommand: command, named: Self.commandName(account))
    case .keyring: try checked(keyring.load(.token, for: account.name), of: account)
    case .file: try tokenInFile(of: account)
    }
  }

  /// The same without blocking the program. A command runs in `place`.
  func token(of account: KeptAccount, in place: HelperProgram.Place) async throws(AppError) -> Secret {
    switch origin(of: account) {
    case .command(let command):
      try await TokenSource.token(fromCommand: command, named: Self.commandName(account), in: place)
    case .keyring: try checked(await keyring.load(.token, for: account.name), of: account)
    case .file: try tokenInFile(of: account)
    }
  }

  /// Where the token is: what the configuration says of the account comes first.
  private func origin(of account: KeptAccount) -> KeptAccount.TokenOrigin {
    UserConfig.tokenCommand(of: account.name, paths).map { .command($0) } ?? account.tokenOrigin
  }

  private func checked(_ token: Secret?, of account: KeptAccount) throws(AppError) -> Secret {
    if let token { return token }
    throw .failed(
      "The keyring does not give the token of \(account.words). Unlock it, or sign in again: "
        + "qwinkle login \(account.serverURL)")
  }

  private static func commandName(_ account: KeptAccount) -> String { "the token command of \(account.words)" }

  private func tokenInFile(of account: KeptAccount) throws(AppError) -> Secret {
    do throws(StoreError) {
      if let token = try secrets.load(.token, for: account.name) { return token }
    } catch .damaged(let path, let reason) {
      throw .failed(
        "Cannot read \(path): \(reason). To replace it, sign in again: qwinkle login \(account.serverURL)")
    } catch {
      throw AppError(error)
    }
    throw .failed("The token of \(account.words) is missing. Sign in again: qwinkle login \(account.serverURL)")
  }

  // MARK: Secrets

  /// A secret of an account whose secrets are where `origin` says; nil if there is none.
  func secret(
    _ kind: SecretFiles.Kind, of account: String, in origin: KeptAccount.TokenOrigin
  ) async throws(StoreError) -> Secret? {
    switch origin {
    case .file: try secrets.load(kind, for: account)
    case .keyring: await keyring.load(kind, for: account)
    case .command: nil
    }
  }

  /// Removes the secrets of an account, wherever they are. Returns false if the keyring may still have one.
  @discardableResult
  func removeSecrets(of account: String, in origin: KeptAccount.TokenOrigin) async throws(StoreError) -> Bool {
    try secrets.remove(for: account)
    return origin == .keyring ? await keyring.remove(for: account) : true
  }

  // MARK: The file

  func load() throws(AppError) -> KeptAccounts {
    do throws(StoreError) {
      return try file.load()
    } catch {
      throw Self.failure(error)
    }
  }

  /// Says what to do about an error in the accounts file.
  private static func failure(_ error: StoreError) -> AppError {
    guard case .damaged(let path, let reason) = error else { return AppError(error) }
    return .failed(
      "Cannot read \(path): \(reason). Fix it, or sign in again to start a new file: qwinkle login URL. "
        + "--as \(SessionChoice.local) works without it.")
  }
}
