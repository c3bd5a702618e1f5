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

  /// The names of the accounts, of the shared timeline's folder if one was found, and `local`. If the accounts
  /// file can't be read, only the latter two.
  var names: [String] {
    ((try? load())?.accounts.map(\.name) ?? []) + [shared?.folder, SessionChoice.local].compactMap(\.self)
  }

  /// The shared timeline, if one was found or configured.
  var shared: SharedTimeline? { try? SharedTimeline.found(paths) }

  private var specialNames: [String] {
    (shared == nil ? [] : [SharedTimeline.name]) + [SessionChoice.local]
  }

  /// The display names of the accounts, `shared` if there is a shared timeline, and `local`. A display name has the
  /// domain of the server instead of its host, unless another account would then have the same name. `--as` accepts
  /// display names too.
  var shownNames: [String] {
    let saved = try? load()
    return (saved?.accounts.map { saved?.words(of: $0.name) ?? $0.name } ?? []) + specialNames
  }

  /// Returns the display name of an account.
  func words(of name: String) -> String {
    if name.hasPrefix(SharedTimeline.name), name == shared?.folder { return SharedTimeline.name }
    return (try? load())?.words(of: name) ?? name
  }

  /// Returns the display name of the account that is used by default.
  func defaultWords(in saved: SavedAccounts) -> String {
    saved.defaultName.map { saved.words(of: $0) } ?? specialNames[0]
  }

  /// Returns the account called `name`, or the default account if `name` is nil. Returns nil for the embedded server.
  func account(named name: String?) throws(AppError) -> SavedAccount? {
    if name == SessionChoice.local { return nil }
    let saved = try load()
    guard let name else { return saved.defaultAccount }
    return try Self.find(name, in: saved)
  }

  /// Finds an account by its full name, such as `anna@tilde.example`, or by its user name if that is unique. A full
  /// name can end in the host or the domain of the server. A host alone isn't accepted, since it would become ambiguous
  /// when the user adds a second account there.
  static func find(_ name: String, in saved: SavedAccounts) throws(AppError) -> SavedAccount {
    let typed = String(name.lowercased().trimmingPrefix("@"))
    let wanted = [typed, Handle.reading(typed) ?? typed]
    let found =
      [
        saved.accounts.filter { wanted.contains($0.name.lowercased()) },
        saved.accounts.filter { wanted.contains($0.words.lowercased()) },
        saved.accounts.filter { $0.userName.lowercased() == typed },
      ].first { !$0.isEmpty } ?? []
    if found.count == 1 { return found[0] }
    if found.isEmpty {
      let known = saved.accounts.map { saved.words(of: $0.name) } + [SessionChoice.local]
      throw .failed(
        "No account “\(name)”. Known: \(known.joined(separator: ", ")). To add one: qwinkle login URL")
    }
    let names = found.map { saved.words(of: $0.name) }.joined(separator: " or ")
    throw .failed("“\(name)” is ambiguous. Use \(names).")
  }

  /// Returns the token of `account`. If a command prints the token, the command may ask for input on the terminal.
  func token(of account: SavedAccount) throws(AppError) -> Secret {
    switch origin(of: account) {
    case .command(let command): try TokenSource.token(fromCommand: command, named: Self.commandName(account))
    case .keyring: try checked(keyring.token(of: account.name), of: account)
    case .file: try tokenInFile(of: account)
    }
  }

  /// Returns the token of `account` without blocking the program. If a command prints the token, the command runs in
  /// `place`.
  func token(of account: SavedAccount, in place: HelperProgram.Place) async throws(AppError) -> Secret {
    switch origin(of: account) {
    case .command(let command):
      try await TokenSource.token(fromCommand: command, named: Self.commandName(account), in: place)
    case .keyring: try checked(await keyring.load(.token, for: account.name), of: account)
    case .file: try tokenInFile(of: account)
    }
  }

  /// Returns the location of the token. A token command in the configuration takes precedence over the saved location.
  private func origin(of account: SavedAccount) -> SavedAccount.TokenOrigin {
    UserConfig.tokenCommand(of: account.name, paths).map { .command($0) } ?? account.tokenOrigin
  }

  private func checked(_ token: Secret?, of account: SavedAccount) throws(AppError) -> Secret {
    if let token { return token }
    throw .failed(
      "Cannot read the token of \(account.words) from the keyring. Unlock it, or sign in again: "
        + "qwinkle login \(account.serverURL)")
  }

  private static func commandName(_ account: SavedAccount) -> String { "the token command of \(account.words)" }

  private func tokenInFile(of account: SavedAccount) throws(AppError) -> Secret {
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

  /// Returns a secret of an account whose secrets are stored in `origin`. Returns nil if the secret isn't stored there.
  func secret(
    _ kind: SecretFiles.Kind, of account: String, in origin: SavedAccount.TokenOrigin
  ) async throws(StoreError) -> Secret? {
    switch origin {
    case .file: try secrets.load(kind, for: account)
    case .keyring: await keyring.load(kind, for: account)
    case .command: nil
    }
  }

  /// Removes an account's secrets from its files and, if `origin` is the keyring, from the keyring. Returns false if
  /// the keyring may still contain a secret.
  @discardableResult
  func removeSecrets(of account: String, in origin: SavedAccount.TokenOrigin) async throws(StoreError) -> Bool {
    try secrets.remove(for: account)
    return origin == .keyring ? await keyring.remove(for: account) : true
  }

  // MARK: The file

  func load() throws(AppError) -> SavedAccounts {
    do throws(StoreError) {
      return try file.load()
    } catch .damaged(let path, let reason) {
      throw .failed(
        "Cannot read \(path): \(reason). Fix it, or sign in again to start a new file: qwinkle login URL. "
          + "--as \(SessionChoice.local) works without it.")
    } catch {
      throw AppError(error)
    }
  }
}
