import OnDemandResources
import PaneKit
import QwinkleConfig
import QwinkleScreens
import QwinkleStore
import SafeText
import Terminal
import Timekeeping

/// Loads the user's `config.toml` and applies it.
@MainActor
final class ConfigCenter {
  private let file: ConfigFile
  private let keysFile: ConfigFile
  private let themeFile: ConfigFile
  private let saved: SettingsFile
  /// Cache of the themes and keymaps fetched from the web.
  let webFiles: ResourceFiles
  /// Fetches themes and keymaps from the web. If nil, only cached ones are used.
  var webTexts: WebTexts? {
    didSet {
      webTexts?.didFetch = { [weak self] in self?.take($0, $1) }
      webTexts?.resources.standardPreservationPriority = { [weak self] tag in
        tag.priority(by: Preservation(self?[.preserve].list ?? []))
      }
    }
  }
  /// Records the commands that are running.
  var ledger: ActivityLedger?
  /// Runs the user's commands.
  let commandQueue = HelperQueue(mostRunning: 4, mostWaiting: 0, mostBytes: 1 << 20, limits: HelperProgram.Limits())
  let hooks = HookRunner()
  /// The options in `config.toml` or, if the file doesn't exist, the options set by keys and `:set`. Includes the
  /// changes made since the file was read.
  private(set) var config = Config()
  /// The visible account. Options that the file sets for this account take precedence over the general ones.
  private var account: String?
  /// Whether `config.toml` exists. If it doesn't, options set by keys and `:set` are saved in another file.
  private(set) var hasFile = false
  /// Whether a command-line option limits fetching pictures to key presses.
  var isMetered = false
  /// Problems found in the configuration, keymap and theme files, with line and column.
  private(set) var problems: [String] = []
  private var settings: [ReaderSettings] = []
  /// Contents of the fetched themes and keymaps in use, to detect whether a fetch has changed them.
  private var usedTexts: [ConfigKey: String] = [:]
  /// Called when the theme may have changed.
  var didChangeTheme: (@MainActor (@escaping @MainActor (TerminalCapabilities) -> Theme) -> Void)?
  /// Called when the keymap has changed.
  var didChangeKeys: (@MainActor (Keymap) -> Void)?
  /// Called with a message when a fetch ends, or when a new theme or keymap has problems.
  var didTell: (@MainActor (String, _ isProblem: Bool) -> Void)?
  /// Called when an option has changed, to apply it to existing objects.
  var didSet: (@MainActor (ConfigKey, ConfigValue) -> Void)?

  /// Reads the files in `paths`.
  init(_ paths: Paths) {
    file = ConfigFile(path: "\(paths.config)/config.toml")
    keysFile = ConfigFile(path: "\(paths.config)/keys.txt")
    themeFile = ConfigFile(path: "\(paths.config)/theme.txt")
    saved = SettingsFile(directory: paths.state)
    webFiles = Self.webFiles(in: paths)
    read()
  }

  private func read() {
    problems = []
    do throws(ConfigFileError) {
      guard let text = try file.text() else {
        hasFile = false
        config = Config(ReaderSettings(file: saved).all)
        return
      }
      hasFile = true
      let reader = ConfigReader(text)
      config = reader.config
      problems = reader.problems.map { $0.words(in: file.name) }
    } catch {
      // The file can't be read. Retain the previous options.
      problems = [error.sentence]
    }
  }

  /// The option's value for the visible account.
  subscript(key: ConfigKey) -> ConfigValue { config[key, account] }

  /// Switches to the options of `account`.
  func use(account: String) {
    guard account != self.account else { return }
    // If the file has options for neither account, no value changes.
    guard config.accounts.contains(where: { $0.name == account || $0.name == self.account }) else {
      self.account = account
      return
    }
    let before = ConfigKey.allCases.map { self[$0] }
    self.account = account
    tellChanges(since: before)
  }

  /// Calls ``didSet`` for each option whose value differs from `before`, and ``didChangeTheme`` if the theme is
  /// affected. If `hasOtherTheme` is true, the theme is created again even if its name is the same.
  private func tellChanges(since before: [ConfigValue], hasOtherTheme: Bool = false) {
    let changed = ConfigKey.allCases.filter { self[$0] != before[$0.rawValue] }
    if hasOtherTheme || changed.contains(.theme) { didChangeTheme?(themeMaker()) }
    for key in changed { didSet?(key, self[key]) }
  }

  /// Returns a function that creates the configured theme for a terminal. Records problems in a fetched theme or the
  /// user's own.
  func themeMaker() -> @MainActor (TerminalCapabilities) -> Theme {
    let name = self[.theme].text
    if name == ConfigKey.theme.option.standard.text { return ThemeChoice.terminal }
    var own = webText(.theme)
    if let own {
      note(ThemeReader(own).problems.map { $0.words(in: WebTexts.name(of: name)) })
    } else if name == "own" {
      do throws(ConfigFileError) {
        own = try themeFile.text()
        note(ThemeReader(own ?? "").problems.map { $0.words(in: themeFile.name) })
        if own == nil { note(["There is no \(themeFile.path)."]) }
      } catch {
        note([error.sentence])
      }
    }
    let theme = ThemeChoice.theme(named: name, own: own)
    return { theme.adapted(toColors: $0.colors) }
  }

