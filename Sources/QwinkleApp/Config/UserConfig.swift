import PaneKit
import QwinkleConfig
import QwinkleModel
import QwinkleStore
import SafeText

/// Access to `config.toml` for commands.
enum UserConfig {
  private static func file(_ paths: Paths) -> ConfigFile { ConfigFile(path: "\(paths.config)/config.toml") }

  /// Loads the options, ignoring errors. The screen and `qwinkle config --check` report them.
  static func load(_ paths: Paths) -> Config {
    guard let text = try? file(paths).text() else { return Config() }
    return ConfigReader(text).config
  }

  /// Prints the first problem in `config.toml` to standard error, so that a command doesn't ignore a line in silence.
  /// ``socket(_:)`` reports an invalid socket.
  static func complain(_ paths: Paths) {
    let file = Self.file(paths)
    do throws(ConfigFileError) {
      guard let reader = try file.text().map({ ConfigReader($0) }) else { return }
      let problems = reader.problems.filter { $0 != reader.refused[.socket] }
      if let remark = remark(problems.map { $0.words(in: file.name) }) { StandardOutput.complain("Ignored: \(remark)") }
    } catch {
      StandardOutput.complain(error.sentence)
    }
  }

  /// The first problem, and how to list the others. Nil if there are no problems.
  static func remark(_ problems: [String]) -> String? {
    guard let first = problems.first else { return nil }
    return problems.count == 1 ? first : "\(first) (\(problems.count - 1) more: qwinkle config --check)"
  }

  /// The rules for posts that timelines leave out.
  static var hideRules: [ViewRule] { load(Paths()).hideRules.map(\.rule) }

  /// Returns the value of an option for `account`, or for all accounts.
  static func value(of key: ConfigKey, for account: String? = nil) -> ConfigValue {
    load(Paths())[key, account]
  }

  /// Returns the priorities of cached files for `account`: from `config.toml`, or else as set on the screen.
  @MainActor
  static func preservation(of account: String, _ paths: Paths) -> Preservation {
    let text = try? file(paths).text()
    let config = text.map { ConfigReader($0).config } ?? ConfigCenter.saved(in: paths)
    return Preservation(config[.preserve, account].list)
  }

  /// Returns the user's keymap.
  static func keymap(_ paths: Paths) throws -> Keymap {
    let text = try? ConfigFile(path: "\(paths.config)/keys.txt").text()
    let name = load(paths)[.keymap].text
    var keymap = try Keymap.standard.get()
    if ConfigOption.isAddress(name), let bytes = ConfigCenter.webFiles(in: paths).cachedBytes(of: name) {
      keymap = keymap.with(fetched: SafeText.repairing(bytes)).keymap
    }
    return keymap.with(ready: name, user: text).keymap
  }

  /// Returns the option `socket`: `auto`, `off` or a path. Throws if its value is invalid, because a post could then go
  /// to another timeline.
  static func socket(_ paths: Paths) throws(AppError) -> String {
    let file = Self.file(paths)
    guard let text = try? file.text() else { return ConfigKey.socket.option.standard.text }
    let reader = ConfigReader(text)
    if let problem = reader.refused[.socket] {
      throw .failed("\(problem.words(in: file.name)) Correct it first: the socket decides which timeline is used.")
    }
    return reader.config[.socket].text
  }

  /// Returns the command that prints the token of `account`, or of a server without an account, if any.
  static func tokenCommand(of account: String?, _ paths: Paths) -> String? {
    let config = load(paths)
    let own = account.flatMap { name in config.accounts.first { $0.name == name }?.settings }
    let command =
      account == nil
      ? config[.tokenCommand].text : own?.first { $0.key == .tokenCommand }?.value.text ?? ""
    return command.isEmpty ? nil : command
  }
}
