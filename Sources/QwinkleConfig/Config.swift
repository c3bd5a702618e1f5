/// What the user has set in `config.toml`.
public struct Config: Hashable, Sendable {
  /// An option and its value.
  public struct Setting: Hashable, Sendable {
    public let key: ConfigKey
    public let value: ConfigValue
  }

  /// For all accounts, each once.
  public internal(set) var settings: [Setting] = []
  /// For one account, by its name.
  public internal(set) var accounts: [(name: String, settings: [Setting])] = []

  /// Commands of the user's own, in the order of the file.
  public internal(set) var commands: [OwnCommand] = []
  /// Views of the user's own, in the order of the file.
  public internal(set) var views: [OwnView] = []
  /// The shell commands that events start.
  public internal(set) var hooks: [HookEvent: String] = [:]

  public init() {}

  public static func == (one: Config, other: Config) -> Bool {
    one.settings == other.settings && one.commands == other.commands && one.hooks == other.hooks
      && one.views == other.views
      && one.accounts.map(\.name) == other.accounts.map(\.name)
      && one.accounts.map(\.settings) == other.accounts.map(\.settings)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(settings) }

  /// What is set for `account`, or for all of them; nil if nothing is.
  public func value(of key: ConfigKey, in account: String? = nil) -> ConfigValue? {
    let own = account.flatMap { name in accounts.first { $0.name == name }?.settings.first { $0.key == key }?.value }
    return own ?? settings.first { $0.key == key }?.value
  }

  /// What holds for `account`, or for all of them.
  public subscript(key: ConfigKey, account: String? = nil) -> ConfigValue {
    value(of: key, in: account) ?? key.option.standard
  }

  /// What is set for all accounts, one after another.
  public init(_ settings: [(key: ConfigKey, value: ConfigValue)]) {
    for (key, value) in settings { set(key, to: value) }
  }

  /// Sets an option for one account, or for all.
  public mutating func set(_ key: ConfigKey, to value: ConfigValue, in account: String? = nil) {
    let setting = Setting(key: key, value: value)
    guard let account else {
      settings.removeAll { $0.key == key }
      settings.append(setting)
      return
    }
    guard let index = accounts.firstIndex(where: { $0.name == account }) else {
      accounts.append((account, [setting]))
      return
    }
    accounts[index].settings.removeAll { $0.key == key }
    accounts[index].settings.append(setting)
  }
}
