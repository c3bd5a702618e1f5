import PaneKit
import QwinkleConfig
import QwinkleStore
import SafeText

/// What commands need to know of `config.toml`.
enum UserConfig {
  /// Its settings. The screen and `qwinkle config --check` report its errors.
  static func load(_ paths: Paths) -> Config {
    guard let text = try? ConfigFile(path: "\(paths.config)/config.toml").text() else { return Config() }
    return ConfigReader(text).config
  }

  /// What an option is for `account`, or for all of them.
  static func value(of key: ConfigKey, for account: String? = nil, _ paths: Paths = Paths()) -> ConfigValue {
    load(paths)[key, account]
  }

  /// The keys that the user has.
  static func keymap(_ paths: Paths) throws -> Keymap {
    let text = try? ConfigFile(path: "\(paths.config)/keys.txt").text()
    let name = load(paths)[.keymap].text
    var keymap = try Keymap.standard.get()
    if ConfigOption.isAddress(name), let bytes = ConfigCenter.webFiles(in: paths).keptBytes(of: name) {
      keymap = keymap.with(fetched: SafeText.repairing(bytes)).keymap
    }
    return keymap.with(ready: name, user: text).keymap
  }

  /// The command that prints the token of `account`, or of a server; nil if none is set. A start reads the options
  /// later, so a file that names none is not parsed here.
  static func tokenCommand(of account: String?, _ paths: Paths) -> String? {
    guard let text = try? ConfigFile(path: "\(paths.config)/config.toml").text(),
      text.utf8.contains(ConfigKey.tokenCommand.name.utf8)
    else { return nil }
    let config = ConfigReader(text).config
    let own = account.flatMap { name in config.accounts.first { $0.name == name }?.settings }
    let command =
      account == nil
      ? config[.tokenCommand].text : own?.first { $0.key == .tokenCommand }?.value.text ?? ""
    return command.isEmpty ? nil : command
  }
}
