import FoundationEssentials

/// An account that somebody signed in with, as it is kept. There is no secret in it.
public struct KeptAccount: Hashable, Sendable {
  /// How the account's token comes at a start.
  public enum TokenOrigin: Hashable, Sendable {
    /// It is kept in a file of its own: see ``SecretFiles``.
    case file
    /// This command of the shell prints it.
    case command(String)
  }

  /// `NAME@HOST[:PORT]`: what the account is called, and the name of its folders. The host is that of the server.
  public var name: String
  /// `https://host[:port]`.
  public var serverURL: String
  /// What this program is called at the server; nil where the token was made elsewhere. Its secret is in
  /// ``SecretFiles``.
  public var clientID: String?
  public var tokenOrigin: TokenOrigin

  /// An account; `name` is one that ``KeptAccount/name(_:at:)`` made.
  public init(name: String, serverURL: String, clientID: String? = nil, tokenOrigin: TokenOrigin = .file) {
    self.name = name
    self.serverURL = serverURL
    self.clientID = clientID
    self.tokenOrigin = tokenOrigin
  }

  /// What the account of `userName` at `host` is called. What could mean something in a path is escaped: servers
  /// choose user names.
  public static func name(_ userName: String, at host: String) -> String {
    "\(escaped(userName, keeping: "-._"))@\(escaped(host, keeping: "-.:[]"))"
  }

  /// Whether `name` can be the name of an account, and so of a folder.
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

/// All accounts, and which of them is used where none is named.
public struct KeptAccounts: Hashable, Sendable {
  /// In the order in which they came; no two have one name.
  public private(set) var accounts: [KeptAccount]
  /// The name of the account that is used where none is named; nil: the service on this machine.
  public private(set) var defaultName: String?

  /// None.
  public init() {
    accounts = []
  }

  /// - Returns: nil where two have one name, or one has no name, or the default is none of them.
  init?(accounts: [KeptAccount], defaultName: String?) {
    let names = Set(accounts.map(\.name))
    guard names.count == accounts.count, names.allSatisfy(KeptAccount.isName),
      defaultName.map(names.contains) ?? true
    else { return nil }
    self.accounts = accounts
    self.defaultName = defaultName
  }

  /// The account of that name.
  public subscript(name: String) -> KeptAccount? { accounts.first { $0.name == name } }

  /// The account that is used where none is named; nil: the service on this machine.
  public var defaultAccount: KeptAccount? { defaultName.flatMap { self[$0] } }

  /// Adds an account, or puts it in the place of the one of its name. The first one becomes the default.
  public mutating func put(_ account: KeptAccount) {
    if let index = accounts.firstIndex(where: { $0.name == account.name }) {
      accounts[index] = account
    } else {
      accounts.append(account)
      if accounts.count == 1 { defaultName = account.name }
    }
  }

  /// Forgets an account. Where it was the default, the first of the others is.
  public mutating func remove(_ name: String) {
    accounts.removeAll { $0.name == name }
    if defaultName == name { defaultName = accounts.first?.name }
  }

  /// Makes an account the default, or with nil the service on this machine. A name that is not known changes nothing.
  public mutating func makeDefault(_ name: String?) {
    guard let name else { return defaultName = nil }
    if self[name] != nil { defaultName = name }
  }
}