  /// Returns the standard keymap, overlaid with the chosen built-in or fetched keymap and then with the user's file.
  /// Records problems in the fetched keymap and the file.
  func keymap() throws(KeymapError) -> Keymap {
    var standard = try Keymap.standard.get()
    if let fetched = webText(.keymap) {
      let (keymap, problems) = standard.with(fetched: fetched)
      standard = keymap
      note(problems.map { $0.words(in: WebTexts.name(of: self[.keymap].text)) })
    }
    do throws(ConfigFileError) {
      let text = try keysFile.text()
      let (keymap, problems) = standard.with(ready: config[.keymap].text, user: text)
      note(problems.map { $0.words(in: keysFile.name) })
      return keymap
    } catch {
      note([error.sentence])
      return standard.with(ready: config[.keymap].text, user: nil).keymap
    }
  }

  /// Records problems in the user's theme, even if another theme is chosen.
  func checkOwnTheme() {
    do throws(ConfigFileError) {
      note(ThemeReader(try themeFile.text() ?? "").problems.map { $0.words(in: themeFile.name) })
    } catch {
      note([error.sentence])
    }
  }

  /// Records problems that aren't recorded yet.
  private func note(_ found: [String]) { problems += found.filter { !problems.contains($0) } }

  /// The cache of themes and keymaps from the web.
  nonisolated static func webFiles(in paths: Paths) -> ResourceFiles { ResourceFiles(directory: "\(paths.cache)/web") }

  /// Returns the cached text from the address that is the option's value, and starts fetching the text if necessary.
  /// Returns nil if the value isn't an address or the text isn't cached yet.
  private func webText(_ key: ConfigKey) -> String? {
    let address = self[key].text
    guard ConfigOption.isAddress(address) else {
      webTexts?.release(key)
      return nil
    }
    webTexts?.use(address, for: key)
    let text = webFiles.cachedBytes(of: address).map { SafeText.repairing($0) }
    usedTexts[key] = text
    return text
  }

  /// Applies the text fetched for an option if it has changed, or reports the error.
  private func take(_ key: ConfigKey, _ error: ResourceError?) {
    let address = self[key].text
    if let error {
      let sentence = WebTexts.sentence(key, address, error)
      note([sentence])
      didTell?(sentence, true)
      return
    }
    guard webFiles.cachedBytes(of: address).map({ SafeText.repairing($0) }) != usedTexts[key] else { return }
    remake(key)
    if problems.isEmpty { didTell?("\(WebTexts.name(of: address)) loaded", false) }
  }

  /// Creates the theme or the keymap again after the option `key` or its text has changed, and reports new problems.
  private func remake(_ key: ConfigKey) {
    let count = problems.count
    if key == .keymap {
      if let keymap = try? keymap() { didChangeKeys?(keymap) }
    } else {
      didChangeTheme?(themeMaker())
    }
    guard problems.count > count else { return }
    let others = problems.count - count - 1
    didTell?(others == 0 ? problems[count] : "\(problems[count]) (\(others) more: qwinkle config --check)", true)
  }

  /// The first problem, and how to list the others. Nil if there are no problems.
  var remark: String? { UserConfig.remark(problems) }

  /// The settings that all accounts share.
  private(set) lazy var shared = newSettings(for: nil)

  /// Returns the settings of an account: the shared settings, unless the file has options for this account.
  func settings(of account: String) -> ReaderSettings {
    if let known = settings.first(where: { $0.account == account }) { return known }
    return config.accounts.contains { $0.name == account } ? newSettings(for: account) : shared
  }

  private func newSettings(for account: String?) -> ReaderSettings {
    let settings = ReaderSettings(config, for: account, file: hasFile ? nil : saved)
    settings.desk = self
    self.settings.append(settings)
    return settings
  }

  /// Returns the options set by keys and `:set`, with which a new `config.toml` begins.
  static func saved(in paths: Paths) -> Config {
    let settings = ReaderSettings(file: SettingsFile(directory: paths.state))
    return Config(settings.all)
  }
}

extension ConfigCenter: ConfigController {
  func write(_ key: ConfigKey, _ value: ConfigValue, in account: String?) throws(ConfigFileError) {
    let hasOwn = account.map { config.value(of: key, in: $0) != config.value(of: key) } ?? false
    try file.set(key, to: value, in: hasOwn ? account : nil, keeping: firstContent)
    readWritten()
  }

  func write(_ layout: OwnLayout) throws(ConfigFileError) {
    try file.set(layout, keeping: firstContent)
    readWritten()
  }

  /// The options with which a new file begins.
  private var firstContent: Config { hasFile ? Config() : Config(shared.all) }

  private func readWritten() {
    let isFirst = !hasFile
    read()
    // The file has just been created. From now on, options are saved only there.
    if isFirst { for settings in settings { settings.endKeeping() } }
  }

  func reload() -> String? {
    let before = ConfigKey.allCases.map { self[$0] }
    read()
    for settings in settings { settings.use(config) }
    if let keymap = try? keymap() { didChangeKeys?(keymap) }
    tellChanges(since: before, hasOtherTheme: self[.theme].text == "own")
    return remark
  }

  func apply(_ key: ConfigKey, _ value: ConfigValue) {
    let own = account.flatMap { name in config.accounts.first { $0.name == name } }
    config.set(key, to: value, in: own?.settings.contains { $0.key == key } == true ? account : nil)
    if key == .theme || key == .keymap { remake(key) }
    didSet?(key, value)
  }
}
