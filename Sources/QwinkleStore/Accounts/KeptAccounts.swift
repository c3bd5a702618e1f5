import FoundationEssentials

/// A saved account that a user has signed in with. It contains no secrets.
public struct KeptAccount: Hashable, Sendable {
  /// Where the account's token comes from at a start.
  public enum TokenOrigin: Hashable, Sendable {
    /// A file of its own: see ``SecretFiles``.
    case file
    /// The desktop's keyring, which `secret-tool` asks.
    case keyring
    /// A shell command that prints it.
    case command(String)
  }

  /// `NAME@HOST[:PORT]`, with the server's host: the account's name, and the name of its folders.
  public var name: String
  /// `https://host[:port]`.
  public var serverURL: String
  /// The domain in the account's handle; nil if it is the server's host, or isn't known.
  public var domain: String?
  /// This program's client id at the server; nil if the token was made elsewhere. Its secret is in ``SecretFiles``.
  public var clientID: String?
  public var tokenOrigin: TokenOrigin

  /// Creates an account. `name` comes from ``KeptAccount/name(_:at:)``.
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

  /// `NAME@DOMAIN`, for the user. Servers choose their domains, so that accounts of two servers may have the same; see
  /// ``KeptAccounts/words(of:)``.
  public var words: String { domain.map { "\(userName)@\($0)" } ?? name }

  /// The name of `userName`'s account at `host`. Characters that could mean something in a path are escaped: servers
  /// choose user names.
  public static func name(_ userName: String, at host: String) -> String {
    "\(escaped(userName, keeping: "-._"))@\(escaped(host, keeping: "-.:[]"))"
  }

  /// Whether `name` can be an account's name, and so a folder's.
  static func isName(_ name: String) -> Bool {
    let parts = name.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") } && name.utf8.count <= 240
      && name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "/" && $0 != " " }
  }

  private static func escaped(_ text: String, keeping kept: String) -> String {
    let digits = Array("0123456789ABCDEF".unicodeScalars)
    var escaped = String.UnicodeScalarView()
    for (index, byte) in text.utf8.prefix(80).enumerated() {
      let scalar = Unicode.Scalar(byte)
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || (0x30...0x39).contains(byte))
      if isPlain || (kept.unicodeScalars.contains(scalar) && !(index == 0 && scalar == ".")) {
        escaped.append(scalar)
      } else {
        escaped += ["%", digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(escaped)
  }
}

/// All accounts, and the default one.
public struct KeptAccounts: Hashable, Sendable {
  /// In the order they were added. Their names are unique.
  public private(set) var accounts: [KeptAccount]
  /// The name of the account to use if none is named; nil means the service on this machine.
  public private(set) var defaultName: String?

  /// No accounts.
  public init() {
    accounts = []
  }

  /// - Returns: nil if two accounts have the same name, a name isn't valid, or the default isn't among them.
  init?(accounts: [KeptAccount], defaultName: String?) {
    let names = Set(accounts.map(\.name))
    guard names.count == accounts.count, names.allSatisfy(KeptAccount.isName),
      defaultName.map(names.contains) ?? true
    else { return nil }
    self.accounts = accounts
    self.defaultName = defaultName
  }

  /// The account with this name.
  public subscript(name: String) -> KeptAccount? { accounts.first { $0.name == name } }

  /// The account called `name`, for the user: with its domain, but with its host if another account is called so, too.
  public func words(of name: String) -> String {
    guard let words = self[name]?.words else { return name }
    return accounts.contains { $0.name != name && [$0.name, $0.words].contains(words) } ? name : words
  }

  /// The account to use if none is named; nil means the service on this machine.
  public var defaultAccount: KeptAccount? { defaultName.flatMap { self[$0] } }

  /// Adds an account, or replaces the one with its name. The first one becomes the default.
  public mutating func put(_ account: KeptAccount) {
    if let index = accounts.firstIndex(where: { $0.name == account.name }) {
      accounts[index] = account
    } else {
      accounts.append(account)
      if accounts.count == 1 { defaultName = account.name }
    }
  }

  /// Removes an account. If it was the default, the first remaining one becomes the default.
  public mutating func remove(_ name: String) {
    accounts.removeAll { $0.name == name }
    if defaultName == name { defaultName = accounts.first?.name }
  }

  /// Stores the domain in the handle of the account called `name`. An unknown name changes nothing.
  public mutating func setDomain(_ domain: String?, of name: String) {
    guard let index = accounts.firstIndex(where: { $0.name == name }) else { return }
    accounts[index].domain = domain
  }

  /// Makes an account the default, or with nil the service on this machine. An unknown name changes nothing.
  public mutating func makeDefault(_ name: String?) {
    guard let name else { return defaultName = nil }
    if self[name] != nil { defaultName = name }
  }
}
