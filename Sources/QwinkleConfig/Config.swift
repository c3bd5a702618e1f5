/// The user's settings in `config.toml`.
public struct Config: Hashable, Sendable {
  public struct Setting: Hashable, Sendable {
    public let key: ConfigKey
    public let value: ConfigValue
  }

  public struct AccountSettings: Hashable, Sendable {
    public let name: String
    public internal(set) var settings: [Setting]
  }

  /// Settings for all accounts. Each option occurs at most once.
  public internal(set) var settings: [Setting] = []
  /// Settings for single accounts.
  public internal(set) var accounts: [AccountSettings] = []

  /// User-defined commands, in the order of the file.
  public internal(set) var commands: [OwnCommand] = []
  /// User-defined views, in the order of the file.
  public internal(set) var views: [OwnView] = []
  /// Rules for qwinks that timelines leave out, in the order of the file.
  public internal(set) var hideRules: [OwnView] = []
  /// User-defined arrangements of panes, in the order of the file.
  public internal(set) var layouts: [OwnLayout] = []
  /// The layouts chosen by the window's width, by ascending width.
  public internal(set) var layoutWidths: [LayoutWidth] = []
  /// Shell commands started by events.
  public internal(set) var hooks: [HookEvent: String] = [:]

  public init() {}

  /// The value set for `account`, or else for all accounts, if any.
  public func value(of key: ConfigKey, in account: String? = nil) -> ConfigValue? {
    let own = account.flatMap { name in accounts.first { $0.name == name }?.settings.first { $0.key == key }?.value }
    return own ?? settings.first { $0.key == key }?.value
  }

  /// The value for `account`, or else for all accounts, or else the default.
  public subscript(key: ConfigKey, account: String? = nil) -> ConfigValue {
    value(of: key, in: account) ?? key.option.standard
  }

  /// Creates a configuration for all accounts. A later setting replaces an earlier one with the same key.
  public init(_ settings: [(key: ConfigKey, value: ConfigValue)]) {
    for (key, value) in settings { set(key, to: value) }
  }

  /// Sets an option for one account, or for all accounts if `account` is nil.
  public mutating func set(_ key: ConfigKey, to value: ConfigValue, in account: String? = nil) {
    let setting = Setting(key: key, value: value)
    guard let account else {
      settings.removeAll { $0.key == key }
      settings.append(setting)
      return
    }
    guard let index = accounts.firstIndex(where: { $0.name == account }) else {
      accounts.append(AccountSettings(name: account, settings: [setting]))
      return
    }
    accounts[index].settings.removeAll { $0.key == key }
    accounts[index].settings.append(setting)
  }
}
