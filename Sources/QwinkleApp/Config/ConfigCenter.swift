import OnDemandResources
import PaneKit
import QwinkleConfig
import QwinkleScreens
import QwinkleStore
import SafeText
import Terminal
import Timekeeping

/// The user's `config.toml`, and what the program does with it.
@MainActor
final class ConfigCenter {
  private let file: ConfigFile
  private let keysFile: ConfigFile
  private let themeFile: ConfigFile
  private let kept: SettingsFile
  /// Themes and keymaps from the web that were fetched.
  let webFiles: ResourceFiles
  /// Fetches them; nil: what is kept must do.
  var webTexts: WebTexts? {
    didSet { webTexts?.didFetch = { [weak self] in self?.take($0, $1) } }
  }
  /// Knows which commands run.
  var ledger: ActivityLedger?
  /// Runs commands of the user's own.
  let commandQueue = HelperQueue(mostRunning: 4, mostWaiting: 0, mostBytes: 1 << 20, limits: HelperProgram.Limits())
  /// Runs hooks.
  let hooks = HookRunner()
  /// What is set; without a file, what keys and `:set` have kept.
  private(set) var config = Config()
  /// The account that is shown, whose own options hold.
  private var account: String?
  /// Whether there is a file. Without one, what keys and `:set` change is kept elsewhere.
  private(set) var hasFile = false
  /// Whether pictures are fetched by key only because the command line says so.
  var isMetered = false
  /// What is wrong in it, each with its place.
  private(set) var problems: [String] = []
  private var settings: [ReaderSettings] = []
  /// The texts from the web that are used.
  private var usedTexts: [ConfigKey: String] = [:]
  /// Told when the theme may be another one.
  var didChangeTheme: (@MainActor (@escaping @MainActor (TerminalCapabilities) -> Theme) -> Void)?
  /// Told when there are other keys.
  var didChangeKeys: (@MainActor (Keymap) -> Void)?
  /// Says what came of something that took its time, and whether it is a problem.
  var didTell: (@MainActor (String, _ isProblem: Bool) -> Void)?
  /// Applies an option of the program to what runs.
  var didSet: (@MainActor (ConfigKey, ConfigValue) -> Void)?

  /// Reads the files in `paths`.
  init(_ paths: Paths) {
    file = ConfigFile(path: "\(paths.config)/config.toml")
    keysFile = ConfigFile(path: "\(paths.config)/keys.txt")
    themeFile = ConfigFile(path: "\(paths.config)/theme.txt")
    kept = SettingsFile(directory: paths.state)
    webFiles = Self.webFiles(in: paths)
    read()
  }

  private func read() {
    problems = []
    do throws(ConfigFileError) {
      guard let text = try file.text() else {
        hasFile = false
        config = Config(ReaderSettings(file: kept).all)
        return
      }
      hasFile = true
      let reader = ConfigReader(text)
      config = reader.config
      problems = reader.problems.map { $0.words(in: file.name) }
    } catch {
      // What was set before stays.
      problems = [error.sentence]
    }
  }

  /// What holds in the account that is shown.
  subscript(key: ConfigKey) -> ConfigValue { config[key, account] }

  /// Goes by the options of `account` from now on.
  func use(account: String) {
    guard account != self.account else { return }
    // Two without options of their own have the same.
    guard config.accounts.contains(where: { $0.name == account || $0.name == self.account }) else {
      self.account = account
      return
    }
    let before = ConfigKey.allCases.map { self[$0] }
    self.account = account
    tellChanges(since: before)
  }

  /// Tells the program which options have other values than `before`, and that the file of the theme is another one.
  private func tellChanges(since before: [ConfigValue], hasOtherTheme: Bool = false) {
    let changed = ConfigKey.allCases.filter { self[$0] != before[$0.rawValue] }
    if hasOtherTheme || changed.contains(.theme) || changed.contains(.colours) { didChangeTheme?(themeMaker()) }
    for key in changed { didSet?(key, self[key]) }
  }

  /// Makes the theme for a terminal. What is wrong in the user's is noted.
  func themeMaker() -> @MainActor (TerminalCapabilities) -> Theme {
    let (name, colours) = (self[.theme].text, self[.colours].text)
    if name == ConfigKey.theme.option.standard.text {
      return { ThemeChoice.terminal($0, colors: ThemeChoice.colors(colours, of: $0.colors)) }
    }
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
    return { theme.adapted(toColors: ThemeChoice.colors(colours, of: $0.colors)) }
  }

  /// The keys: the standard ones, a ready map, and the user's file. What is wrong in that is noted.
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

  /// Notes what is wrong, once.
  private func note(_ found: [String]) { problems += found.filter { !problems.contains($0) } }

  /// Where themes and keymaps from the web are kept.
  nonisolated static func webFiles(in paths: Paths) -> ResourceFiles { ResourceFiles(directory: "\(paths.cache)/web") }

  /// The text at the address that an option names, if it is kept; it is fetched otherwise.
  private func webText(_ key: ConfigKey) -> String? {
    let address = self[key].text
    guard ConfigOption.isAddress(address) else {
      webTexts?.release(key)
      return nil
    }
    webTexts?.use(address, for: key)
    let text = webFiles.keptBytes(of: address).map { SafeText.repairing($0) }
    usedTexts[key] = text
    return text
  }

  /// Takes what has been fetched.
  private func take(_ key: ConfigKey, _ error: ResourceError?) {
    let address = self[key].text
    if let error {
      let sentence = WebTexts.sentence(key, address, error)
      note([sentence])
      didTell?(sentence, true)
      return
    }
    guard webFiles.keptBytes(of: address).map({ SafeText.repairing($0) }) != usedTexts[key] else { return }
    remake(key)
    if problems.isEmpty { didTell?("\(WebTexts.name(of: address)) loaded", false) }
  }

  /// Goes by the theme or the keys that an option names, and tells what is wrong in them.
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

  /// The first problem, and how to see the others; nil if there is none.
  var remark: String? {
    guard let first = problems.first else { return nil }
    return problems.count == 1 ? first : "\(first) (\(problems.count - 1) more: qwinkle config --check)"
  }

  /// The settings that all accounts share.
  private(set) lazy var shared = newSettings(for: nil)

  /// The settings of an account: those of all, unless the file has some for it alone.
  func settings(of account: String) -> ReaderSettings {
    if let known = settings.first(where: { $0.account == account }) { return known }
    return config.accounts.contains { $0.name == account } ? newSettings(for: account) : shared
  }

  private func newSettings(for account: String?) -> ReaderSettings {
    let settings = ReaderSettings(config, for: account, file: hasFile ? nil : kept)
    settings.desk = self
    self.settings.append(settings)
    return settings
  }

  /// What keys and `:set` have kept, for a file that is first made.
  static func kept(in paths: Paths) -> Config {
    let settings = ReaderSettings(file: SettingsFile(directory: paths.state))
    return Config(settings.all)
  }
}

extension ConfigCenter: ConfigDesk {
  func write(_ key: ConfigKey, _ value: ConfigValue, in account: String?) throws(ConfigFileError) {
    let first = hasFile ? Config() : Config(shared.all)
    let hasOwn = account.map { config.value(of: key, in: $0) != config.value(of: key) } ?? false
    try file.set(key, to: value, in: hasOwn ? account : nil, keeping: first)
    let isFirst = !hasFile
    read()
    // From now on the file counts alone.
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
    if key == .theme || key == .colours || key == .keymap { remake(key) }
    didSet?(key, value)
  }
}
