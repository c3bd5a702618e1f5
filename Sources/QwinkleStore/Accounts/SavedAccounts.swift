import FoundationEssentials
import QwinkleModel
import SafeText

/// An account to which the user has signed in. It contains no secrets.
public struct SavedAccount: Hashable, Sendable {
  /// Source of the account's token at launch.
  public enum TokenOrigin: Hashable, Sendable {
    /// A private file: see ``SecretFiles``.
    case file
    /// The desktop's keyring, accessed with `secret-tool`.
    case keyring
    /// A shell command that prints the token.
    case command(String)
  }

  /// `NAME@HOST[:PORT]`, with the server's host. Also the name of the account's folders.
  public var name: String
  /// `https://host[:port]`.
  public var serverURL: String
  /// The domain in the account's handle, if the server has reported one that differs from its host.
  public var domain: String?
  /// This program's client id at the server; nil if the user created the token elsewhere. The client secret is in
  /// ``SecretFiles``.
  public var clientID: String?
  public var tokenOrigin: TokenOrigin

  /// Creates an account. Use ``SavedAccount/name(_:at:)`` for `name`.
  public init(
    name: String, serverURL: String, domain: String? = nil, clientID: String? = nil, tokenOrigin: TokenOrigin = .file
  ) {
    self.name = name
    self.serverURL = serverURL
    self.domain = domain
    self.clientID = clientID
    self.tokenOrigin = tokenOrigin
  }

  /// The part of the name before the @.
  public var userName: Substring { name.prefix { $0 != "@" } }

  /// `NAME@DOMAIN`, for display. Each server chooses the domain that it reports, so accounts at two servers may look
  /// the same; see ``SavedAccounts/words(of:)``.
  public var words: String { domain.map { "\(userName)@\($0)" } ?? name }

  /// Returns the name of `userName`'s account at `host`. Servers choose user names, and the result is used as a folder
  /// name, so characters with a meaning in paths are escaped.
  public static func name(_ userName: String, at host: String) -> String {
    "\(escaped(userName, keeping: "-._"))@\(escaped(host, keeping: "-.:[]"))"
  }

  /// Returns whether `name` is a valid account name. It must also be safe as a folder name.
  static func isName(_ name: String) -> Bool {
    let parts = name.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") } && name.utf8.count <= 240
      && name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "/" && $0 != " " }
  }

  private static func escaped(_ text: String, keeping saved: String) -> String {
    let escaped = text.utf8.prefix(80).enumerated().flatMap { index, byte -> [UInt8] in
      let isSaved = saved.utf8.contains(byte) && !(index == 0 && byte == UInt8(ascii: "."))
      if byte.isLetterOrDigit || isSaved { return [byte] }
      return [UInt8(ascii: "%"), HexDigit.digit(byte >> 4), HexDigit.digit(byte & 15)]
    }
    return String(decoding: escaped, as: UTF8.self)
  }
}

/// All accounts, and the default one.
public struct SavedAccounts: Hashable, Sendable {
  /// Accounts in the order they were added, with unique names.
  public private(set) var accounts: [SavedAccount]
  /// The name of the account to use by default; nil for the service on this machine.
  public private(set) var defaultName: String?

  public init() {
    accounts = []
  }

  /// - Returns: nil if two accounts share a name, a name is invalid, or the default account is missing.
  init?(accounts: [SavedAccount], defaultName: String?) {
    let names = Set(accounts.map(\.name))
    guard names.count == accounts.count, names.allSatisfy(SavedAccount.isName),
      defaultName.map(names.contains) ?? true
    else { return nil }
    self.accounts = accounts
    self.defaultName = defaultName
  }

  public subscript(name: String) -> SavedAccount? { accounts.first { $0.name == name } }

  /// Returns the display name of the account `name`. This is ``SavedAccount/words``, or `name` itself if another
  /// account has that name or display name.
  public func words(of name: String) -> String {
    guard let words = self[name]?.words else { return name }
    return accounts.contains { $0.name != name && [$0.name, $0.words].contains(words) } ? name : words
  }

  /// The account to use by default; nil for the service on this machine.
  public var defaultAccount: SavedAccount? { defaultName.flatMap { self[$0] } }

  /// Adds an account, or replaces the account with the same name. The first account becomes the default.
  public mutating func put(_ account: SavedAccount) {
    if let index = accounts.firstIndex(where: { $0.name == account.name }) {
      accounts[index] = account
    } else {
      accounts.append(account)
      if accounts.count == 1 { defaultName = account.name }
    }
  }

  /// Removes an account. If it was the default, the first remaining account becomes the default.
  public mutating func remove(_ name: String) {
    accounts.removeAll { $0.name == name }
    if defaultName == name { defaultName = accounts.first?.name }
  }

  /// Sets the domain of an account's handle. Ignores an unknown name.
  public mutating func setDomain(_ domain: String?, of name: String) {
    guard let index = accounts.firstIndex(where: { $0.name == name }) else { return }
    accounts[index].domain = domain
  }

  /// Sets the default account; nil selects the service on this machine. Ignores an unknown name.
  public mutating func makeDefault(_ name: String?) {
    guard let name else { return defaultName = nil }
    if self[name] != nil { defaultName = name }
  }
}
